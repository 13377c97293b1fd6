import { firstRun } from '#language/first-run';
import { bodyOf, usersApi } from './api-client.ts';
import { EndGivenOut, endedText, keptOf } from './end-given-out.tsx';
import type { StepProps } from './step-props.ts';
import { NewPassword, OldPassword, passwordOf } from './new-password.tsx';
import { fieldOf } from './form-field.ts';
import { FailureNotice } from './notices.tsx';
import { gatePath } from './path-prefix.ts';
import { useProfile } from './profile.ts';
import { tell } from './toasts.tsx';
import { useAction } from './use-action.ts';

export function PasswordStep({ found, onDone }: StepProps) {
  const { username } = useProfile();
  const { busy, failure, run } = useAction();
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
    const json = {
      password: passwordOf(form),
      old_password: fieldOf(form, 'old_password'),
      keep: keptOf(form),
    };
    const changed = await bodyOf(usersApi[':username'].password.$put({ param: { username }, json }));
    tell(firstRun.passwordChanged + endedText(changed));
    onDone();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        run(() => change(form));
      }}
    >
      <p>{firstRun.passwordWhy}</p>
      <input name="username" autocomplete="username" value={username} readOnly hidden />
      <OldPassword />
      <NewPassword />
      <EndGivenOut />
      <FailureNotice error={failure} />
      <button type="submit" disabled={busy} aria-busy={busy}>
        {firstRun.password}
      </button>
    </form>
  );
}
