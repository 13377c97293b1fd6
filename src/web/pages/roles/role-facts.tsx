import type { CameraGroup, Role, RecorderRoles } from '../../api-client.ts';
import { cameraText, inOrder } from '../../ui/cameras/camera-names.ts';
import { listText } from '../../ui/words.ts';
import { mayOf, scheduleOf } from '../../ui/roles/role-access.ts';
import { text, fill } from '../../text.ts';
import { scheduleText } from '../../ui/roles/schedule.ts';
import { gateZone } from '../../ui/time-text.ts';

interface RoleFactsProps {
  readonly role: Pick<Role, 'name' | 'access'>;
  readonly groups: readonly CameraGroup[];
}

/** Lists the groups and the schedule of a role. */
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

/** Tells why a role cannot be changed here. Empty for a role that can. */
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

interface RecorderStateProps {
  readonly role: Role;
  readonly recorder: RecorderRoles;
  /** The recorder is being asked. */
  readonly busy: boolean;
  readonly onTryAgain: () => void;
}

/** The state of a role at the recorder, and what that means for its lists. */
export function RecorderState({ role, recorder, busy, onTryAgain }: RecorderStateProps) {
  const unknown = recorder.unknown_cameras.find(({ name }) => name === role.name)?.cameras ?? [];
  // Every unverified role has a reason.
  if (role.recorder_reason === undefined)
    return recorder.asked ? (
      <p class="role-lists">
        <span class="badge success">{text.roles.recorderAgrees}</span>{' '}
        {unknown.length > 0 && <small>{fill(text.roles.knowsNo, { cameras: unknown.join(', ') })}</small>}
      </p>
    ) : null;
  const refusal = recorder.refusals.find(({ name }) => name === role.name);
  const isAsked = recorder.asked && !neverWritten.has(role.recorder_reason);
  return (
    <p class="role-lists">
      <span class="badge failure">{text.roles.listsClosed}</span>{' '}
      <small>
        {text.roles.unverified[role.recorder_reason]}
        {refusal !== undefined && ` ${fill(text.roles.itSays, { words: refusal.recorder_says })}`}
      </small>{' '}
      {isAsked && (
        <button
          type="button"
          class="secondary outline"
          aria-label={fill(text.roles.tryAgainOf, { role: role.name })}
          aria-busy={busy}
          onClick={onTryAgain}
        >
          {text.actions.tryAgain}
        </button>
      )}
    </p>
  );
}

/** Faults that the recorder cannot fix: the role has to change in Postern. */
const neverWritten: ReadonlySet<string> = new Set(['role_name_refused', 'role_without_cameras']);
