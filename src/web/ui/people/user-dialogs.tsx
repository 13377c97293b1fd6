import { bodyOf, usersApi, type User } from '../../api-client.ts';
import { BulkDialog } from '../lists/bulk.tsx';
import { Choice } from '../forms/field.tsx';
import { fieldOf } from '../forms/form-action.ts';
import { giveRole } from '../roles/roles-api.ts';
import { showToast } from '../toasts.tsx';
import { plural, text, fill } from '../../text.ts';
import { EndGivenOut, keptOf, takenBack } from '../accounts/end-given-out.tsx';
import { resetFactors } from '../sign-in/factors-api.ts';
import { FormDialog, type DialogProps } from '../forms/form-dialog.tsx';

import { setBlocked, usersFor, type BulkKind } from './bulk-kinds.ts';

export { AddUser, ChangeRole, ChangeUserPassword, DeleteUser } from '../accounts/user-dialogs.tsx';

export function BulkUsersDialog(props: {
  readonly kind: BulkKind;
  readonly users: readonly User[];
  readonly roles: readonly string[];
  readonly onClose: () => void;
  /** Some were done, or all. */
  readonly onSome: () => void;
}) {
  const { kind, users, roles, onClose, onSome } = props;
  const words = text.users;
  const frame = {
    entries: usersFor(kind, users),
    nameOf: ({ username }: User) => username,
    onClose,
    onSome,
  };
  if (kind === 'roles') {
    let given = '';
    return (
      <BulkDialog
        {...frame}
        title={words.roleOfMany}
        submit={words.changeRole}
        work={async ({ username }, form) => {
          given = fieldOf(form, 'role');
          await giveRole(username, given);
        }}
        onDone={(count) => showToast(plural(words.rolesChanged, count, { role: given }))}
      >
        <Choice
          label={words.role}
          name="role"
          options={roles.map((role) => [role, role] as const)}
          value="viewer"
          autofocus
          required
        />
        <p>
          <small>{words.roleOfManyMeans}</small>
        </p>
      </BulkDialog>
    );
  }
  if (kind === 'delete-all') {
    return (
      <BulkDialog
        {...frame}
        title={words.deleteMany}
        submit={words.delete}
        danger
        work={async ({ username }) =>
          void (await bodyOf(usersApi[':username'].$delete({ param: { username } })))
        }
        onDone={(count) => showToast(plural(words.deletedMany, count))}
      >
        <p>{words.deleteManyMeans}</p>
      </BulkDialog>
    );
  }
  const blocks = kind === 'block-all';
  return (
    <BulkDialog
      {...frame}
      title={blocks ? words.blockMany : words.unblockMany}
      submit={blocks ? words.block : words.unblock}
      danger={blocks}
      work={({ username }) => setBlocked(username, blocks)}
      onDone={(count) => showToast(plural(blocks ? words.blockedMany : words.unblockedMany, count))}
    >
      <p>{blocks ? words.blockManyMeans : words.unblockManyMeans}</p>
    </BulkDialog>
  );
}

type UserDialogProps = DialogProps & { readonly user: User };

export function BlockUser({ user, ...dialog }: UserDialogProps) {
  const { username } = user;
  return (
    <FormDialog
      title={fill(text.users.blockQuestion, { user: username })}
      submit={text.users.blockUser}
      danger
      onSubmit={() => setBlocked(username, true)}
      {...dialog}
    >
      <p>{fill(text.users.blockMeans, { user: username })}</p>
    </FormDialog>
  );
}

export function UnblockUser({ user, ...dialog }: UserDialogProps) {
  const { username } = user;
  return (
    <FormDialog
      title={fill(text.users.unblockQuestion, { user: username })}
      submit={text.users.unblockUser}
      onSubmit={() => setBlocked(username, false)}
      {...dialog}
    >
      <p>{fill(text.users.unblockMeans, { user: username })}</p>
    </FormDialog>
  );
}

export function ResetFactors({ user, ...dialog }: UserDialogProps) {
  const { username } = user;
  return (
    <FormDialog
      title={fill(text.users.resetFactorsQuestion, { user: username })}
      submit={text.users.resetFactorsNow}
      danger
      onSubmit={async (form) => void (await resetFactors(username, keptOf(form)))}
      {...dialog}
    >
      <p>{fill(text.users.resetFactorsMeans, { user: username })}</p>
      <EndGivenOut user={username} chosen={takenBack} />
    </FormDialog>
  );
}
