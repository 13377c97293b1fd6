import { useRef } from 'preact/hooks';
import { loginApi, rolesApi, usersApi, bodyOf, type User } from './api-client.ts';
import { giveRole } from './change-roles.ts';
import { countedUsers, countUsers } from './counted-users.ts';
import { useFocusNear } from './focus-near.ts';
import { useList } from './list-page.ts';
import { ListSearch } from './list-search.tsx';
import { LoadMore } from './load-more.tsx';
import { FailureNotice, LoadFailure, Loading } from './notices.tsx';
import { NothingFound } from './nothing-found.tsx';
import { useProfile } from './profile.ts';
import { Row, RowAction, useMarked } from './row.tsx';
import { SettingsFrame } from './settings-frame.tsx';
import { text } from './text.ts';
import { tell } from './toasts.tsx';
import { useDialog } from './use-dialog.ts';
import { useFilters } from './use-filters.ts';
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

async function loadAccounts() {
  const [countOf, roles, login] = await Promise.all([
    countUsers(),
    bodyOf(rolesApi.index.$get()),
    bodyOf(loginApi.index.$get()),
  ]);
  return {
    countOf,
    roles: ['admin', 'viewer', ...roles.map(({ name }) => name)],
    usesAccounts: login.enabled,
  };
}

function Users() {
  const [filters, setFilters] = useFilters('search', 'role');
  const { list, loadMore, refresh } = useList<User>(
    (query, options) => usersApi.index.$get({ query }, options),
    filters,
    ({ username }) => username,
  );
  const [accounts, reloadAccounts] = useLoaded(loadAccounts);
  const [dialog, open, close] = useDialog<Dialog>('users');
  const [marked, mark] = useMarked();
  const { username: self } = useProfile();
  const heading = useRef<HTMLHeadingElement>(null);
  const { kind, items: users, error } = list;
  const removes = useFocusNear(
    users.map(({ username }) => username),
    heading,
  );
  const again = () => {
    reloadAccounts();
    void refresh();
  };
  if (accounts.kind === 'failed')
    return <LoadFailure what={text.users.what} error={accounts.error} onRetry={again} />;
  if (kind === 'failed' && users.length === 0)
    return <LoadFailure what={text.users.what} error={error} onRetry={again} />;
  if (accounts.kind === 'loading') return <Loading what={text.users.what} />;

  const { countOf, roles, usesAccounts } = accounts.value;
  const { search, role } = filters;
  const isFiltered = search !== '' || role !== '';
  /** The row is new, or has changed: where it is not among those that are shown, it is looked for. */
  const show = async (name: string) => {
    reloadAccounts();
    const found = await refresh();
    if (found?.some(({ username }) => username === name) === false) setFilters({ search: name, role: '' });
    mark(name);
  };
  const changeRole = (user: User, next: string) => {
    void show(user.username);
    if (next === user.role) return;
    tell(text.users.roleChanged(user.username, next), async () => {
      await giveRole(user.username, user.role);
      tell(text.users.roleBack(user.username, user.role));
      void show(user.username);
    });
  };
  const remove = ({ username }: User) => {
    removes(username);
    tell(text.users.deleted(username));
    again();
  };
  return (
    <section aria-labelledby="users">
      <div class="title-row">
        <h2 id="users" ref={heading} tabIndex={-1}>
          {text.settings.users}
        </h2>
        <button type="button" onClick={() => open({ kind: 'add' })}>
          {text.users.add}
        </button>
      </div>
      <FailureNotice error={accounts.error ?? (kind === 'failed' ? error : undefined)} />
      {!usesAccounts && <p class="notice">{text.users.byProxy}</p>}
      <ListSearch
        hint={text.users.searchHint}
        search={search}
        onSearch={(next) => setFilters({ search: next })}
        isFiltered={isFiltered}
        found={list.total}
      >
        <label>
          {text.users.role}
          <select value={role} onChange={(event) => setFilters({ role: event.currentTarget.value })}>
            <option value="">{text.users.anyRole}</option>
            {[...new Set([...roles, ...(role === '' ? [] : [role])])].map((name) => (
              <option key={name} value={name} selected={name === role}>
                {name} ({countedUsers(countOf(name))})
              </option>
            ))}
          </select>
        </label>
      </ListSearch>
      {kind === 'loading' && users.length === 0 && <Loading what={text.users.what} />}
      {kind === 'complete' &&
        users.length === 0 &&
        (isFiltered ? (
          <NothingFound onShowAll={() => setFilters({ search: '', role: '' })} />
        ) : (
          <p class="placeholder">{text.users.none}</p>
        ))}
      {users.length > 0 && (
        <ul class="rows" aria-busy={kind === 'loading'}>
          {users.map((user) => (
            <UserRow
              key={user.username}
              user={user}
              marked={marked === user.username}
              isLastAdmin={user.role === 'admin' && countOf('admin') === 1}
              open={(next) => open({ kind: next, user })}
            />
          ))}
        </ul>
      )}
      {list.next !== null && <LoadMore busy={kind === 'loading'} onLoad={loadMore} />}
      {dialog?.kind === 'add' && (
        <AddUser
          roles={roles}
          onClose={close}
          onDone={({ username }) => {
            tell(text.users.added(username));
            void show(username);
          }}
        />
      )}
      {dialog?.kind === 'role' && (
        <ChangeRole
          user={dialog.user}
          roles={roles}
          onClose={close}
          onDone={(next) => changeRole(dialog.user, next)}
        />
      )}
      {dialog?.kind === 'password' && (
        <ChangeUserPassword
          user={dialog.user}
          // Whoever a proxy names may be called like an account, and is not its owner.
          isOwn={usesAccounts && dialog.user.username === self}
          onClose={close}
          onDone={(said) => {
            tell(said);
            mark(dialog.user.username);
          }}
        />
      )}
      {dialog?.kind === 'delete' && (
        <DeleteUser user={dialog.user} onClose={close} onDone={() => remove(dialog.user)} />
      )}
    </section>
  );
}

function UserRow(props: {
  readonly user: User;
  readonly marked: boolean;
  readonly isLastAdmin: boolean;
  readonly open: (kind: 'role' | 'password' | 'delete') => void;
}) {
  const { user, marked, isLastAdmin, open } = props;
  const { username, role } = user;
  const isSelf = useProfile().username === username;
  const reason = isLastAdmin ? `protected-${username}` : undefined;
  return (
    <Row name={username} marked={marked}>
      <div class="row-name">
        <strong>{username}</strong> {isSelf && <small>{text.users.you}</small>}
        <div>
          <span class={`badge ${role === 'admin' ? 'strong' : ''}`}>{role}</span>
        </div>
      </div>
      <div class="row-actions">
        <RowAction
          disabled={isLastAdmin}
          aria-describedby={reason}
          aria-label={text.users.changeRoleOf(username)}
          onClick={() => open('role')}
        >
          {text.users.role}
        </RowAction>
        <RowAction aria-label={text.users.changePasswordOf(username)} onClick={() => open('password')}>
          {text.users.password}
        </RowAction>
        <RowAction
          danger
          disabled={isLastAdmin}
          aria-describedby={reason}
          aria-label={text.users.deleteOf(username)}
          onClick={() => open('delete')}
        >
          {text.users.delete}
        </RowAction>
      </div>
      {isLastAdmin && (
        <small class="row-reason" id={reason}>
          {text.users.lastAdmin}
        </small>
      )}
    </Row>
  );
}
