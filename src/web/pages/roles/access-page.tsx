import { useEffect, useState } from 'preact/hooks';
import { Fragment } from 'preact';
import { bodyOf, recorderRolesApi, type RecorderRoles, type Role } from '../../api-client.ts';
import { defineRole, countedUsers } from '../../ui/roles/roles-api.ts';
import { FailureNotice, LoadFailure, Loading } from '../../ui/notices.tsx';
import type { EditedRole } from './role-dialogs.tsx';
import { SettingsFrame, TitledSection } from '../../ui/section.tsx';
import { fill, text } from '../../text.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/forms/form-action.ts';
import { useDialog, useLater } from '../../ui/forms/use-dialog.ts';
import { useFilters } from '../../ui/lists/list-search.tsx';
import { useLoaded } from '../../ui/loading.ts';
import { useRows } from '../../ui/lists/table.tsx';
import { loadAccess } from './access-rows.ts';
import { numberText } from '../../ui/words.ts';
import { mayOf, type PaneStates } from '../../ui/roles/role-access.ts';
import { personPath, rolePath } from '../../ui/roles/role-paths.ts';
import type { Cell } from './access-matrix.tsx';
import { AccessView, type AccessViewProps } from './access-view.tsx';
import { whenText } from './access-text.ts';

const words = text.access;

const loadDialogs = () => import('./role-dialogs.tsx');
const loadGroups = () => import('./camera-groups.tsx');
const loadAtRecorder = () => import('./roles-at-recorder.tsx');
const loadUsers = () => import('./access-of-users.tsx');

export function AccessPage() {
  return (
    <SettingsFrame page="access">
      <Access />
    </SettingsFrame>
  );
}

/** Who may do what with which camera: by role, or by user. */
function Access() {
  const [state, reload] = useLoaded(loadAccess);
  const [filters, setFilters] = useFilters('view', 'search', 'group', 'sort');
  const [isAdding, open, close] = useDialog<true>('roles');
  const dialogs = useLater(loadDialogs, isAdding === true, close);
  const below = useLater(loadGroups, true, () => undefined);
  const ofUsers = useLater(loadUsers, filters.view === 'users', () => setFilters({ view: '' }));
  const hasOthers = state.kind === 'loaded' && state.value.recorder.only_at_recorder.length > 0;
  const atRecorder = useLater(loadAtRecorder, hasOthers, () => undefined);
  const [status, setStatus] = useState('');
  const asking = useAction();
  const { heading, marked, mark } = useRows([]);
  // The pressed button may have disappeared.
  useEffect(() => {
    if (status !== '' && document.activeElement === document.body) heading.current?.focus();
  }, [state, status]);
  if (state.kind === 'loading') return <Loading what={words.what} />;
  if (state.kind === 'failed') return <LoadFailure what={words.what} error={state.error} onRetry={reload} />;
  const loaded = state.value;
  const { access, roles, groups, offered, recorder } = loaded;
  const askRecorder = () =>
    asking.run(async () => {
      setStatus(text.roles.asking);
      await bodyOf(recorderRolesApi.index.$post());
      setStatus('');
      reload();
    });
  /** The recorder gets the change too, and the page shows the result. */
  const changed = () => {
    reload();
    if (recorder.asked) askRecorder();
  };
  const edited = (name: string, former: EditedRole | undefined) => {
    changed();
    mark(name);
    if (former === undefined) return showToast(fill(text.roles.added, { role: name }));
    return showToast(fill(text.roles.changed, { role: name }), async () => {
      await defineRole(name, former);
      showToast(fill(text.roles.changedBack, { role: name }));
      changed();
      mark(name);
    });
  };
  const isOfUsers = filters.view === 'users';
  const show = (view: string) => setFilters({ view, search: '' });
  const props = { loaded, filters, setFilters, marked };
  return (
    <TitledSection
      id="access"
      page
      title={text.settings.access}
      heading={heading}
      actions={
        <>
          <div class="seg" role="group" aria-label={words.rows}>
            <button type="button" aria-pressed={!isOfUsers} onClick={() => show('')}>
              {words.roles}
            </button>
            <button type="button" aria-pressed={isOfUsers} onClick={() => show('users')}>
              {words.users}
            </button>
          </div>
          <button type="button" class="outline" onClick={() => open(true)}>
            {text.roles.add}
          </button>
        </>
      }
    >
      <p class="access-about">{isOfUsers ? words.aboutUsers : words.about}</p>
      <FailureNotice error={state.error ?? asking.failure} />
      <p class="hidden-text" role="status">
        {status}
      </p>
      <BlockedLists roles={roles} recorder={recorder} />
      {!isOfUsers ? (
        <AccessOfRoles {...props} onEdited={edited} />
      ) : ofUsers === undefined ? (
        <Loading what={words.what} />
      ) : (
        <ofUsers.AccessOfUsers {...props} />
      )}
      {dialogs !== undefined && isAdding === true && (
        <dialogs.EditRole
          role={undefined}
          taken={roles.map(({ name }) => name)}
          cameras={access.cameras}
          groups={groups}
          onClose={close}
          onDone={(name) => edited(name, undefined)}
        />
      )}
      {atRecorder !== undefined && (
        <atRecorder.RolesAtRecorder
          roles={recorder.only_at_recorder}
          onTaken={(name) => {
            showToast(fill(text.roles.tookOver, { role: name }));
            changed();
            mark(name);
          }}
        />
      )}
      {below !== undefined && (
        <below.CameraGroups groups={groups} offered={offered} cameras={access.cameras} onChanged={changed} />
      )}
    </TitledSection>
  );
}

