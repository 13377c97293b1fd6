import type { ComponentChildren } from 'preact';
import { changePassword, NewPassword, OldPassword } from '../../ui/accounts/new-password.tsx';
import { endedText, takenBack } from '../../ui/accounts/end-given-out.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { gatePath } from '../../path-prefix.ts';
import { useProfile } from '../../profile.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/forms/form-action.ts';
import { fill, text } from '../../text.ts';
import { bodyOf, appearanceApi, firstRunApi, type FirstRun } from '../../api-client.ts';
import { LoadFailure, Loading } from '../../ui/notices.tsx';
import { useLoaded } from '../../ui/loading.ts';
import { RecorderPlace } from '../../ui/recorder/recorder-place.tsx';

const firstRun = text.firstRun;

export function PasswordStep({ found, onDone, skip }: StepProps) {
  const { username } = useProfile();
  const action = useAction();
  const whose = found.generated_password_of;
  if (whose !== username) {
    return (
      <>
        <p class="lead">
          {whose === null ? firstRun.passwordDone : fill(firstRun.passwordOf, { user: whose })}{' '}
          {whose !== null && <a href={gatePath('/people')}>{firstRun.toUsers}</a>}
        </p>
        <NextStep onDone={onDone} />
      </>
    );
  }
  const change = async (form: FormData) => {
    // Someone who has read the log may have used it already.
    for (const kind of takenBack) form.set(`end_${kind}`, 'on');
    showToast(firstRun.passwordChanged + endedText(await changePassword(username, form)));
    onDone();
  };
  return (
    <>
      <p class="lead">{firstRun.passwordWhy}</p>
      <Form action={action} onSubmit={change} submit={firstRun.savePassword} below={skip}>
        <input name="username" autocomplete="username" value={username} readOnly hidden />
        <OldPassword />
        <NewPassword />
      </Form>
    </>
  );
}

export function RecorderStep({ onChange, onDone, skip }: StepProps) {
  return <RecorderPlace onChange={onChange} next={<NextStep onDone={onDone} />} skip={skip} id="step" />;
}

async function loadFaceForm() {
  const [face, { FaceForm }] = await Promise.all([
    bodyOf(appearanceApi.index.$get()),
    import('../../ui/face-form.tsx'),
  ]);
  return { face, FaceForm };
}

/** Name and colour of the house. Users who keep Postern's are not asked again. */
export function FaceStep({ onDone }: StepProps) {
  const words = text.appearance;
  const [state, reload] = useLoaded(loadFaceForm);
  const { busy, run } = useAction();
  if (state.kind === 'loading') return <Loading what={words.what} />;
  if (state.kind === 'failed') return <LoadFailure what={words.what} error={state.error} onRetry={reload} />;
  const { face, FaceForm } = state.value;
  const keep = async () => {
    await bodyOf(firstRunApi.index.$post({ json: { fact: 'face' } }));
    onDone();
  };
  return (
    <>
      <p class="lead">{words.hint}</p>
      <FaceForm
        face={face}
        submit={firstRun.saveFace}
        onSaved={() => {
          onDone();
          // The colour stands in the page's own HTML.
          location.reload();
        }}
        beside={
          <button type="button" class="quiet" aria-busy={busy} onClick={() => run(keep)}>
            {firstRun.keepFace}
          </button>
        }
      />
    </>
  );
}

/** The props of each setup step. */
export interface StepProps {
  readonly found: FirstRun;
  /** Something has changed: reload the steps. */
  readonly onChange: () => void;
  /** On to the next step. */
  readonly onDone: () => void;
  /** A button that leaves the step as it is; it stands beside the step's own. */
  readonly skip: ComponentChildren;
}

/** On to the next step, and what else there is to do. */
function NextStep(props: { readonly onDone: () => void; readonly children?: ComponentChildren }) {
  return (
    <p class="step-actions">
      <button type="button" onClick={props.onDone}>
        {firstRun.next}
      </button>
      {props.children}
    </p>
  );
}
