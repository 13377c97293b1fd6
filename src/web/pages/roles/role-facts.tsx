import type { CameraGroup, Role } from '../../api-client.ts';
import { cameraText, inOrder } from '../../ui/cameras/camera-names.ts';
import { listText } from '../../ui/words.ts';
import { mayOf, scheduleOf } from '../../ui/roles/role-access.ts';
import { text } from '../../text.ts';
import { scheduleText } from '../../ui/roles/schedule.ts';
import { gateZone } from '../../ui/time-text.ts';

interface RoleFactsProps {
  readonly role: Pick<Role, 'name' | 'access'>;
  readonly groups: readonly CameraGroup[];
}

/** What differs from the default: groups, and when. */
export function RoleFacts({ role, groups }: RoleFactsProps) {
  const words = text.roles;
  const schedule = scheduleOf(role.access);
  const own = role.access?.groups ?? [];
  const camerasOf = (group: string) => groups.find(({ name }) => name === group)?.cameras ?? [];
  const facts = [
    [
      words.groups,
      own.map((group) => `${group} (${listText(inOrder(camerasOf(group)).map(cameraText))})`).join(', '),
    ],
    [text.schedules.title, schedule && scheduleText(schedule, mayOf(role).includes('history'), gateZone())],
  ] as const;
  return (
    <>
      {facts.map(
        ([name, value]) =>
          value && (
            <p class="role-fact" key={name}>
              <small>
                {name}: {value}
              </small>
            </p>
          ),
      )}
    </>
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
