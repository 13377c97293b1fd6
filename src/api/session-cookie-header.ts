import { authorizationRequestOfClient } from '../fronts/client.ts';
import type { IssuedToken } from '../sessions/sessions.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { ApiContext } from './request-context.ts';

/** Sets the session cookie to a token that was issued to whoever asks: the session was seen by that. */
export function setSessionCookie(
  c: ApiContext,
  { token, maxAgeSeconds, claims }: IssuedToken,
  { settings, cookie, lastSeen }: Pick<ApiDependencies, 'settings' | 'cookie' | 'lastSeen'>,
): void {
  const request = authorizationRequestOfClient(c.env, settings);
  lastSeen.noteIssued(claims, request);
  c.header('set-cookie', cookie.set(token, maxAgeSeconds, request.secure));
}
