import { noRole } from '../../policy/names.ts';
import { unconditional } from '../../store/permit.ts';
import type { CustomRoleChanges } from '../roles/custom-roles.ts';
import type { Users } from '../users/users.ts';

/** Removes a role that was made for an invitation that ended unused. A failure is logged: the role then stays, unused. */
export type RemoveMadeRole = (role: string) => Promise<void>;

export function createRemoveMadeRole(
  customRoles: Pick<CustomRoleChanges, 'remove'>,
  users: Pick<Users, 'count'>,
  onError: (error: unknown, role: string) => void,
): RemoveMadeRole {
  return async (role) => {
    try {
      // An admin may have given it to someone else meanwhile.
      if ((await users.count({ role })) > 0) return;
      await customRoles.remove(role, noRole, unconditional);
    } catch (error) {
      onError(error, role);
    }
  };
}
