import type { InferResponseType } from 'hono/client';
import {
  bodyOf,
  rolesApi,
  usersApi,
  userDetailsApi,
  cameraGroupsApi,
  type Role,
  type UserCounts,
  type CameraGroup,
  type GroupChange,
} from '../../api-client.ts';
import { plural, text } from '../../text.ts';
import { nameText } from '../words.ts';

/** Gives a user another role. @throws ApiFailure */
export async function giveRole(username: string, role: string): Promise<void> {
  await bodyOf(usersApi[':username'].role.$put({ param: { username }, json: { role } }));
}

/** Cameras of a role, what it may do, and when. Null access is the default, at all times. */
export type RoleDefinition = Pick<Role, 'cameras' | 'access'>;

/** Creates or replaces a role. For `viewer` it changes only `may`. @throws ApiFailure */
export async function defineRole(name: string, { cameras, access }: RoleDefinition): Promise<void> {
  await bodyOf(rolesApi[':name'].$put({ param: { name }, json: { cameras, access }, query: {} }));
}

/** Changes that another definition of a role would make, except to its schedule. */
export type RoleChange = NonNullable<InferResponseType<(typeof rolesApi)[':name']['$put'], 200>['change']>;

/** @returns the change, or `undefined` if the role keeps its cameras and what it may do. @throws ApiFailure */
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
  /** Defines the role again and gives it back. Absent when too many users had it. */
  readonly undo: (() => Promise<void>) | undefined;
  /** No user has it anymore, but config.yml could not be written. */
  readonly isStillDefined: boolean;
}

/** @throws ApiFailure */
export async function deleteRole({ name, cameras, access }: Role): Promise<DeletedRole> {
  const had = await bodyOf(usersApi.index.$get({ query: { role: name, limit: String(mostGivenBack + 1) } }));
  const { reassigned_users: users, still_defined: isStillDefined = false } = await bodyOf(
    rolesApi[':name'].$delete({ param: { name }, query: {} }),
  );
  const undo = async () => {
    await defineRole(name, { cameras, access });
    for (const { username } of had) {
      const query = { search: username, role: 'viewer' };
      const viewers = await bodyOf(usersApi.index.$get({ query }));
      // Another admin may have changed the user's role meanwhile.
      if (viewers.some((viewer) => viewer.username === username)) await giveRole(username, name);
    }
  };
  const canUndo = had.length === users && !isStillDefined;
  return { users, undo: canUndo ? undo : undefined, isStillDefined };
}

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

type Named = Pick<CameraGroup, 'name'>;

/** @returns the groups that no page would show by the name of a taken one, or of one before */
export function withoutTwins<G extends Named>(groups: readonly G[], taken: readonly Named[]): readonly G[] {
  const textOf = ({ name }: Named) => nameText(name).toLowerCase();
  const seen = new Set(taken.map(textOf));
  return groups.filter((group) => seen.size < seen.add(textOf(group)).size);
}

/** Groups of cameras, and those of the recorder, which give no access. @throws ApiFailure */
export async function readGroups() {
  const [groups, offered] = await Promise.all([
    bodyOf(cameraGroupsApi.index.$get()),
    bodyOf(cameraGroupsApi.offered.$get()),
  ]);
  return { groups, offered: withoutTwins(offered, groups) };
}

/** @returns the roles that would gain or lose cameras. @throws ApiFailure */
export async function previewGroup(name: string, cameras: string[]): Promise<readonly GroupChange[]> {
  const call = cameraGroupsApi[':name'].$put({ param: { name }, json: { cameras }, query: { preview: '1' } });
  return (await bodyOf(call)).changes;
}

/** @throws ApiFailure */
export async function defineGroup(name: string, cameras: string[]): Promise<void> {
  await bodyOf(cameraGroupsApi[':name'].$put({ param: { name }, json: { cameras }, query: {} }));
}

/** @returns a function that makes the group again. @throws ApiFailure */
export async function removeGroup({ name, cameras }: CameraGroup): Promise<() => Promise<void>> {
  await bodyOf(cameraGroupsApi[':name'].$delete({ param: { name } }));
  return () => defineGroup(name, cameras);
}
