import { unconditional } from '../../store/permit.ts';
import type { PersonalRoleChanges } from './personal-role-changes.ts';

/**
 * Removes a role that was made for one person, unless a user has it or an invitation gives it. A failure is logged: the role then stays,
 * unused.
 */
export type RemoveMadeRole = (role: string) => Promise<void>;

export function createRemoveMadeRole(
  { remove }: Pick<PersonalRoleChanges, 'remove'>,
  onError: (error: unknown, role: string) => void,
): RemoveMadeRole {
  return async (role) => {
    try {
      await remove(role, unconditional);
    } catch (error) {
      onError(error, role);
    }
  };
}
