import { changesByGroup, type RoleChange } from '../../policy/role-changes.ts';
import type { DefinedRoles } from '../../policy/role-access.ts';
import type { Reading } from '../../store/permit.ts';

/** What other cameras of a group change for a role. */
export interface GroupChange extends RoleChange {
  /** How many users have the role. */
  readonly users: number;
}

/** @param defined the roles before the change. @returns what it changes, with the users that a reading finds */
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
