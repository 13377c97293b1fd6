import { firstRun } from '#language/first-run';
import { changePassword } from '../../ui/accounts/change-password.ts';
import { EndGivenOut, endedText } from '../../ui/accounts/end-given-out.tsx';
import type { StepProps } from './step-props.ts';
import { NewPassword, OldPassword } from '../../ui/accounts/new-password.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { gatePath } from '../../path-prefix.ts';
import { useProfile } from '../../profile.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/forms/use-action.ts';

export function PasswordStep({ found, onDone }: StepProps) {
  const { username } = useProfile();
  const action = useAction();
  const whose = found.generated_password_of;
  if (whose === null) return <p class="notice success">{firstRun.passwordDone}</p>;
  if (whose !== username) {
    return (
      <p class="notice">
        {firstRun.passwordOf(whose)} <a href={gatePath('/settings/users')}>{firstRun.toUsers}</a>
      </p>
    );
  }
  const change = async (form: FormData) => {
    const changed = await changePassword(username, form);
    showToast(firstRun.passwordChanged + endedText(changed));
    onDone();
  };
  return (
    <Form action={action} onSubmit={change} submit={firstRun.password}>
      <p>{firstRun.passwordWhy}</p>
      <input name="username" autocomplete="username" value={username} readOnly hidden />
      <OldPassword />
      <NewPassword />
      <EndGivenOut />
    </Form>
  );
}
