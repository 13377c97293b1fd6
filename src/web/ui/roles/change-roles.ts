import type { InferResponseType } from 'hono/client';
import { bodyOf, rolesApi, usersApi, type Role } from '../../api-client.ts';

/** Gives a user another role. @throws ApiFailure */
export async function giveRole(username: string, role: string): Promise<void> {
  await bodyOf(usersApi[':username'].role.$put({ param: { username }, json: { role } }));
}

/** What a role sees and may do, and when; null: the default, always. */
export type RoleDefinition = Pick<Role, 'cameras' | 'access'>;

/** Creates or replaces a role; of `viewer`, only `may`. @throws ApiFailure */
export async function defineRole(name: string, { cameras, access }: RoleDefinition): Promise<void> {
  await bodyOf(rolesApi[':name'].$put({ param: { name }, json: { cameras, access }, query: {} }));
}

/** What another definition of a role changes, besides its schedule. */
export type RoleChange = NonNullable<InferResponseType<(typeof rolesApi)[':name']['$put'], 200>['change']>;

/** @returns undefined if the role keeps its cameras and what it may do. @throws ApiFailure */
export async function previewRole(
  name: string,
  { cameras, access }: RoleDefinition,
): Promise<RoleChange | undefined> {
  const json = { cameras, access };
  const call = rolesApi[':name'].$put({ param: { name }, json, query: { preview: '1' } });
  return (await bodyOf(call)).change ?? undefined;
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
export async function deleteRole({ name, cameras, access }: Role): Promise<DeletedRole> {
  const had = await bodyOf(usersApi.index.$get({ query: { role: name, limit: String(mostGivenBack + 1) } }));
  const { reassigned_users: users } = await bodyOf(rolesApi[':name'].$delete({ param: { name }, query: {} }));
  const undo = async () => {
    await defineRole(name, { cameras, access });
    for (const { username } of had) {
      const query = { search: username, role: 'viewer' };
      const viewers = await bodyOf(usersApi.index.$get({ query }));
      // Another admin may have changed the user's role meanwhile.
      if (viewers.some((viewer) => viewer.username === username)) await giveRole(username, name);
    }
  };
  return { users, undo: had.length === users ? undo : undefined };
}
