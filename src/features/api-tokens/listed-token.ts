import { wholeSeconds } from '../../clock.ts';
import { writtenAccess, type Roles, type TokenAccess } from '../../policy/role-access.ts';
import { isWithinOwner } from '../../policy/token-scope.ts';
import type { ApiTokenUse } from './uses.ts';
import type { ApiToken } from './api-tokens.ts';

/** Whether a token would be accepted now. `too_wide`: it gives more than its owner may do now. */
export const apiTokenStates = ['good', 'expired', 'too_wide'] as const;

/** An API token in a list, as the API and the command show it. Times are seconds since the epoch. */
export interface ListedApiToken {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly role: string;
  /** `null` for all cameras of the role. */
  readonly cameras: readonly string[] | null;
  /** `null` for all that the role may do, whenever it may. */
  readonly access: TokenAccess | null;
  readonly created_at: number;
  /** `null` if it does not expire. */
  readonly expires_at: number | null;
  /** `null` if it was not used yet. */
  readonly last_used_at: number | null;
  readonly last_used_from: string | null;
  readonly state: (typeof apiTokenStates)[number];
}

/** @param now milliseconds since the epoch */
export function listedApiToken(
  apiToken: ApiToken,
  use: ApiTokenUse | undefined,
  now: number,
  roles: Roles,
): ListedApiToken {
  const { id, owner, name, role, cameras, createdAt, expiresAt } = apiToken;
  const isGood = isWithinOwner(apiToken, apiToken.ownerRole, roles);
  return {
    id,
    username: owner,
    name,
    role,
    cameras: cameras === undefined ? null : [...cameras],
    access: writtenAccess(apiToken),
    created_at: wholeSeconds(createdAt),
    expires_at: expiresAt === undefined ? null : wholeSeconds(expiresAt),
    last_used_at: use === undefined ? null : wholeSeconds(use.at),
    last_used_from: use?.address ?? null,
    state: expiresAt !== undefined && now >= expiresAt ? 'expired' : isGood ? 'good' : 'too_wide',
  };
}

interface ApiTokenQuery {
  /** Part of the name, the owner or the role; case does not matter. */
  readonly search?: string | undefined;
  readonly state?: ListedApiToken['state'] | undefined;
  readonly limit?: number | undefined;
  /** Only tokens after this one: owner, slash and name. */
  readonly after?: string | undefined;
}

/** @param listed every token that may be listed @returns one page, ordered by owner and name, and how many match in all */
export function apiTokenPage(
  listed: readonly ListedApiToken[],
  { search = '', state, limit, after = '' }: ApiTokenQuery,
): { readonly apiTokens: readonly ListedApiToken[]; readonly total: number } {
  const part = search.toLowerCase();
  const matching = listed
    .filter((one) => state === undefined || one.state === state)
    .filter(({ name, username, role }) => `${name}\n${username}\n${role}`.toLowerCase().includes(part))
    .toSorted(inOrder);
  // A user name has no slash.
  const slash = after.indexOf('/');
  const last = { username: after.slice(0, slash), name: after.slice(slash + 1) };
  const behind = slash < 0 ? matching : matching.filter((one) => inOrder(one, last) > 0);
  return { apiTokens: behind.slice(0, limit), total: matching.length };
}

type Place = Pick<ListedApiToken, 'username' | 'name'>;

/** The same order for the list and for where a page begins, whatever the language. */
function inOrder(a: Place, b: Place): number {
  if (a.username !== b.username) return a.username < b.username ? -1 : 1;
  return a.name === b.name ? 0 : a.name < b.name ? -1 : 1;
}
