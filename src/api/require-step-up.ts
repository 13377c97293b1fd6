import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Session } from '../sessions/session.ts';
import type { ApiContext } from './request-context.ts';

/** Milliseconds for which it counts that somebody has proved who they are. */
export const proofLifetime = 600_000;

/**
 * Requires that whoever has the session has proved who they are within ten minutes: now, and again in the transaction that
 * changes something, by the permit of the request. API tokens, identities of a proxy and the internal entry point have no session,
 * and people of a provider prove who they are there.
 * @param change `sign-in-methods`: the own ones, for which a user without a factor has to give the password
 * @throws AppError `step_up_needed`
 */
export function requireStepUp(c: ApiContext, clock: Clock, change: 'account' | 'sign-in-methods'): void {
  const { session, permit } = c.var;
  if (session === undefined || session.user.issuer !== undefined) return;
  if (change === 'account' && !session.user.hasSecondFactor) return;
  const check = () => {
    if (!isProved(session, clock)) throw new AppError('step_up_needed');
  };
  check();
  c.set('permit', async (on) => {
    const settings = await permit(on);
    check();
    return settings;
  });
}

/** Whether whoever has the session need prove nothing now. */
export function isProved({ claims: { authenticatedAt } }: Session, clock: Clock): boolean {
  if (authenticatedAt === undefined) return false;
  const age = clock.now() - authenticatedAt;
  // A proof of later is one of a clock that went back since.
  return age >= -clockTolerance && age <= proofLifetime;
}

/** Milliseconds by which the clocks of two machines may differ, and the fraction of a second that a token does not say. */
const clockTolerance = 5_000;
