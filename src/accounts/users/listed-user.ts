import { wholeSeconds } from '../../clock.ts';
import type { Blocker, SecondFactor, UserDetails } from './user-list.ts';

export interface ListedUser {
  readonly username: string;
  readonly role: string;
  /** Issuer of the federated user's provider; null: a local user. */
  readonly provider: string | null;
  /** Label of the provider on the login page; null: it is no longer configured, or the user has no provider. */
  readonly provider_label: string | null;
  /** Why a federated user has the role: `group NAME`, `default_role`. */
  readonly role_reason: string | null;
  /** Seconds since the epoch; null: not known. */
  readonly last_login: number | null;
  readonly blocked: Blocker | null;
  readonly second_factors: readonly SecondFactor[];
}

/**
 * @param lastLogin of this name in the audit log; milliseconds since the epoch
 * @param provider where federated users sign in
 */
export function listedUser(
  user: UserDetails,
  lastLogin: number | undefined,
  provider: { readonly issuer: string | undefined; readonly label: string | undefined },
): ListedUser {
  const { username, role, issuer, roleReason, createdAt, lastLoginAt, blocked, secondFactors } = user;
  // Another user may have had the name before.
  const isOwn = lastLogin !== undefined && lastLogin >= createdAt;
  const last = Math.max(lastLoginAt ?? 0, isOwn ? lastLogin : 0);
  return {
    username,
    role,
    provider: issuer ?? null,
    provider_label: (issuer !== undefined && issuer === provider.issuer && provider.label) || null,
    role_reason: roleReason ?? null,
    last_login: last === 0 ? null : wholeSeconds(last),
    blocked: blocked ?? null,
    second_factors: secondFactors,
  };
}
