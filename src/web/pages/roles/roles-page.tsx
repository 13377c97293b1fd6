import { useEffect, useState } from 'preact/hooks';
import { bodyOf, camerasApi, recorderRolesApi, rolesApi, type Role } from '../../api-client.ts';
import { defineRole, type DeletedRole } from '../../ui/roles/change-roles.ts';
import { countedUsers, countUsers } from '../../ui/roles/counted-users.ts';
import { ListSearch } from '../../ui/lists/list-search.tsx';
import { FailureNotice, LoadFailure, Loading } from '../../ui/notices.tsx';
import { RecorderState } from './recorder-state.tsx';
import { RolesAtRecorder } from './roles-at-recorder.tsx';
import { builtInRow, customRow } from './role-rows.tsx';
import { SettingsFrame } from '../../ui/settings-frame.tsx';
import { Table } from '../../ui/lists/table.tsx';
import { text } from '../../text.ts';
import { TitledSection } from '../../ui/lists/titled-section.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/forms/use-action.ts';
import { useDialog } from '../../ui/forms/use-dialog.ts';
import { useFilters } from '../../ui/lists/use-filters.ts';
import { useLater } from '../../ui/use-later.ts';
import { useLoaded } from '../../ui/use-loaded.ts';
import { useRows } from '../../ui/lists/use-rows.ts';

type Dialog =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit'; readonly role: Role }
  | { readonly kind: 'delete'; readonly role: Role };

const loadDialogs = () => import('./role-dialogs.tsx');

export function RolesPage() {
  return (
    <SettingsFrame page="roles">
      <Roles />
    </SettingsFrame>
  );
}

async function loadRoles() {
  const [roles, countOf, cameras, recorder] = await Promise.all([
    bodyOf(rolesApi.index.$get()),
    countUsers(),
    bodyOf(camerasApi.index.$get()),
    bodyOf(recorderRolesApi.index.$get()),
  ]);
  return { roles, countOf, cameras, recorder };
}

function Roles() {
  const [state, reload] = useLoaded(loadRoles);
  const [{ search }, setFilters] = useFilters('search');
  const [dialog, open, close] = useDialog<Dialog>('roles');
  const dialogs = useLater(loadDialogs, dialog !== undefined, close);
  const [status, setStatus] = useState('');
  const asking = useAction();
  const all = state.kind === 'loaded' ? state.value.roles : [];
  const matches = (...words: readonly string[]) =>
    words.some((word) => word.toLowerCase().includes(search.toLowerCase()));
  const roles = all.filter(({ name, cameras }) => matches(name, ...cameras));
  const { heading, marked, mark, goes } = useRows(roles.map(({ name }) => name));
  // The pressed button may have disappeared.
  useEffect(() => {
    if (status !== '' && document.activeElement === document.body) heading.current?.focus();
  }, [state, status]);
  if (state.kind === 'loading') return <Loading what={text.roles.what} />;
  if (state.kind === 'failed')
    return <LoadFailure what={text.roles.what} error={state.error} onRetry={reload} />;
  const { countOf, cameras, recorder } = state.value;
  const builtIn = (
    [
      ['admin', text.roles.adminMeans],
      ['viewer', text.roles.viewerMeans],
    ] as const
  ).filter(([name]) => matches(name));
  const askRecorder = () =>
    asking.run(async () => {
      setStatus(text.roles.asking);
      await bodyOf(recorderRolesApi.index.$post());
      const closed = (await bodyOf(rolesApi.index.$get())).filter(
        ({ recorder: found }) => found !== 'verified',
      );
      setStatus(
        closed.length === 0
          ? text.roles.agrees
          : text.roles.closedTo(closed.map(({ name }) => name).join(', ')),
      );
      reload();
    });
  /** The recorder gets the change too, and the page shows the result. */
  const changed = () => {
    reload();
    if (recorder.asked) askRecorder();
  };
  /** Marks a new or changed role. */
  const show = (name: string) => {
    changed();
    // A search may match the role's cameras rather than its name.
    if (!matches(name)) setFilters({ search: '' });
    mark(name);
  };
  const edited = (name: string, former: Role | undefined) => {
    show(name);
    if (former === undefined) return showToast(text.roles.added(name));
    return showToast(text.roles.changed(name), async () => {
      await defineRole(name, former);
      showToast(text.roles.changedBack(name));
      show(name);
    });
  };
  const deleted = (name: string, { users, undo }: DeletedRole) => {
    goes(name);
    changed();
    showToast(
      users === 0 ? text.roles.deleted(name) : text.roles.deletedWith(name, countedUsers(users)),
      undo &&
        (async () => {
          await undo();
          showToast(text.roles.definedAgain(name));
          show(name);
        }),
    );
  };
  const rows = [
    ...builtIn.map(([name, means]) => builtInRow(name, means, countOf(name))),
    ...roles.map((role) =>
      customRow(role, {
        users: countOf(role.name),
        state: <RecorderState role={role} recorder={recorder} busy={asking.busy} onTryAgain={askRecorder} />,
        onEdit: () => open({ kind: 'edit', role }),
        onDelete: () => open({ kind: 'delete', role }),
      }),
    ),
  ];
  return (
    <TitledSection
      id="roles"
      title={text.roles.title}
      heading={heading}
      actions={
        <button type="button" onClick={() => open({ kind: 'add' })}>
          {text.roles.add}
        </button>
      }
    >
      <FailureNotice error={state.error ?? asking.failure} />
      <p class="hidden-text" role="status">
        {status}
      </p>
      {recorder.unread_reason !== null && (
        <p class="notice">
          {text.roles.notWritten} {text.roles.unread[recorder.unread_reason]}
        </p>
      )}
      <ListSearch
        hint={text.roles.searchHint}
        search={search}
        onSearch={(next) => setFilters({ search: next })}
        isFiltered={search !== ''}
        found={rows.length}
      />
      <Table
        what={text.roles.what}
        list={{ kind: 'complete', items: rows, next: null }}
        onRetry={reload}
        empty=""
        onShowAll={() => setFilters({ search: '' })}
        marked={marked}
        shown={(row) => row}
      />
      {all.length === 0 && search === '' && <p class="placeholder">{text.roles.none}</p>}
      {dialogs !== undefined && (dialog?.kind === 'add' || dialog?.kind === 'edit') && (
        <dialogs.EditRole
          role={dialog.kind === 'edit' ? dialog.role : undefined}
          taken={all.map(({ name }) => name)}
          cameras={cameras}
          onClose={close}
          onDone={(name) => edited(name, dialog.kind === 'edit' ? dialog.role : undefined)}
        />
      )}
      {dialogs !== undefined && dialog?.kind === 'delete' && (
        <dialogs.DeleteRole
          role={dialog.role}
          users={countOf(dialog.role.name)}
          managed={recorder.managed}
          onClose={close}
          onDone={(done) => deleted(dialog.role.name, done)}
        />
      )}
      <RolesAtRecorder
        roles={recorder.only_at_recorder}
        onTaken={(name) => {
          showToast(text.roles.tookOver(name));
          show(name);
        }}
      />
    </TitledSection>
  );
}
