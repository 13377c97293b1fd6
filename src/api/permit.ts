import { permissionBy, type Permit, type Reading } from '../store/permit.ts';
import type { RequestContext } from '../policy/request-context.ts';
import type { Allowed, Refused } from '../policy/decision.ts';
import { isSameIdentity } from '../policy/evaluate/revalidation.ts';
import type { Identity } from '../policy/identity.ts';
import type { Clock } from '../clock.ts';
import type { Settings } from '../access/settings/settings.ts';
import { contextOf } from '../http/fronts/client.ts';
import type { Reason } from '../policy/reasons.ts';
import type { Session } from '../identity/sessions/session.ts';
import type { Evaluated } from '../access/evaluated.ts';
import type { RequestFacts, RequestPermit } from './environment.ts';
import { needsProof, requireProofOf } from './require-step-up.ts';

/** The gate of the current configuration and roles, which may be another one than a request began with. */
export interface CurrentRuntime {
  readonly settings: Settings;
  /** Answers with the gate's own endpoints. */
  readonly answer: (request: Request, facts: RequestFacts) => Response | Promise<Response>;
  /** Makes what a transaction says of custom roles those of the runtime of this moment; undefined: it says nothing of them. */
  readonly renewRolesIn?: ((on: Reading) => Promise<void>) | undefined;
  /** Decides on a request by what a transaction reads. Nothing that is remembered counts, and nothing is. */
  readonly evaluateIn: (request: RequestContext, on: Reading) => Promise<Evaluated>;
}

/** A request that was allowed is refused at the moment at which it would have taken effect. */
export class PermitWithdrawn extends Error {
  override readonly name = 'PermitWithdrawn';
  readonly request: RequestContext;
  readonly decision: Refused;

  constructor(request: RequestContext, decision: Refused) {
    super(decision.reason);
    this.request = request;
    this.decision = decision;
  }
}

/**
 * The permit of what a request changes: it is decided on once more, by the current configuration and roles, and whoever asks must be
 * the same as before. A new password, another role, a logout or a reload may have come while it waited. What is written decides
 * whether a fresh proof is needed besides: `admin`, and roles that need a second factor, are given with one alone.
 */
export function requestPermit(
  env: RequestFacts,
  allowed: Allowed,
  session: Session | undefined,
  current: () => CurrentRuntime,
  clock: Clock,
): RequestPermit {
  const evaluateNow = async (on: Reading) => {
    for (;;) {
      await current().renewRolesIn?.(on);
      const runtime = current();
      const request = contextOf(env, runtime.settings);
      const evaluated = await runtime.evaluateIn(request, on);
      if (runtime === current()) return { request, settings: runtime.settings, ...evaluated };
    }
  };
  return async (on) => {
    const { request, settings, decision, session: now } = await evaluateNow(on);
    const refused =
      decision.outcome === 'allow' ? refusedSuccessor(allowed, session, decision.identity, now) : decision;
    if (refused === undefined) {
      const requireProof = () => requireProofOf({ identity: decision.identity, session: now }, clock);
      return { settings, ...permissionBy(requireProof, (role) => needsProof(role, settings)) };
    }
    const { path, rule, resource } = decision;
    const { outcome, reason } = refused;
    // Who it was is known from before, and worth a word in the audit.
    throw new PermitWithdrawn(request, { path, rule, resource, outcome, reason, identity: allowed.identity });
  };
}

/** @returns the same permit, where the configuration of the moment has to fulfil a condition, which throws otherwise */
export function permitIf(
  permit: RequestPermit,
  condition: (settings: Settings, on: Reading) => unknown,
): Permit {
  return async (on) => {
    const permission = await permit(on);
    await condition(permission.settings, on);
    return permission;
  };
}

/** Somebody may do this, but it is not who was asked before. */
function refusedSuccessor(
  { identity }: Allowed,
  session: Session | undefined,
  identityNow: Identity | undefined,
  sessionNow: Session | undefined,
): { readonly outcome: Refused['outcome']; readonly reason: Reason } | undefined {
  if (!isSameIdentity(identity, identityNow)) return { outcome: 'forbidden', reason: 'identity_changed' };
  // A token without a generation is held against a time of whole seconds.
  if (session?.user.generation !== sessionNow?.user.generation)
    return { outcome: 'unauthenticated', reason: 'token_revoked' };
  return undefined;
}
