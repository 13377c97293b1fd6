import { useState } from 'preact/hooks';
import {
  loginApi,
  rolesApi,
  peopleApi,
  userDetailsApi,
  bodyOf,
  type User,
  type MadeInvitation,
} from '../../api-client.ts';
import { BulkPeople } from './bulk-people.tsx';
import { setBlocked, type BulkKind } from '../../ui/people/bulk-kinds.ts';
import { roleText } from '../../ui/roles/role-access.ts';
import { giveRole, readCounts } from '../../ui/roles/roles-api.ts';
import { useList } from '../../ui/lists/use-pages.ts';
import { ListSearch, useFilters } from '../../ui/lists/list-search.tsx';
import { isOn } from '../../ui/page-marks.ts';
import { FailureNotice, LoadFailure, Loading } from '../../ui/notices.tsx';
import { isAnonymous, useProfile } from '../../profile.ts';
import { AdminsOnly, TitledSection } from '../../ui/section.tsx';
import { Table, useRows } from '../../ui/lists/table.tsx';
import { fill, text } from '../../text.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useDialog, useLater } from '../../ui/forms/use-dialog.ts';
import { useLoaded } from '../../ui/loading.ts';
import { UserFilters, peopleColumns, type UserAction } from './people-list.tsx';
import { useSelection } from '../../ui/lists/bulk.tsx';

type Dialog =
  | { readonly kind: 'add' | 'invite' }
  | { readonly kind: UserAction; readonly user: User }
  | { readonly kind: BulkKind; readonly users: readonly User[] };

export function PeoplePage() {
  return (
    <AdminsOnly title={text.people.title}>
      <div class="people-page">
        <People />
      </div>
    </AdminsOnly>
  );
}

const loadInviting = () => import('../../ui/people/invite.tsx');
const loadDialogs = () => import('../../ui/people/user-dialogs.tsx');
const loadInvitations = async () => (await import('./open-invitations.tsx')).OpenInvitations;

async function loadAccounts() {
  const [people, counts, roles, login] = await Promise.all([
    bodyOf(peopleApi.index.$get()),
    readCounts(),
    bodyOf(rolesApi.index.$get()),
    bodyOf(loginApi.index.$get()),
  ]);
  return {
    people: new Map(people.map((person) => [person.account === null ? null : person.name, person])),
    counts,
    roles: ['admin', 'viewer', ...roles.map(({ name }) => name)],
    usesAccounts: login.enabled,
  };
}

const filterNames = ['search', 'role', 'provider', 'blocked'] as const;
// The API's own order.
const byName = 'name';
const noFilters = { search: '', role: '', provider: '', blocked: '' };

const isActiveAdmin = ({ role, blocked }: User) => role === 'admin' && !blocked;

