import { headerValues } from '../policy/raw-headers.ts';
import type { AccessRequest } from '../policy/verdict.ts';
import type { SessionClaims } from '../sessions/session-token.ts';
import type { Session } from '../sessions/sessions.ts';
import type { GatewayDependencies } from './dependencies.ts';
import { addressOf } from './gateway-environment.ts';

// Seconds between two sightings of a session: what is told of it is at most so old.
const interval = 60;

/** Whether the session is to be noted as seen. Part of every remembered answer: it compares two numbers. */
export function isSightingDue({ told }: Session, at: number): boolean {
  const elapsed = at - told.at;
  return !(elapsed >= 0 && elapsed < interval);
}

/**
 * Notes that a session was seen, where and by what.
 * @param at seconds since the epoch
 */
export function noteSighting(
  session: Session,
  request: Pick<AccessRequest, 'peer' | 'headers'>,
  at: number,
  dependencies: Pick<GatewayDependencies, 'inForce' | 'sessionRegistry'>,
): void {
  session.told.at = at;
  noteIssuedToken(session.claims, request, at, dependencies);
}

/** The same of a token that was made this moment. */
export function noteIssuedToken(
  claims: SessionClaims,
  request: Pick<AccessRequest, 'peer' | 'headers'>,
  at: number,
  { inForce, sessionRegistry }: Pick<GatewayDependencies, 'inForce' | 'sessionRegistry'>,
): void {
  const address = addressOf(request, inForce());
  const [agent] = headerValues(request.headers, 'user-agent');
  sessionRegistry.note(claims, { at, address, agent });
}
