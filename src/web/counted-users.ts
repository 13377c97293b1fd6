import { bodyOf, userCountApi, usersApi } from './api-client.ts';
import { isBehindFirstEdition } from './path-prefix.ts';

export function countedUsers(count: number): string {
  return count === 1 ? '1 user' : `${count} users`;
}

/** @returns how many users a role has. @throws ApiFailure */
export async function countUsers(): Promise<(role: string) => number> {
  if (!isBehindFirstEdition) {
    const { by_role: counts } = await bodyOf(userCountApi.count.$get());
    return (role) => counts[role] ?? 0;
  }
  const users = await bodyOf(usersApi.index.$get({ query: {} }));
  return (name) => users.filter(({ role }) => role === name).length;
}