// More names would push the matrix off the screen.
const mostNamed = 6;

interface BlockedListsProps {
  readonly roles: readonly Role[];
  readonly recorder: RecorderRoles;
}

/** Names the roles and guests whose lists are blocked, each with a link to the reason, and why the recorder gets no roles. */
function BlockedLists({ roles, recorder }: BlockedListsProps) {
  const guests = recorder.unverified_guests;
  const blocked = [
    ...roles
      .filter((role) => role.recorder !== 'verified' && mayOf(role).includes('history'))
      .map(({ name }) => [name, rolePath(name)] as const),
    ...guests.map((name) => [name, personPath(name)] as const),
  ];
  return (
    <>
      {recorder.unread_reason !== null && (
        <p class="notice">
          {text.roles.notWritten} {text.roles.unread[recorder.unread_reason]}
        </p>
      )}
      {blocked.length > 0 && (
        <p class="notice">
          {words.listsBlocked}{' '}
          {blocked.slice(0, mostNamed).map(([name, path], index) => (
            <Fragment key={path}>
              {index > 0 && ', '}
              <a href={path}>{name}</a>
            </Fragment>
          ))}
          {blocked.length > mostNamed &&
            fill(words.andMore, { count: numberText(blocked.length - mostNamed) })}
          {guests.length > 0 && recorder.asked && !recorder.managed && `. ${words.letWrite}`}
        </p>
      )}
    </>
  );
}

const loadRolePanel = () => import('./role-panel.tsx');
const loadPlainPanel = () => import('./cell-panel.tsx');

interface AccessOfRolesProps extends AccessViewProps {
  readonly onEdited: (name: string, former: EditedRole) => void;
}

/** A row for each role. A cell opens the panel that changes its role. */
function AccessOfRoles(props: AccessOfRolesProps) {
  const { loaded, onEdited } = props;
  const { access, entries, roles, viewer, groups, recorder } = loaded;
  const [open, setOpen] = useState<Cell>();
  const [draft, setDraft] = useState<PaneStates>();
  const entry = entries.find(({ name }) => name === open?.row);
  const found = open?.row === 'viewer' ? viewer : roles.find(({ name }) => name === open?.row);
  // `admin`, and what config.yml declares, cannot be changed here.
  const role = found !== undefined && 'declared' in found && found.declared === true ? undefined : found;
  const close = () => setOpen(undefined);
  const ofRole = useLater(loadRolePanel, open !== undefined && role !== undefined, close);
  const plain = useLater(loadPlainPanel, open !== undefined && role === undefined, close);
  const panel =
    open === undefined || entry === undefined
      ? undefined
      : role === undefined
        ? plain && (
            <plain.PlainPanel
              key={`${open.row}/${open.camera}`}
              entry={entry}
              camera={open.camera}
              why={entry.name === 'admin' ? words.panel.admin : text.roles.declaredHint}
              links={
                <a class="button outline" href={rolePath(entry.name)} autofocus>
                  {fill(words.panel.toRole, { role: entry.name })}
                </a>
              }
              onClose={close}
            />
          )
        : ofRole && (
            <ofRole.RolePanel
              key={`${open.row}/${open.camera}`}
              role={role}
              camera={open.camera}
              cameras={access.cameras}
              groups={groups}
              isOpen={entry.schedule?.is_open !== false}
              when={whenText(entry.schedule, access)}
              isWritten={recorder.managed}
              onDraft={setDraft}
              onClose={close}
              onDone={() => {
                close();
                onEdited(role.name, role);
              }}
            />
          );
  return (
    <AccessView
      {...props}
      label={words.gridOfRoles}
      title={words.role}
      searchHint={words.search}
      entries={entries}
      open={open}
      draft={draft}
      headerOf={({ name, users = 0 }, { link, isNarrow }) => (
        <>
          <a href={rolePath(name)} {...link}>
            {name}
          </a>
          <small aria-label={countedUsers(users)}>{isNarrow ? numberText(users) : countedUsers(users)}</small>
        </>
      )}
      onOpen={setOpen}
      panel={panel}
    />
  );
}
