import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Identity } from '../policy/identity.ts';
import type { Session } from '../identity/sessions/session.ts';
import { permissionBy } from '../store/permit.ts';
import type { Answer } from './endpoint.ts';
import type { ApiContext, RequestPermit } from './environment.ts';

/** Milliseconds for which it counts that somebody has proved who they are. */
export const proofLifetime = 600_000;

/** How the document says that an endpoint may ask for a proof. */
export const stepUpNeeded = {
  meaning:
    '`step_up_needed`: more than ten minutes have gone by since whoever asks has proved who they are; `POST /postern/api/step-up` does.',
} satisfies Answer;

/** Who asks, and the session in which they do, if it is one. */
interface Asker {
  readonly identity: Pick<Identity, 'source'> | undefined;
  readonly session: Session | undefined;
}

/**
 * Requires a proof within ten minutes of who has the session: the second factor, or the password of someone who has none. Identities
 * of a proxy and the internal entry point have no session, and people of a provider prove who they are there.
 * @throws AppError `step_up_needed`; `forbidden` for an API token, which can prove nothing
 */
export function requireProofOf({ identity, session }: Asker, clock: Clock): void {
  if (identity?.source === 'api-token') throw new AppError('forbidden');
  if (session === undefined || session.user.issuer !== undefined) return;
  if (!isProved(session, clock)) throw new AppError('step_up_needed');
}

/** Whether a role is given with a proof alone. */
export function needsProof(
  role: string,
  { secondFactorFor }: { readonly secondFactorFor: ReadonlySet<string> },
): boolean {
  return role === 'admin' || secondFactorFor.has(role);
}

/**
 * Requires at once what the transaction that writes requires anyway, so that nothing is asked, hashed or counted in vain.
 * @throws as `requireProofOf`
 */
export function requireStepUp(c: ApiContext, clock: Clock): void {
  requireProofOf({ identity: c.var.allowed.identity, session: c.var.session }, clock);
}

/** @returns the permit of a request that has itself proved who asks, by a password of someone without a second factor */
export function withProof(permit: RequestPermit): RequestPermit {
  return async (on) => ({ ...(await permit(on)), ...permissionBy(() => undefined) });
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
