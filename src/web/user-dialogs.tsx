import { useId } from 'preact/hooks';
import { usersApi, bodyOf, type User } from './api-client.ts';
import { EndTokens, keepsTokens } from './end-tokens.tsx';
import { FormDialog, type DialogProps } from './form-dialog.tsx';
import { fieldOf } from './form-field.ts';
import { NewPassword, passwordOf } from './new-password.tsx';
import { useProfile } from './profile.ts';

type UserDialogProps = DialogProps & { readonly user: User };

function RoleField(props: {
  readonly roles: readonly string[];
  readonly value: string;
  readonly autofocus?: boolean;
}) {
  const { roles, value, autofocus = false } = props;
  return (
    <label>
      Role
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

export function AddUser({ roles, onClose, onDone }: DialogProps & { readonly roles: readonly string[] }) {
  const hint = useId();
  const add = async (form: FormData) => {
    const json = {
      username: fieldOf(form, 'username'),
      password: passwordOf(form),
      role: fieldOf(form, 'role'),
    };
    await bodyOf(usersApi.index.$post({ json }));
  };
  return (
    <FormDialog title="Add user" submit="Add user" onClose={onClose} onDone={onDone} onSubmit={add}>
      <label>
        User name
        <input
          name="username"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          pattern="[A-Za-z0-9._@\-]{1,64}"
          title="1 to 64 letters, digits, dots, underscores, @ and hyphens"
          maxLength={64}
          autofocus
          aria-describedby={hint}
          required
        />
      </label>
      <small id={hint}>Letters, digits, dots, underscores, @ and hyphens.</small>
      <RoleField roles={roles} value="viewer" />
      <NewPassword label="Password" />
    </FormDialog>
  );
}

export function ChangeRole(props: UserDialogProps & { readonly roles: readonly string[] }) {
  const { user, roles, onClose, onDone } = props;
  const isSelf = useProfile().username === user.username;
  const change = async (form: FormData) => {
    const param = { username: user.username };
    await bodyOf(usersApi[':username'].role.$put({ param, json: { role: fieldOf(form, 'role') } }));
  };
  return (
    <FormDialog
      title={`Role of ${user.username}`}
      submit="Change role"
      onClose={onClose}
      onDone={onDone}
      onSubmit={change}
    >
      <RoleField roles={roles} value={user.role} autofocus />
      <p>
        <small>
          {isSelf
            ? 'This is you: you will have to log in again.'
            : `${user.username} will have to log in again.`}
        </small>
      </p>
    </FormDialog>
  );
}

export function ChangeUserPassword(
  props: UserDialogProps & {
    /** Told how many API tokens have ended. */
    readonly onChanged: (ended: number) => void;
  },
) {
  const { user, onClose, onDone, onChanged } = props;
  const change = async (form: FormData) => {
    const param = { username: user.username };
    const json = { password: passwordOf(form), keep_api_tokens: keepsTokens(form) };
    const changed = await bodyOf(usersApi[':username'].password.$put({ param, json }));
    onChanged(changed.api_tokens_ended);
  };
  return (
    <FormDialog
      title={`Password of ${user.username}`}
      submit="Change password"
      onClose={onClose}
      onDone={onDone}
      onSubmit={change}
    >
      <NewPassword autofocus />
      <EndTokens label={`End the API tokens of ${user.username} too`} />
      <p>
        <small>This ends every session of {user.username}.</small>
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
      title={`Delete ${user.username}?`}
      submit="Delete user"
      danger
      onClose={onClose}
      onDone={onDone}
      onSubmit={remove}
    >
      <p>
        <strong>{user.username}</strong> can no longer log in, and every session and API token ends at once.
        This cannot be undone.
      </p>
    </FormDialog>
  );
}
