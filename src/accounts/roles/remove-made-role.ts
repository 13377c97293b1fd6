import { noRole } from '../../policy/names.ts';
import type { CustomRoleChanges } from './custom-roles.ts';
import { StillGiven, unlessGiven } from '../users/personal-roles.ts';

/**
 * Removes a role that was made for an invitation that ended unused, unless a user has it or another invitation gives it. A failure is
 * logged: the role then stays, unused.
 */
export type RemoveMadeRole = (role: string) => Promise<void>;

export function createRemoveMadeRole(
  customRoles: Pick<CustomRoleChanges, 'remove'>,
  onError: (error: unknown, role: string) => void,
): RemoveMadeRole {
  return async (role) => {
    try {
      const { left } = await customRoles.remove(role, noRole, unlessGiven(role));
      if (left !== undefined) onError(left, role);
    } catch (error) {
      if (!(error instanceof StillGiven)) onError(error, role);
    }
  };
}
