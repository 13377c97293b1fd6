import { noRole } from '../../policy/names.ts';
import { onlyIf } from '../../store/permit.ts';
import type { CustomRoleChanges } from './custom-roles.ts';
import { isGiven } from '../users/personal-roles.ts';

/**
 * Removes a role that was made for an invitation that ended unused, unless a user has it or another invitation gives it. A failure is
 * logged: the role then stays, unused.
 */
export type RemoveMadeRole = (role: string) => Promise<void>;

class StillGiven extends Error {}

export function createRemoveMadeRole(
  customRoles: Pick<CustomRoleChanges, 'remove'>,
  onError: (error: unknown, role: string) => void,
): RemoveMadeRole {
  return async (role) => {
    try {
      await customRoles.remove(
        role,
        noRole,
        onlyIf(async (on) => {
          if (await isGiven(on, role)) throw new StillGiven();
        }),
      );
    } catch (error) {
      if (!(error instanceof StillGiven)) onError(error, role);
    }
  };
}
