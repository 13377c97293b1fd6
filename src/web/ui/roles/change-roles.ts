import { bodyOf, rolesApi, usersApi, type Role } from '../../api-client.ts';
import type { RoleWindow } from './role-window.ts';

/** Gives a user another role. @throws ApiFailure */
export async function giveRole(username: string, role: string): Promise<void> {
  await bodyOf(usersApi[':username'].role.$put({ param: { username }, json: { role } }));
}

/** What a role sees, and when; null: always. */
export interface RoleDefinition {
  readonly cameras: readonly string[];
  readonly window: RoleWindow | null;
}

/** Creates or replaces a role. @throws ApiFailure */
export async function defineRole(name: string, { cameras, window }: RoleDefinition): Promise<void> {
  await bodyOf(rolesApi[':name'].$put({ param: { name }, json: { cameras: [...cameras], window } }));
}

/** An undo gives the role back to at most so many users, one after the other. */
export const mostGivenBack = 20;

export interface DeletedRole {
  /** How many users became `viewer`. */
  readonly users: number;
  /** Defines the role again and gives it back; undefined: too many users had it. */
  readonly undo: (() => Promise<void>) | undefined;
}

/** @throws ApiFailure */
export async function deleteRole({ name, ...definition }: Role): Promise<DeletedRole> {
  const had = await bodyOf(usersApi.index.$get({ query: { role: name, limit: String(mostGivenBack + 1) } }));
  const { reassigned_users: users } = await bodyOf(rolesApi[':name'].$delete({ param: { name }, query: {} }));
  const undo = async () => {
    await defineRole(name, definition);
    for (const { username } of had) {
      const query = { search: username, role: 'viewer' };
      const viewers = await bodyOf(usersApi.index.$get({ query }));
      // Another admin may have changed the user's role meanwhile.
      if (viewers.some((viewer) => viewer.username === username)) await giveRole(username, name);
    }
  };
  return { users, undo: had.length === users ? undo : undefined };
}
