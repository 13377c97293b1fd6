import { bodyOf, userDetailsApi, type UserCounts } from '../../api-client.ts';
import { plural, text } from '../../text.ts';

export function countedUsers(count: number): string {
  return plural(text.lists.users, count);
}

/** @throws ApiFailure */
export async function readCounts(): Promise<UserCounts> {
  return bodyOf(userDetailsApi.count.$get());
}

/** @returns a function with the number of users of a role. @throws ApiFailure */
export async function countUsers(): Promise<(role: string) => number> {
  const { by_role: counts } = await readCounts();
  return (role) => counts[role] ?? 0;
}