/** Everyone with an account, and everyone who is invited. */
function People() {
  const [{ sort, ...filters }, setFilters] = useFilters(...filterNames, 'sort');
  const { list, loadMore, refresh } = useList<User>(
    (query, options) => userDetailsApi.index.$get({ query }, options),
    filters,
    ({ username }) => username,
    sort !== '',
  );
  const [accounts, reloadAccounts] = useLoaded(loadAccounts);
  const [dialog, open, close] = useDialog<Dialog>('users');
  const [made, setMade] = useState<MadeInvitation>();
  const inviting = useLater(loadInviting, dialog?.kind === 'invite' || made !== undefined, close);
  const dialogs = useLater(loadDialogs, dialog !== undefined && dialog.kind !== 'invite', close);
  const OpenInvitations = useLater(loadInvitations, isOn('invitations'), () => undefined);
  const users = list.items;
  const profile = useProfile();
  const { username: self } = profile;
  const selection = useSelection(users.map(({ username }) => username).filter((name) => name !== self));
  const { heading, marked, mark, goes } = useRows(users.map(({ username }) => username));
  const again = () => {
    reloadAccounts();
    void refresh();
  };
  if (accounts.kind === 'failed')
    return <LoadFailure what={text.people.what} error={accounts.error} onRetry={again} />;
  if (accounts.kind === 'loading') return <Loading what={text.people.what} />;

  const { people, counts, roles, usesAccounts } = accounts.value;
  // Rows and counts load separately, so the list may already show two.
  const isOneAdmin = counts.active_admins === 1 && users.filter(isActiveAdmin).length === 1;
  const selected = users.filter(({ username }) => selection.keys.includes(username));
  const isFiltered = filterNames.some((name) => filters[name] !== '');
  // Belongs to this rendering: a dialog keeps the one it was sent by.
  const searched = location.search;
  /**
   * Marks a new or changed row; if it is not shown, searches for it, unless other filters were chosen meanwhile.
   * @param before the filters when the change began
   */
  const show = async (name: string, before = searched) => {
    reloadAccounts();
    const found = await refresh();
    if (found?.some(({ username }) => username === name) === false && location.search === before)
      setFilters({ ...noFilters, search: name });
    mark(name);
  };
  const changeRole = (user: User, next: string) => {
    void show(user.username);
    if (next === user.role) return;
    showToast(fill(text.users.roleChanged, { user: user.username, role: next }), async () => {
      const before = location.search;
      await giveRole(user.username, user.role);
      showToast(fill(text.users.roleBack, { user: user.username, role: roleText(user.role) }));
      void show(user.username, before);
    });
  };
  const block = ({ username }: User, blocked: boolean) => {
    showToast(fill(blocked ? text.users.blocked : text.users.unblocked, { user: username }), async () => {
      const before = location.search;
      await setBlocked(username, !blocked);
      showToast(fill(blocked ? text.users.unblocked : text.users.blocked, { user: username }));
      void show(username, before);
    });
    void show(username);
  };
  const remove = ({ username }: User) => {
    goes(username);
    showToast(fill(text.users.deleted, { user: username }));
    again();
  };
  return (
    <TitledSection
      page
      id="users"
      title={text.people.title}
      heading={heading}
      actions={
        <div class="title-actions">
          <button type="button" class="secondary outline" onClick={() => open({ kind: 'add' })}>
            {text.users.add}
          </button>
          {/* An invitation has a maker, which the internal entry point does not know. */}
          {usesAccounts && !isAnonymous(profile) && isOn('invitations') && (
            <button type="button" onClick={() => open({ kind: 'invite' })}>
              {text.users.invite}
            </button>
          )}
        </div>
      }
    >
      <FailureNotice error={accounts.error} />
      {!usesAccounts && <p class="notice">{text.users.byProxy}</p>}
      <div class="list-tools">
        <ListSearch
          hint={text.users.searchHint}
          search={filters.search}
          onSearch={(next) => setFilters({ search: next })}
          isFiltered={isFiltered}
          found={list.total}
        >
          <UserFilters filters={filters} setFilters={setFilters} roles={roles} counts={counts} />
        </ListSearch>
        <BulkPeople selection={selection} users={selected} open={(kind) => open({ kind, users: selected })} />
      </div>
      <Table
        what={text.people.what}
        list={list}
        onRetry={again}
        onMore={loadMore}
        empty={text.users.none}
        onShowAll={isFiltered ? () => setFilters(noFilters) : undefined}
        marked={marked}
        caption={text.people.title}
        sorting={{
          sort: sort || byName,
          onSort: (next) => setFilters({ sort: next === byName ? '' : next }),
        }}
        selection={selection}
        shown={peopleColumns({
          self,
          personOf: (username) => people.get(username),
          isLastAdmin: (user) => isOneAdmin && isActiveAdmin(user),
          open: (kind, user) => open({ kind, user }),
        })}
      />
      {usesAccounts && OpenInvitations !== undefined && <OpenInvitations key={made?.id} />}
      {inviting !== undefined && dialog?.kind === 'invite' && (
        <inviting.InviteSomeone
          roles={roles}
          onClose={close}
          onDone={(made) => {
            reloadAccounts();
            setMade(made);
          }}
        />
      )}
      {inviting !== undefined && made !== undefined && (
        <inviting.InvitationLink made={made} onClose={() => setMade(undefined)} />
      )}
      {dialogs !== undefined && dialog?.kind === 'add' && (
        <dialogs.AddUser
          roles={roles}
          onClose={close}
          onDone={({ username }) => {
            showToast(fill(text.users.added, { user: username }));
            void show(username);
          }}
        />
      )}
      {dialogs !== undefined && dialog !== undefined && 'users' in dialog && (
        <dialogs.BulkUsersDialog
          kind={dialog.kind}
          users={dialog.users}
          roles={roles}
          onClose={close}
          onSome={() => {
            selection.clear();
            again();
          }}
        />
      )}
      {dialogs !== undefined && dialog?.kind === 'role' && (
        <dialogs.ChangeRole
          user={dialog.user}
          roles={roles}
          onClose={close}
          onDone={(next) => changeRole(dialog.user, next)}
        />
      )}
      {dialogs !== undefined && dialog?.kind === 'password' && (
        <dialogs.ChangeUserPassword
          user={dialog.user}
          // A proxy's user may have the name of an account without owning it.
          isOwn={usesAccounts && dialog.user.username === self}
          onClose={close}
          onDone={(message) => {
            showToast(message);
            mark(dialog.user.username);
          }}
        />
      )}
      {dialogs !== undefined && dialog?.kind === 'block' && (
        <dialogs.BlockUser user={dialog.user} onClose={close} onDone={() => block(dialog.user, true)} />
      )}
      {dialogs !== undefined && dialog?.kind === 'unblock' && (
        <dialogs.UnblockUser user={dialog.user} onClose={close} onDone={() => block(dialog.user, false)} />
      )}
      {dialogs !== undefined && dialog?.kind === 'reset' && (
        <dialogs.ResetFactors
          user={dialog.user}
          onClose={close}
          onDone={() => {
            showToast(fill(text.users.factorsReset, { user: dialog.user.username }));
            void show(dialog.user.username);
          }}
        />
      )}
      {dialogs !== undefined && dialog?.kind === 'delete' && (
        <dialogs.DeleteUser user={dialog.user} onClose={close} onDone={() => remove(dialog.user)} />
      )}
    </TitledSection>
  );
}
