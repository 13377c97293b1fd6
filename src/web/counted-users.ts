import { bodyOf, userDetailsApi, usersApi, type UserCounts } from './api-client.ts';
import { numberText } from './number-text.ts';
import { isBehindFirstEdition } from './path-prefix.ts';
import { text } from './text.ts';

export function countedUsers(count: number): string {
  return text.lists.users(count, numberText(count));
}

/** @throws ApiFailure */
export async function readCounts(): Promise<UserCounts> {
  if (!isBehindFirstEdition) return bodyOf(userDetailsApi.count.$get());
  const counts: Record<string, number> = {};
  for (const { role } of await bodyOf(usersApi.index.$get({ query: {} })))
    counts[role] = (counts[role] ?? 0) + 1;
  return { by_role: counts, by_provider: [], blocked: 0, active_admins: counts['admin'] ?? 0 };
}

/** @returns how many users a role has. @throws ApiFailure */
export async function countUsers(): Promise<(role: string) => number> {
  const { by_role: counts } = await readCounts();
  return (role) => counts[role] ?? 0;
}
