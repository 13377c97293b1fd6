import { bodyOf, userCountApi, usersApi } from './api-client.ts';
import { numberText } from './number-text.ts';
import { isBehindFirstEdition } from './path-prefix.ts';
import { text } from './text.ts';

export function countedUsers(count: number): string {
  return text.users.counted(count, numberText(count));
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
