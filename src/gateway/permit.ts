import type { Reading } from '../accounts/users.ts';
import type { Judgement } from '../policy/judge.ts';
import type { Reason } from '../policy/reasons.ts';
import type { AccessRequest, Allowed, Refused, Subject } from '../policy/verdict.ts';
import type { Session } from '../sessions/sessions.ts';
import type { Considered } from './authoriser.ts';
import type { InForce } from './dependencies.ts';
import { accessRequestOfClient, type GatewayBindings } from './gateway-environment.ts';

/** The gate of the configuration in force, which may be another one than a request began with. */
export interface CurrentGate {
  readonly inForce: InForce;
  /** Decides on a request by what a transaction reads. Nothing that is remembered counts, and nothing is. */
  readonly reconsider: (request: AccessRequest, on: Reading) => Promise<Considered>;
}

/** A request that was allowed is refused at the moment at which it would have taken effect. */
export class PermitWithdrawn extends Error {
  override readonly name = 'PermitWithdrawn';
  readonly request: AccessRequest;
  readonly judgement: Judgement & { readonly verdict: Refused };

  constructor(request: AccessRequest, judgement: PermitWithdrawn['judgement']) {
    super(judgement.verdict.reason);
    this.request = request;
    this.judgement = judgement;
  }
}

/** @returns the configuration by which it is permitted. @throws PermitWithdrawn */
export type RequestPermit = (on: Reading) => Promise<InForce>;

/**
 * The permit of what a request changes: it is decided on once more, by the configuration in force, and whoever asks must be
 * the same as before. A new password, another role, a logout or a reload may have come while it waited.
 */
export function requestPermit(
  env: GatewayBindings,
  allowed: Allowed,
  session: Session | undefined,
  current: () => CurrentGate,
): RequestPermit {
  const considerNow = async (on: Reading) => {
    for (;;) {
      const gate = current();
      const request = accessRequestOfClient(env, gate.inForce);
      const considered = await gate.reconsider(request, on);
      if (gate === current()) return { request, settings: gate.inForce, ...considered };
    }
  };
  return async (on) => {
    const { request, settings, judgement, session: now } = await considerNow(on);
    const { verdict } = judgement;
    const refused =
      verdict.kind === 'allow' ? refusedSuccessor(allowed, session, verdict.subject, now) : verdict;
    if (refused === undefined) return settings;
    // Who it was is known from before, and worth a word in the audit.
    const { kind, reason } = refused;
    throw new PermitWithdrawn(request, {
      ...judgement,
      verdict: { kind, reason, subject: allowed.subject },
    });
  };
}

/** Somebody may do this, but it is not who was asked before. */
function refusedSuccessor(
  { subject }: Allowed,
  session: Session | undefined,
  subjectNow: Subject | undefined,
  sessionNow: Session | undefined,
): { readonly kind: Refused['kind']; readonly reason: Reason } | undefined {
  const isSame =
    subject?.user === subjectNow?.user &&
    subject?.role === subjectNow?.role &&
    subject?.source === subjectNow?.source &&
    subject?.token?.id === subjectNow?.token?.id;
  if (!isSame) return { kind: 'forbidden', reason: 'identity_changed' };
  // A token without a generation is held against a time of whole seconds.
  if (session?.user.generation !== sessionNow?.user.generation)
    return { kind: 'unauthenticated', reason: 'token_revoked' };
  return undefined;
}
