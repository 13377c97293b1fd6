import type { IssuedToken } from '../sessions/sessions.ts';
import type { GatewayDependencies } from './dependencies.ts';
import { accessRequestOfClient, type GatewayContext } from './gateway-environment.ts';
import { noteIssuedToken } from './session-sightings.ts';

/** Gives whoever asks a token of a session, in the cookie; that is a sighting of the session. */
export function handOver(
  c: GatewayContext,
  { token, maxAge, claims }: IssuedToken,
  dependencies: Pick<GatewayDependencies, 'inForce' | 'cookie' | 'sessionRegistry' | 'now'>,
): void {
  const { inForce, cookie, now } = dependencies;
  const request = accessRequestOfClient(c.env, inForce());
  noteIssuedToken(claims, request, now(), dependencies);
  c.header('set-cookie', cookie.set(token, maxAge, request.secure));
}
