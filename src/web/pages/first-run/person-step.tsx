import { firstRun } from '#language/first-run';
import { useState } from 'preact/hooks';
import { bodyOf, rolesApi } from '../../api-client.ts';
import { NextStep } from './next-step.tsx';
import type { StepProps } from './step-props.ts';
import { FailureNotice } from '../../ui/notices.tsx';
import { text } from '../../text.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/forms/use-action.ts';
import { AddUser } from '../../ui/accounts/user-dialogs.tsx';

export function PersonStep({ found, onDone, skip }: StepProps) {
  const { busy, failure, run } = useAction();
  const [roles, setRoles] = useState<readonly string[]>();
  const isDone = found.steps.some(({ name, done }) => name === 'person' && done);
  const open = async () => {
    const custom = await bodyOf(rolesApi.index.$get());
    setRoles(['admin', 'viewer', ...custom.map(({ name }) => name)]);
  };
  const add = (
    <button
      type="button"
      class={isDone ? 'secondary outline' : ''}
      aria-busy={busy}
      onClick={() => run(open)}
    >
      {text.users.add}
    </button>
  );
  return (
    <>
      <p class="lead">{isDone ? firstRun.personDone : firstRun.personWhy}</p>
      <FailureNotice error={failure} />
      {isDone ? (
        <NextStep onDone={onDone}>{add}</NextStep>
      ) : (
        <p class="step-actions">
          {add}
          {skip}
        </p>
      )}
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
