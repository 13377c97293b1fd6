import {
  changeByDefinition,
  changesByGroup,
  type DefinitionChange,
  type RoleChange,
} from '../../policy/role-changes.ts';
import type { DefinedRoles, RoleDefinition } from '../../policy/role-access.ts';
import type { Reading } from '../../store/permit.ts';

/** Changes that another definition of a role makes, and for whom. */
export interface RolePreview extends DefinitionChange {
  /** Number of users with the role. */
  readonly users: number;
  /** The first few of them, by name. */
  readonly usernames: readonly string[];
}

const mostNames = 3;

/** @param defined the roles before the change. @returns undefined if it changes neither cameras nor capabilities */
export async function readRolePreview(
  on: Reading,
  role: string,
  definition: RoleDefinition,
  defined: DefinedRoles,
): Promise<RolePreview | undefined> {
  const change = changeByDefinition(role, definition, defined);
  if (change === undefined) return undefined;
  const ofRole = on.selectFrom('users').where('role', '=', role);
  const counted = await ofRole
    .select(({ fn }) => fn.countAll<number>().as('users'))
    .executeTakeFirstOrThrow();
  const named = await ofRole.select('username').orderBy('username').limit(mostNames).execute();
  return { ...change, users: counted.users, usernames: named.map(({ username }) => username) };
}

/** Changes that other cameras of a group make for a role. */
export interface GroupChange extends RoleChange {
  /** Number of users with the role. */
  readonly users: number;
}

/** @param defined the roles before the change. @returns the changes, with the users that a reading finds */
export async function readGroupChanges(
  on: Reading,
  group: string,
  cameras: readonly string[],
  defined: DefinedRoles,
): Promise<readonly GroupChange[]> {
  const changes = changesByGroup(group, cameras, defined);
  if (changes.length === 0) return [];
  const rows = await on
    .selectFrom('users')
    .select(({ fn }) => ['role', fn.countAll<number>().as('users')] as const)
    .groupBy('role')
    .execute();
  const users = new Map(rows.map((row) => [row.role, row.users]));
  return changes.map((change) => Object.assign(change, { users: users.get(change.role) ?? 0 }));
}
