import { firstRun } from '#language/first-run';
import { useState } from 'preact/hooks';
import { bodyOf, rolesApi } from '../../api-client.ts';
import type { StepProps } from './step-props.ts';
import { FailureNotice } from '../../ui/notices.tsx';
import { text } from '../../text.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/forms/use-action.ts';
import { AddUser } from '../../ui/accounts/user-dialogs.tsx';

export function PersonStep({ found, onDone }: StepProps) {
  const { busy, failure, run } = useAction();
  const [roles, setRoles] = useState<readonly string[]>();
  const isDone = found.steps.some(({ name, done }) => name === 'person' && done);
  const open = async () => {
    const custom = await bodyOf(rolesApi.index.$get());
    setRoles(['admin', 'viewer', ...custom.map(({ name }) => name)]);
  };
  return (
    <>
      {isDone ? <p class="notice success">{firstRun.personDone}</p> : <p>{firstRun.personWhy}</p>}
      <FailureNotice error={failure} />
      <button
        type="button"
        class={isDone ? 'secondary outline' : ''}
        aria-busy={busy}
        onClick={() => run(open)}
      >
        {text.users.add}
      </button>
      {roles !== undefined && (
        <AddUser
          roles={roles}
          onClose={() => setRoles(undefined)}
          onDone={({ username }) => {
            showToast(text.users.added(username));
            onDone();
          }}
        />
      )}
    </>
  );
}
