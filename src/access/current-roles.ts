import type { Decision } from '../policy/decision.ts';
import type { Evaluate, Evaluated, Identify } from './evaluated.ts';

/** Checks that the custom roles of a runtime are those of a store that other processes change too. */
export interface CurrentRoles {
  /** Whether they are, as far as is known at this moment. */
  readonly areCurrent: () => boolean;
  /** Reads them again, once for all that wait. @returns functions that decide by them. @throws AppError `store_unavailable` */
  readonly renew: () => Promise<{ readonly evaluate: Evaluate; readonly identify: Identify }>;
}

/**
 * A decision is valid only if its roles are still those of the store once it is made, however long it had to wait. Otherwise it is made
 * again, by the runtime of the roles as they are read then.
 */
export function isByCurrentRoles({ decision }: Evaluated, { areCurrent }: CurrentRoles): boolean {
  return areCurrent() || !dependsOnRoles(decision);
}

/** Authenticates by the current roles. */
export function identifyByCurrentRoles(identify: Identify, { areCurrent, renew }: CurrentRoles): Identify {
  return async (request) => {
    const identity = await identify(request);
    if (areCurrent() || identity?.source === 'internal') return identity;
    const now = await renew();
    return now.identify(request);
  };
}

/**
 * A client of the internal entry point is always admin, so that the gate can be managed while its store is unavailable. Public paths
 * and unknown identities need no role.
 */
function dependsOnRoles({ identity, reason }: Decision): boolean {
  if (identity !== undefined) return identity.source !== 'internal';
  return reason === 'no_role' || reason === 'api_token_too_wide';
}
