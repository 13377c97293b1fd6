import { useState } from 'preact/hooks';
import { loginApi, rolesApi, usersApi, bodyOf, type User } from './api-client.ts';
import { endedText } from './end-tokens.tsx';
import { FailureNotice, LoadFailure, Loading } from './notices.tsx';
import { useProfile } from './profile.ts';
import { SettingsFrame } from './settings-frame.tsx';
import { tell } from './toasts.tsx';
import { useLoaded } from './use-loaded.ts';
import { AddUser, ChangeRole, ChangeUserPassword, DeleteUser } from './user-dialogs.tsx';

type Dialog =
  | { readonly kind: 'add' }
  | { readonly kind: 'role' | 'password' | 'delete'; readonly user: User };

export function UsersPage() {
  return (
    <SettingsFrame page="users">
      <Users />
    </SettingsFrame>
  );
}

async function loadUsers() {
  const [users, roles, login] = await Promise.all([
    bodyOf(usersApi.index.$get({ query: {} })),
    bodyOf(rolesApi.index.$get()),
    bodyOf(loginApi.index.$get()),
  ]);
  return { users, roles: ['admin', 'viewer', ...roles.map(({ name }) => name)], usesAccounts: login.enabled };
}

function Users() {
  const [state, reload] = useLoaded(loadUsers);
  const [dialog, setDialog] = useState<Dialog>();
  if (state.kind === 'loading') return <Loading what="users" />;
  if (state.kind === 'failed') return <LoadFailure what="users" error={state.error} onRetry={reload} />;
  const { users, roles, usesAccounts } = state.value;
  const admins = users.filter(({ role }) => role === 'admin');
  const close = () => setDialog(undefined);
  return (
    <section aria-labelledby="users">
      <div class="title-row">
        <h2 id="users">Users</h2>
        <button type="button" onClick={() => setDialog({ kind: 'add' })}>
          Add user
        </button>
      </div>
      <FailureNotice error={state.error} />
      {!usesAccounts && (
        <p class="notice">The proxy in front logs users in: these accounts are not used at the moment.</p>
      )}
      {users.length === 0 ? (
        <p class="placeholder">There are no users.</p>
      ) : (
        <ul class="rows">
          {users.map((user) => (
            <UserRow
              key={user.username}
              user={user}
              isLastAdmin={admins.length === 1 && user.role === 'admin'}
              open={(kind) => setDialog({ kind, user })}
            />
          ))}
        </ul>
      )}
      {dialog?.kind === 'add' && <AddUser roles={roles} onClose={close} onDone={reload} />}
      {dialog?.kind === 'role' && (
        <ChangeRole user={dialog.user} roles={roles} onClose={close} onDone={reload} />
      )}
      {dialog?.kind === 'password' && (
        <ChangeUserPassword
          user={dialog.user}
          onClose={close}
          onDone={reload}
          onChanged={(ended) =>
            tell(`The password of ${dialog.user.username} is changed.${endedText(ended)}`)
          }
        />
      )}
      {dialog?.kind === 'delete' && <DeleteUser user={dialog.user} onClose={close} onDone={reload} />}
    </section>
  );
}

function UserRow(props: {
  readonly user: User;
  readonly isLastAdmin: boolean;
  readonly open: (kind: 'role' | 'password' | 'delete') => void;
}) {
  const { user, isLastAdmin, open } = props;
  const isSelf = useProfile().username === user.username;
  const reason = isLastAdmin ? `protected-${user.username}` : undefined;
  return (
    <li>
      <div class="row-name">
        <strong>{user.username}</strong> {isSelf && <small>(you)</small>}
        <div>
          <span class={`badge ${user.role === 'admin' ? 'strong' : ''}`}>{user.role}</span>
        </div>
      </div>
      <div class="row-actions">
        <button
          type="button"
          class="secondary outline"
          disabled={isLastAdmin}
          aria-describedby={reason}
          aria-label={`Change role of ${user.username}`}
          onClick={() => open('role')}
        >
          Role
        </button>
        <button
          type="button"
          class="secondary outline"
          aria-label={`Change password of ${user.username}`}
          onClick={() => open('password')}
        >
          Password
        </button>
        <button
          type="button"
          class="danger outline"
          disabled={isLastAdmin}
          aria-describedby={reason}
          aria-label={`Delete ${user.username}`}
          onClick={() => open('delete')}
        >
          Delete
        </button>
      </div>
      {isLastAdmin && (
        <small class="row-reason" id={reason}>
          {lastAdminReason}
        </small>
      )}
    </li>
  );
}

/** Somebody must be left who can manage users. */
const lastAdminReason =
  'The last admin must stay an admin and cannot be deleted: make another user admin first.';
