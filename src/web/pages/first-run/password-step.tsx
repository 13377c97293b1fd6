import { changePassword, NewPassword, OldPassword } from '../../ui/accounts/new-password.tsx';
import { endedText, takenBack } from '../../ui/accounts/end-given-out.tsx';
import type { StepProps } from './step-props.ts';
import { Form } from '../../ui/forms/form.tsx';
import { gatePath } from '../../path-prefix.ts';
import { NextStep } from './next-step.tsx';
import { useProfile } from '../../profile.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/forms/form-action.ts';
import { fill, text } from '../../text.ts';

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
          {whose !== null && <a href={gatePath('/settings/users')}>{firstRun.toUsers}</a>}
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
