import type { Settings } from '../access/settings/settings.ts';
import { lacksSecondFactor } from '../access/authentication/session-token.ts';
import { AppError } from '../errors.ts';
import { invalid } from '../http/validation.ts';
import type { Users } from '../accounts/users/users.ts';
import { plainIdentity, type Authentication } from '../policy/identity.ts';
import type { Reason } from '../policy/reasons.ts';
import { currentRole } from '../policy/role-access.ts';

export interface AssumedIdentityDependencies {
  readonly settings: Settings;
  readonly users: Pick<Users, 'find'>;
  /** Loads the current custom roles. @throws AppError `store_unavailable` */
  readonly requireCurrentRoles: () => Promise<void>;
}

/** Who a question is about. */
export interface Assumed {
  readonly user?: string | undefined;
  /** With a user: in place of the stored one. */
  readonly role?: string | undefined;
}

/**
 * The current role of a user, and how they would be authenticated now. For questions only: it signs no one in.
 * @param part of the request that names them, for errors
 * @throws AppError `user_unknown`, `store_unavailable`
 * @throws ValidationError for an unknown role
 */
export async function assumeIdentity(
  { users, settings, requireCurrentRoles }: AssumedIdentityDependencies,
  { user, role }: Assumed,
  part: 'body' | 'query',
): Promise<{ readonly role: string; readonly authentication: Authentication }> {
  await requireCurrentRoles();
  const found = user === undefined ? undefined : await users.find(user);
  if (user !== undefined && found === undefined) throw new AppError('user_unknown');
  const { roles } = settings.rules;
  if (role !== undefined && !roles.has(role)) throw invalid([part, 'role'], 'No such role');
  const now = currentRole(role ?? found?.role ?? '', roles);
  const refused = (reason: Reason) => ({ role: now, authentication: { refused: reason } });
  if (found?.blocked !== undefined) return refused('user_blocked');
  if (found?.issuer !== undefined && found.issuer !== settings.issuer) return refused('provider_removed');
  // No account has this name: what is stopped for one does not count for a role.
  const identity = plainIdentity(user ?? 'a user', now, 'bearer');
  const isRestricted = found !== undefined && lacksSecondFactor(found, now, settings.secondFactorFor);
  return {
    role: now,
    authentication: { identity: isRestricted ? { ...identity, restricted: 'second_factor' } : identity },
  };
}
