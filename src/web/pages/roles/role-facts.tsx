import type { Role } from '../../api-client.ts';
import { text } from '../../text.ts';
import { windowText } from './window-text.ts';

/** When a role is valid; empty for one that always is. */
export function RoleTimes({ role }: { readonly role: Role }) {
  if (role.window === null) return null;
  return (
    <p class="role-times">
      <small>
        {text.roles.window.title}: {windowText(role.window)}
      </small>
    </p>
  );
}

/** Why a role cannot be changed here; empty for one that can. */
export function Declared({ role }: { readonly role: Role }) {
  if (role.declared !== true) return null;
  return (
    <div>
      <small>
        {text.roles.declaredHint}
        {role.hides_stored === true && ` ${text.roles.hidesStored}`}
      </small>
    </div>
  );
}
