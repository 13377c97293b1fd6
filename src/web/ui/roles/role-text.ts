import { isPersonalRoleName } from '../../../policy/names.ts';
import { text } from '../../text.ts';

/** @returns a role as pages call it: one that was made for a guest has no name that means anything */
export function roleText(role: string): string {
  return isPersonalRoleName(role) ? text.site.guest : role;
}
