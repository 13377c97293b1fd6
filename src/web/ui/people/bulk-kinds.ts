import { bodyOf, userDetailsApi, type User } from '../../api-client.ts';

export type BulkKind = 'roles' | 'block-all' | 'unblock-all' | 'delete-all';

/** @returns the selected users to whom the action applies */
export function usersFor(kind: BulkKind, users: readonly User[]): readonly User[] {
  if (kind === 'roles') return users.filter(({ provider }) => provider === null);
  if (kind === 'block-all') return users.filter(({ blocked }) => blocked !== 'admin');
  if (kind === 'unblock-all') return users.filter(({ blocked }) => blocked === 'admin');
  return users;
}

/** Blocks or unblocks a user. @throws ApiFailure */
export async function setBlocked(username: string, blocked: boolean): Promise<void> {
  await bodyOf(userDetailsApi[':username'].blocked.$put({ param: { username }, json: { blocked } }));
}
