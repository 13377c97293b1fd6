import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Identity } from '../policy/identity.ts';
import type { Session } from '../accounts/sessions/session-token.ts';
import { permissionBy } from '../store/permit.ts';
import type { AnswerDescription } from './endpoint.ts';
import type { ApiContext, RequestPermit } from './environment.ts';

/** Milliseconds for which a proof counts. */
export const proofLifetime = 600_000;

/** Says in the document that the endpoint may ask for a proof. */
export const stepUpNeeded = {
  meaning:
    '`step_up_needed`: your last proof is older than ten minutes; `POST /postern/api/step-up` renews it.',
} satisfies AnswerDescription;

/** The user of a request, and the session, if there is one. */
interface Asker {
  readonly identity: Pick<Identity, 'source'> | undefined;
  readonly session: Session | undefined;
}

/**
 * Requires a proof within the last ten minutes: the second factor, or the password of a user without one. Identities of a
 * proxy and the internal entry point have no session, and federated users prove their identity at the provider.
 * @throws AppError `step_up_needed`; `forbidden` for an API token, which can prove nothing
 */
export function requireProofOf({ identity, session }: Asker, clock: Clock): void {
  if (identity?.source === 'api-token') throw new AppError('forbidden');
  if (session === undefined || session.user.issuer !== undefined) return;
  if (!isProved(session, clock)) throw new AppError('step_up_needed');
}

/** Whether giving a role needs a proof. */
export function needsProof(
  role: string,
  { secondFactorFor }: { readonly secondFactorFor: ReadonlySet<string> },
): boolean {
  return role === 'admin' || secondFactorFor.has(role);
}

/**
 * Requires early what the transaction that writes requires anyway, so that nothing is asked, hashed or counted in vain.
 * @throws as `requireProofOf`
 */
export function requireStepUp(c: ApiContext, clock: Clock): void {
  requireProofOf({ identity: c.var.allowed.identity, session: c.var.session }, clock);
}

/** @returns the permit of a request that contains a proof itself: the password of a user without a second factor */
export function withProof(permit: RequestPermit): RequestPermit {
  return async (on) => ({ ...(await permit(on)), ...permissionBy(() => undefined) });
}

/** Whether the session needs no proof now. */
export function isProved({ claims: { authenticatedAt } }: Session, clock: Clock): boolean {
  if (authenticatedAt === undefined) return false;
  const age = clock.now() - authenticatedAt;
  // A proof in the future: a clock was set back since.
  return age >= -clockTolerance && age <= proofLifetime;
}

/** Milliseconds: the difference of two machines' clocks, and the part of a second that a token does not have. */
const clockTolerance = 5_000;
