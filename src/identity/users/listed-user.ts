import { wholeSeconds } from '../../clock.ts';
import type { Blocker, SecondFactor, UserDetails } from './user-list.ts';

/** A user in a list, as the API and the command show it. */
export interface ListedUser {
  readonly username: string;
  readonly role: string;
  /** Issuer of the provider whose person this is; null: an account of the gate's own. */
  readonly provider: string | null;
  /** What the login page calls the provider; null: it is not configured any more, or there is none. */
  readonly provider_label: string | null;
  /** Why a person of a provider has the role: `group NAME`, `default_role`. */
  readonly role_reason: string | null;
  /** Seconds since the epoch; null: it is not known. */
  readonly last_login: number | null;
  readonly blocked: Blocker | null;
  readonly second_factors: readonly SecondFactor[];
}

/**
 * @param lastLogin of the name, as the audit knows it; milliseconds since the epoch
 * @param provider at which people sign in
 */
export function listedUser(
  user: UserDetails,
  lastLogin: number | undefined,
  provider: { readonly issuer: string | undefined; readonly label: string | undefined },
): ListedUser {
  const { username, role, issuer, roleReason, createdAt, lastLoginAt, blocked, secondFactors } = user;
  // Somebody else may have had the name before.
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
