import { useId } from 'preact/hooks';
import { usersApi, bodyOf, type User } from './api-client.ts';
import { EndGivenOut, endedText, keptOf } from './end-given-out.tsx';
import { FormDialog, type DialogProps } from './form-dialog.tsx';
import { fieldOf } from './form-field.ts';
import { NewPassword, OldPassword, passwordOf } from './new-password.tsx';
import { useProfile } from './profile.ts';
import { giveRole } from './change-roles.ts';
import { text } from './text.ts';
import { providerName } from './provider-name.ts';

type UserDialogProps<Result = void> = DialogProps<Result> & { readonly user: User };

function RoleField(props: {
  readonly roles: readonly string[];
  readonly value: string;
  readonly autofocus?: boolean;
}) {
  const { roles, value, autofocus = false } = props;
  return (
    <label>
      {text.users.role}
      <select name="role" required autofocus={autofocus}>
        {[...new Set([...roles, value])].map((role) => (
          <option key={role} value={role} selected={role === value}>
            {role}
          </option>
        ))}
      </select>
    </label>
  );
}

export function AddUser({
  roles,
  onClose,
  onDone,
}: DialogProps<Pick<User, 'username' | 'role'>> & { readonly roles: readonly string[] }) {
  const hint = useId();
  const add = async (form: FormData) => {
    const json = {
      username: fieldOf(form, 'username'),
      password: passwordOf(form),
      role: fieldOf(form, 'role'),
    };
    return bodyOf(usersApi.index.$post({ json }));
  };
  return (
    <FormDialog
      title={text.users.add}
      submit={text.users.add}
      onClose={onClose}
      onDone={onDone}
      onSubmit={add}
    >
      <label>
        {text.users.name}
        <input
          name="username"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          pattern="(?!\.{1,2}$)[A-Za-z0-9._@\-]{1,64}"
          title={text.users.nameForm}
          maxLength={64}
          autofocus
          aria-describedby={hint}
          required
        />
      </label>
      <small id={hint}>{text.users.nameHint}</small>
      <RoleField roles={roles} value="viewer" />
      <NewPassword label={text.users.password} />
    </FormDialog>
  );
}

/** `onDone` is told the new role. */
export function ChangeRole(props: UserDialogProps<string> & { readonly roles: readonly string[] }) {
  const { user, roles, onClose, onDone } = props;
  const isSelf = useProfile().username === user.username;
  const change = async (form: FormData) => {
    const role = fieldOf(form, 'role');
    await giveRole(user.username, role);
    return role;
  };
  return (
    <FormDialog
      title={text.users.roleOf(user.username)}
      submit={text.users.changeRole}
      onClose={onClose}
      onDone={onDone}
      onSubmit={change}
    >
      <RoleField roles={roles} value={user.role} autofocus />
      <p>
        <small>{isSelf ? text.users.youLogInAgain : text.users.logsInAgain(user.username)}</small>
      </p>
    </FormDialog>
  );
}

/**
 * `onDone` is told what to say.
 * @param isOwn whether it is the account of whoever asks: then the old password is needed
 */
export function ChangeUserPassword(props: UserDialogProps<string> & { readonly isOwn: boolean }) {
  const { user, isOwn, onClose, onDone } = props;
  const { username } = user;
  const change = async (form: FormData) => {
    const json = {
      password: passwordOf(form),
      keep: keptOf(form),
      ...(isOwn && { old_password: fieldOf(form, 'old_password') }),
    };
    const changed = await bodyOf(usersApi[':username'].password.$put({ param: { username }, json }));
    return text.users.passwordChanged(username) + endedText(changed);
  };
  return (
    <FormDialog
      title={text.users.passwordOf(username)}
      submit={text.users.changePassword}
      onClose={onClose}
      onDone={onDone}
      onSubmit={change}
    >
      {isOwn && <OldPassword autofocus />}
      <NewPassword autofocus={!isOwn} />
      <EndGivenOut user={username} />
      <p>
        <small>{text.users.endsSessionsOf(username)}</small>
      </p>
    </FormDialog>
  );
}

export function DeleteUser({ user, onClose, onDone }: UserDialogProps) {
  const remove = async () => {
    await bodyOf(usersApi[':username'].$delete({ param: { username: user.username } }));
  };
  return (
    <FormDialog
      title={text.users.deleteQuestion(user.username)}
      submit={text.users.deleteUser}
      danger
      onClose={onClose}
      onDone={onDone}
      onSubmit={remove}
    >
      <p>{text.users.deleteMeans(user.username)}</p>
      {user.provider !== null && (
        <p class="notice">
          {text.users.deleteOfProvider(user.username, user.provider_label ?? providerName(user.provider))}
        </p>
      )}
    </FormDialog>
  );
}
