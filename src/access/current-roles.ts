import type { RequestContext } from '../policy/request-context.ts';
import type { Decision } from '../policy/decision.ts';
import type { Identity } from '../policy/identity.ts';
import type { Session } from '../identity/sessions/session.ts';
import type { Evaluate, Evaluated, Identify } from './evaluated.ts';

/** How a runtime knows that the custom roles it decides by are those of a store that other processes change too. */
export interface CurrentRoles {
  /** Whether they are, as far as that is known at this moment. */
  readonly areCurrent: () => boolean;
  /** Reads them anew, once for all who wait. @returns what decides by them. @throws AppError `store_unavailable` */
  readonly renew: () => Promise<{ readonly evaluate: Evaluate; readonly identify: Identify }>;
}

/**
 * A decision counts when the roles that it was made by are still those of the store once it is made: whatever it had to wait
 * for, nothing is decided by roles of before. Otherwise it is made anew, by the runtime of the roles as they are read then.
 * @param failed what a request gets when the store cannot be asked
 */
export function evaluateByCurrentRoles(
  evaluate: Evaluate,
  { areCurrent, renew }: CurrentRoles,
  failed: (error: unknown) => Evaluated,
): Evaluate {
  const hold = (request: RequestContext, revalidated: Session | undefined, evaluated: Evaluated) =>
    areCurrent() || !dependsOnRoles(evaluated.decision)
      ? evaluated
      : renew()
          .then((now) => now.evaluate(request, revalidated))
          .catch(failed);
  return (request, revalidated) => {
    const evaluated = evaluate(request, revalidated);
    return evaluated instanceof Promise
      ? evaluated.then((later) => hold(request, revalidated, later))
      : hold(request, revalidated, evaluated);
  };
}

/** The same of who is asking. */
export function identifyByCurrentRoles(identify: Identify, { areCurrent, renew }: CurrentRoles): Identify {
  const hold = (request: RequestContext, identity: Identity | undefined) =>
    areCurrent() || identity?.source === 'internal' ? identity : renew().then((now) => now.identify(request));
  return (request) => {
    const identity = identify(request);
    return identity instanceof Promise
      ? identity.then((later) => hold(request, later))
      : hold(request, identity);
  };
}

/**
 * Whoever comes by the internal entry point is admin, whatever roles there are, and so the gate can be looked after while its store
 * is away. What is public needs no role, and neither does it to know nobody.
 */
function dependsOnRoles({ identity, reason }: Decision): boolean {
  if (identity !== undefined) return identity.source !== 'internal';
  return reason === 'no_role' || reason === 'api_token_too_wide';
}
