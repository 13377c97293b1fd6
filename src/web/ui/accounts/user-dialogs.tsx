import { roleText } from '../roles/role-access.ts';
import { usersApi, bodyOf, type User } from '../../api-client.ts';
import { changePassword, NewPassword, OldPassword, passwordOf } from './new-password.tsx';
import { EndGivenOut, endedText } from './end-given-out.tsx';
import { asTyped, Choice, Field } from '../forms/field.tsx';
import { FormDialog, type DialogProps } from '../forms/form-dialog.tsx';
import { providerName } from './provider-name.ts';
import { fieldOf } from '../forms/form-action.ts';
import { useProfile } from '../../profile.ts';
import { giveRole } from '../roles/roles-api.ts';
import { fill, text } from '../../text.ts';

type UserDialogProps<Result = void> = DialogProps<Result> & { readonly user: User };

function RoleField(props: {
  readonly roles: readonly string[];
  readonly value: string;
  readonly autofocus?: boolean;
}) {
  const { roles, value, autofocus = false } = props;
  const options = [...new Set([...roles, value])].map((role) => [role, roleText(role)] as const);
  return (
    <Choice
      label={text.users.role}
      name="role"
      options={options}
      value={value}
      autofocus={autofocus}
      required
    />
  );
}

export function AddUser(
  props: DialogProps<Pick<User, 'username' | 'role'>> & { readonly roles: readonly string[] },
) {
  const { roles, ...dialog } = props;
  const add = async (form: FormData) => {
    const json = {
      username: fieldOf(form, 'username'),
      password: passwordOf(form),
      role: fieldOf(form, 'role'),
    };
    return bodyOf(usersApi.index.$post({ json }));
  };
  return (
    <FormDialog title={text.users.add} submit={text.users.add} onSubmit={add} {...dialog}>
      <Field
        label={text.users.name}
        hint={text.users.nameHint}
        {...asTyped}
        name="username"
        pattern="(?!\.{1,2}$)[A-Za-z0-9._@\-]{1,64}"
        title={text.users.nameForm}
        maxLength={64}
        autofocus
        required
      />
      <RoleField roles={roles} value="viewer" />
      <NewPassword label={text.users.password} />
    </FormDialog>
  );
}

/** `onDone` gets the new role. */
export function ChangeRole(props: UserDialogProps<string> & { readonly roles: readonly string[] }) {
  const { user, roles, ...dialog } = props;
  const isSelf = useProfile().username === user.username;
  const change = async (form: FormData) => {
    const role = fieldOf(form, 'role');
    await giveRole(user.username, role);
    return role;
  };
  return (
    <FormDialog
      title={fill(text.users.roleOf, { user: user.username })}
      submit={text.users.changeRole}
      onSubmit={change}
      {...dialog}
    >
      <RoleField roles={roles} value={user.role} autofocus />
      <p>
        <small>
          {isSelf ? text.users.youLogInAgain : fill(text.users.logsInAgain, { user: user.username })}
        </small>
      </p>
    </FormDialog>
  );
}

/** `onDone` gets the message to show. @param isOwn for the user's own account, which needs the old password */
export function ChangeUserPassword(props: UserDialogProps<string> & { readonly isOwn: boolean }) {
  const { user, isOwn, ...dialog } = props;
  const { username } = user;
  const change = async (form: FormData) =>
    fill(text.users.passwordChanged, { user: username }) + endedText(await changePassword(username, form));
  return (
    <FormDialog
      title={fill(text.users.passwordOf, { user: username })}
      submit={text.users.changePassword}
      onSubmit={change}
      {...dialog}
    >
      {isOwn && <OldPassword autofocus />}
      <NewPassword autofocus={!isOwn} />
      <EndGivenOut user={username} />
      <p>
        <small>{fill(text.users.endsSessionsOf, { user: username })}</small>
      </p>
    </FormDialog>
  );
}

export function DeleteUser({ user, ...dialog }: UserDialogProps) {
  const { username, provider } = user;
  const remove = async () => {
    await bodyOf(usersApi[':username'].$delete({ param: { username } }));
  };
  return (
    <FormDialog
      title={fill(text.users.deleteQuestion, { user: username })}
      submit={text.users.deleteUser}
      danger
      onSubmit={remove}
      {...dialog}
    >
      <p>{fill(text.users.deleteMeans, { user: username })}</p>
      {provider !== null && (
        <p class="notice">
          {fill(text.users.deleteOfProvider, {
            user: username,
            provider: user.provider_label ?? providerName(provider),
          })}
        </p>
      )}
    </FormDialog>
  );
}
