import type { RecorderRoles, Role } from '../../api-client.ts';
import { fill, text } from '../../text.ts';

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

/** Only a change in the gate can fix these. */
const neverWritten: ReadonlySet<string> = new Set(['role_name_refused', 'role_without_cameras']);
