import { bodyOf, userDetailsApi, type UserCounts } from '../../api-client.ts';
import { numberText } from '../number-text.ts';
import { text } from '../../text.ts';

export function countedUsers(count: number): string {
  return text.lists.users(count, numberText(count));
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
