import { permissionBy, type Permit, type Reading } from '../store/permit.ts';
import type { RequestContext } from '../policy/request-context.ts';
import type { Allowed, Refused } from '../policy/decision.ts';
import { isSameIdentity } from '../policy/evaluate/revalidation.ts';
import type { Clock } from '../clock.ts';
import type { Settings } from '../access/settings/settings.ts';
import { clientOf, contextOf } from '../http/fronts/client.ts';
import type { Reason } from '../policy/reasons.ts';
import type { Session } from '../accounts/sessions/session-token.ts';
import type { Evaluated } from '../access/current-roles.ts';
import type { ApiContext, RequestFacts, RequestPermit } from './environment.ts';
import { needsProof, requireProofOf } from './require-step-up.ts';

/** The gate by the current configuration and roles, which may be another one than a request began with. */
export interface CurrentRuntime {
  readonly settings: Settings;
  /** Answers by the gate's own endpoints. */
  readonly answer: (request: Request, facts: RequestFacts) => Response | Promise<Response>;
  /** Updates the runtime to the custom roles that a transaction reads; `undefined` if the store has none. */
  readonly renewRolesIn?: ((on: Reading) => Promise<void>) | undefined;
  /** Decides on a request by what a transaction reads. Caches are neither read nor written. */
  readonly evaluateIn: (request: RequestContext, on: Reading) => Promise<Evaluated>;
}

/** A permitted request is refused at the moment at which it would have taken effect. */
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

/** @returns the error for a permitted request of which only a part is refused: its refusal is recorded like any other */
export function refused(c: ApiContext, settings: Settings, reason: Reason): PermitWithdrawn {
  const { identity, path, rule, resource } = c.var.allowed;
  const decision: Refused = { path, rule, resource, outcome: 'forbidden', reason, identity };
  return new PermitWithdrawn(contextOf(c.env, settings), decision);
}

/**
 * The permit of a request that changes something: the request is decided once more, by the current configuration and roles,
 * and its user must still be the same. A new password, another role, a logout or a reload may have happened while it
 * waited. The change itself decides whether it also needs a recent proof: to give `admin`, or a role that needs a second
 * factor, does.
 */
export function requestPermit(
  env: RequestFacts,
  { allowed, session }: { readonly allowed: Allowed; readonly session: Session | undefined },
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
      decision.outcome === 'allow' ? refusedSuccessor(allowed, session, decision, now) : decision;
    if (refused === undefined) {
      const requireProof = () => requireProofOf({ identity: decision.identity, session: now }, clock);
      const { address } = clientOf(env, settings);
      const actor = { by: decision.identity?.user ?? '', address };
      return { settings, ...permissionBy(requireProof, (role) => needsProof(role, settings), actor) };
    }
    // The user is known from the first decision, and goes into the audit.
    throw new PermitWithdrawn(request, { ...refused, identity: allowed.identity });
  };
}

/** @returns the same permit, with a check of the current configuration, which throws when it fails */
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

/** The request would be permitted, but for another user than before. */
function refusedSuccessor(
  { identity }: Allowed,
  session: Session | undefined,
  { path, rule, resource, identity: identityNow }: Allowed,
  sessionNow: Session | undefined,
): Refused | undefined {
  const refusedAs = (outcome: Refused['outcome'], reason: Reason): Refused => ({
    path,
    rule,
    resource,
    outcome,
    reason,
    identity,
  });
  if (!isSameIdentity(identity, identityNow)) return refusedAs('forbidden', 'identity_changed');
  // The time of a token without a generation is in whole seconds.
  if (session?.user.generation !== sessionNow?.user.generation)
    return refusedAs('unauthenticated', 'token_revoked');
  return undefined;
}
