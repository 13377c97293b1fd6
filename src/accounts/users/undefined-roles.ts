import { isNoRole } from '../../policy/names.ts';
import type { Roles } from '../../policy/role-access.ts';
import type { User } from './user-list.ts';

/** A role that users have and the configuration does not define. */
export interface UndefinedRole {
  readonly role: string;
  /** Its first users by name. */
  readonly users: readonly string[];
  readonly count: number;
}

/** As many as a log line can hold. */
const mostNames = 20;

/** @param users sorted by role and name */
export function undefinedRoles(users: readonly User[], roles: Roles): readonly UndefinedRole[] {
  const found = users.filter(({ role }) => !roles.has(role) && !isNoRole(role));
  return [...Map.groupBy(found, ({ role }) => role)].map(([role, having]) => ({
    role,
    users: having.slice(0, mostNames).map(({ username }) => username),
    count: having.length,
  }));
}

export function describeUndefinedRole({ role, users, count }: UndefinedRole): string {
  const more = count > users.length ? ` and ${count - users.length} more` : '';
  return (
    `the role ${role} is not defined: ${users.join(', ')}${more} ${count === 1 ? 'counts' : 'count'} as viewer, who sees ` +
    `every camera. Define ${role} in auth.roles, or give ${count === 1 ? 'this user' : 'these users'} another role`
  );
}
