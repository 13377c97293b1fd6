import { bodyOf, usersApi, userDetailsApi, type User } from '../../api-client.ts';
import { BulkBar, BulkDialog, type Selection } from '../../ui/lists/bulk.tsx';
import { Choice } from '../../ui/forms/field.tsx';
import { fieldOf } from '../../ui/forms/form-action.ts';
import { giveRole } from '../../ui/roles/roles-api.ts';
import { showToast } from '../../ui/toasts.tsx';
import { plural, text, fill } from '../../text.ts';
import { EndGivenOut, keptOf, takenBack } from '../../ui/accounts/end-given-out.tsx';
import { resetFactors } from '../../ui/sign-in/factors-api.ts';
import { FormDialog, type DialogProps } from '../../ui/forms/form-dialog.tsx';

export type BulkKind = 'roles' | 'block-all' | 'unblock-all' | 'delete-all';

/** @returns the selected users to whom the action applies */
function usersFor(kind: BulkKind, users: readonly User[]): readonly User[] {
  if (kind === 'roles') return users.filter(({ provider }) => provider === null);
  if (kind === 'block-all') return users.filter(({ blocked }) => blocked !== 'admin');
  if (kind === 'unblock-all') return users.filter(({ blocked }) => blocked === 'admin');
  return users;
}

/** Actions on several users at once. */
export function BulkUsers(props: {
  readonly selection: Selection;
  readonly users: readonly User[];
  readonly open: (kind: BulkKind) => void;
}) {
  const { selection, users, open } = props;
  const action = (kind: BulkKind, name: string) => ({
    name,
    disabled: usersFor(kind, users).length === 0,
    onClick: () => open(kind),
  });
  return (
    <BulkBar
      selection={selection}
      actions={[
        action('roles', text.users.changeRole),
        usersFor('unblock-all', users).length > 0
          ? action('unblock-all', text.users.unblock)
          : action('block-all', text.users.block),
        { ...action('delete-all', text.users.delete), danger: true },
      ]}
    />
  );
}

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

/** Blocks or unblocks a user. @throws ApiFailure */
export async function setBlocked(username: string, blocked: boolean): Promise<void> {
  await bodyOf(userDetailsApi[':username'].blocked.$put({ param: { username }, json: { blocked } }));
}

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
