import type { ListedApiToken } from './listed-token.ts';

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
