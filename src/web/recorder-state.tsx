import type { RecorderRoles, Role } from './api-client.ts';
import { recorderText } from './recorder-text.ts';

interface RecorderStateProps {
  readonly role: Role;
  readonly recorder: RecorderRoles;
  /** The recorder is being asked. */
  readonly busy: boolean;
  readonly onTryAgain: () => void;
}

/** What the recorder makes of a role, and what that means for its lists. */
export function RecorderState({ role, recorder, busy, onTryAgain }: RecorderStateProps) {
  const unknown = recorder.unknown_cameras.find(({ name }) => name === role.name)?.cameras ?? [];
  if (role.recorder === 'verified')
    return recorder.asked ? (
      <p class="role-lists">
        <span class="badge success">The recorder agrees</span>{' '}
        {unknown.length > 0 && <small>It knows no {unknown.join(', ')}.</small>}
      </p>
    ) : null;
  const refusal = recorder.refusals.find(({ name }) => name === role.name);
  const isAsked = recorder.asked && !neverWritten.has(role.recorder_reason);
  return (
    <p class="role-lists">
      <span class="badge failure">Lists closed</span>{' '}
      <small>
        {recorderText[role.recorder_reason]}
        {refusal !== undefined && ` It says: ${refusal.recorder_says}`}
      </small>{' '}
      {isAsked && (
        <button
          type="button"
          class="secondary outline"
          aria-label={`Try again: ${role.name}`}
          aria-busy={busy}
          onClick={onTryAgain}
        >
          Try again
        </button>
      )}
    </p>
  );
}

/** The gate has to change first. */
const neverWritten: ReadonlySet<string> = new Set(['role_name_refused', 'role_without_cameras']);
