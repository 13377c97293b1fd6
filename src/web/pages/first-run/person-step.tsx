import { useState } from 'preact/hooks';
import { bodyOf, rolesApi } from '../../api-client.ts';
import { NextStep } from './next-step.tsx';
import type { StepProps } from './step-props.ts';
import { FailureNotice } from '../../ui/notices.tsx';
import { fill, text } from '../../text.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/forms/form-action.ts';

const firstRun = text.firstRun;

async function load() {
  const [custom, { AddUser }] = await Promise.all([
    bodyOf(rolesApi.index.$get()),
    import('../../ui/accounts/user-dialogs.tsx'),
  ]);
  return { roles: ['admin', 'viewer', ...custom.map(({ name }) => name)], AddUser };
}

export function PersonStep({ found, onDone, skip }: StepProps) {
  const { busy, failure, run } = useAction();
  const [dialog, setDialog] = useState<Awaited<ReturnType<typeof load>>>();
  const isDone = found.steps.some(({ name, done }) => name === 'person' && done);
  const add = (
    <button
      type="button"
      class={isDone ? 'secondary outline' : ''}
      aria-busy={busy}
      onClick={() => run(async () => setDialog(await load()))}
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
      {dialog !== undefined && (
        <dialog.AddUser
          roles={dialog.roles}
          onClose={() => setDialog(undefined)}
          onDone={({ username }) => {
            showToast(fill(text.users.added, { user: username }));
            onDone();
          }}
        />
      )}
    </>
  );
}
