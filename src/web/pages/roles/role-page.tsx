import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import {
  bodyOf,
  cameraGroupsApi,
  camerasApi,
  recorderRolesApi,
  rolesApi,
  type CameraGroup,
  type Role,
  type RecorderRoles,
} from '../../api-client.ts';
import { densityOf } from '../../ui/wall/arrange.ts';
import { useRefresher, Wall } from '../../ui/wall/camera-tile.tsx';
import { countedUsers, countUsers, defineRole, type DeletedRole } from '../../ui/roles/roles-api.ts';
import { FailureNotice, LoadFailure, Loading, Message } from '../../ui/notices.tsx';
import { gatePath } from '../../path-prefix.ts';
import type { EditedRole } from './role-dialogs.tsx';
import { Facts, SettingsFrame } from '../../ui/section.tsx';
import { capabilities, mayOf, scheduleOf } from '../../ui/roles/role-access.ts';
import { viewAsPath, whyPath, rolePath, usersOfRole } from '../../ui/roles/role-paths.ts';
import { fill, text } from '../../text.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/forms/form-action.ts';
import { useDialog, useLater } from '../../ui/forms/use-dialog.ts';
import { useLoaded } from '../../ui/loading.ts';
import { cameraText, inOrder } from '../../ui/cameras/camera-names.ts';
import { listText, nameText } from '../../ui/words.ts';
import { scheduleText } from '../../ui/roles/schedule.ts';
import { gateZone } from '../../ui/time-text.ts';

const words = text.roleView;

const loadDialogs = () => import('./role-dialogs.tsx');

/** The page of a role: what it can see. */
export function RolePage({ name = '' }: { readonly name?: string }) {
  return (
    <SettingsFrame page="access" title={fill(text.roles.whatItSees, { role: name })}>
      <RoleView key={name} name={name} />
    </SettingsFrame>
  );
}

async function loadRole(name: string) {
  const [roles, viewer, groups, countOf, cameras, recorder] = await Promise.all([
    bodyOf(rolesApi.index.$get()),
    bodyOf(rolesApi[':name'].$get({ param: { name: 'viewer' } })),
    bodyOf(cameraGroupsApi.index.$get()),
    countUsers(),
    bodyOf(camerasApi.index.$get()),
    bodyOf(recorderRolesApi.index.$get()),
  ]);
  const role = roles.find((found) => found.name === name);
  // Only custom roles have `declared`.
  const editable = role?.declared === true ? undefined : name === 'viewer' ? viewer : role;
  return { roles, role, editable, groups, users: countOf(name), cameras, recorder };
}

function RoleView({ name }: { readonly name: string }) {
  const { query, route } = useLocation();
  const [state, reload] = useLoaded(() => loadRole(name));
  const [dialog, open, closeDialog] = useDialog<'edit' | 'delete'>('role');
  const dialogs = useLater(loadDialogs, dialog !== undefined, closeDialog);
  useEffect(() => {
    // After a login in between, the dialog is open already, with the earlier choice.
    if (query['add'] !== undefined && dialog === undefined) open('edit');
  }, []);
  const asking = useAction();
  if (state.kind === 'loading') return <Loading what={words.role} />;
  if (state.kind === 'failed') return <LoadFailure what={words.role} error={state.error} onRetry={reload} />;
  const { roles, role, editable, groups, users, cameras, recorder } = state.value;
  const builtIn =
    name === 'admin' ? text.roles.adminMeans : name === 'viewer' ? text.roles.viewerMeans : undefined;
  if (role === undefined && builtIn === undefined) {
    return (
      <Message title={words.unknown}>
        <a href={gatePath('/settings/access')}>{words.toRoles}</a>
      </Message>
    );
  }
  const own = role?.allowed_cameras ?? cameras;
  const askRecorder = () =>
    asking.run(async () => {
      await bodyOf(recorderRolesApi.index.$post());
      reload();
    });
  const changed = () => {
    reload();
    if (recorder.asked) askRecorder();
  };
  const edited = (former: EditedRole) => {
    changed();
    showToast(fill(text.roles.changed, { role: name }), async () => {
      await defineRole(name, former);
      showToast(fill(text.roles.changedBack, { role: name }));
      changed();
    });
  };
  const deletable = role?.declared === true ? undefined : role;
  const deleted = ({ users: changedUsers, undo, isStillDefined }: DeletedRole) => {
    if (isStillDefined) {
      changed();
      showToast(fill(text.roles.stillDefined, { role: name }));
      return;
    }
    const leave = () => route(gatePath('/settings/access'));
    // The recorder loses the role too, before the page shows what it has.
    if (recorder.asked) bodyOf(recorderRolesApi.index.$post()).then(leave, leave);
    else leave();
    showToast(
      changedUsers === 0
        ? fill(text.roles.deleted, { role: name })
        : fill(text.roles.deletedWith, { role: name, users: countedUsers(changedUsers) }),
      undo &&
        (async () => {
          await undo();
          showToast(fill(text.roles.definedAgain, { role: name }));
          route(rolePath(name));
        }),
    );
  };
  const close = () => {
    closeDialog();
    // The address would open the dialog again.
    if (query['add'] !== undefined) route(rolePath(name), true);
  };
  return (
    <section aria-labelledby="role">
      <p class="way-back">
        <a href={gatePath('/settings/access')}>← {text.settings.access}</a>
      </p>
      <div class="title-row">
        <h1 id="role">{fill(text.roles.whatItSees, { role: name })}</h1>
        <div class="role-actions">
          {editable !== undefined && (
            <button type="button" onClick={() => open('edit')}>
              {words.editRole}
            </button>
          )}
          {deletable !== undefined && (
            <button type="button" class="danger outline" onClick={() => open('delete')}>
              {text.roleDialogs.deleteRole}
            </button>
          )}
        </div>
      </div>
      <FailureNotice error={state.error ?? asking.failure} />
      <p>
        {builtIn !== undefined && <>{builtIn} · </>}
        <a href={usersOfRole(name)}>{countedUsers(users)}</a>
      </p>
      {role !== undefined && (
        <>
          <RoleFacts role={role} groups={groups} />
          <Declared role={role} />
          <RecorderState role={role} recorder={recorder} busy={asking.busy} onTryAgain={askRecorder} />
        </>
      )}
      <RoleMay role={editable ?? role ?? { name, access: null }} />
      <section aria-labelledby="role-cameras">
        <h2 id="role-cameras">{words.cameras}</h2>
        {own.length === 0 ? (
          <p class="placeholder">{role === undefined ? text.roles.thereAreNone : text.roles.noCameras}</p>
        ) : (
          <RoleWall cameras={own} />
        )}
      </section>
      <p>
        <a href={whyPath({ role: name })}>{words.ask}</a> ·{' '}
        <a href={viewAsPath({ role: name })}>{fill(words.viewAs, { role: name })}</a>
      </p>
      {dialogs !== undefined && dialog === 'edit' && editable !== undefined && (
        <dialogs.EditRole
          role={editable}
          chosen={query['add']?.split(',') ?? []}
          users={users}
          taken={roles.map((found) => found.name)}
          cameras={cameras}
          groups={groups}
          onClose={close}
          onDone={() => edited(editable)}
        />
      )}
      {dialogs !== undefined && dialog === 'delete' && deletable !== undefined && (
        <dialogs.DeleteRole
          role={deletable}
          users={users}
          managed={recorder.managed}
          onClose={close}
          onDone={deleted}
        />
      )}
    </section>
  );
}

/** Lists each capability, and whether a role has it. */
function RoleMay({ role }: { readonly role: Pick<EditedRole, 'name' | 'access'> }) {
  const { legend, yes, no } = text.roles.may;
  const { names } = text.capabilities;
  const may = mayOf(role);
  return (
    <section aria-labelledby="role-may">
      <h2 id="role-may">{legend}</h2>
      <Facts
        facts={capabilities.map((capability) => [names[capability], may.includes(capability) ? yes : no])}
      />
    </section>
  );
}

function RoleWall({ cameras }: { readonly cameras: readonly string[] }) {
  return <Wall cameras={cameras} refresher={useRefresher()} density={densityOf(cameras.length, undefined)} />;
}

interface RoleFactsProps {
  readonly role: Pick<Role, 'name' | 'access'>;
  readonly groups: readonly CameraGroup[];
}

/** Lists the groups and the schedule of a role. */
function RoleFacts({ role, groups }: RoleFactsProps) {
  const words = text.roles;
  const schedule = scheduleOf(role.access);
  const own = role.access?.groups ?? [];
  const camerasOf = (group: string) => groups.find(({ name }) => name === group)?.cameras ?? [];
  const facts = [
    [
      words.groups,
      own
        .map((group) => `${nameText(group)} (${listText(inOrder(camerasOf(group)).map(cameraText))})`)
        .join(', '),
    ],
    [text.schedules.title, schedule && scheduleText(schedule, mayOf(role).includes('history'), gateZone())],
  ] as const;
  return (
    <>
      {facts.map(
        ([name, value]) =>
          value && (
            <p class="role-fact" key={name}>
              <small>
                {name}: {value}
              </small>
            </p>
          ),
      )}
    </>
  );
}

/** Tells why a role cannot be changed here. Empty for a role that can. */
function Declared({ role }: { readonly role: Role }) {
  if (role.declared !== true) return null;
  return (
    <div>
      <small>
        {text.roles.declaredHint}
        {role.hides_stored === true && ` ${text.roles.hidesStored}`}
      </small>
    </div>
  );
}

interface RecorderStateProps {
  readonly role: Role;
  readonly recorder: RecorderRoles;
  /** The recorder is being asked. */
  readonly busy: boolean;
  readonly onTryAgain: () => void;
}

/** The state of a role at the recorder, and what that means for its lists. */
function RecorderState({ role, recorder, busy, onTryAgain }: RecorderStateProps) {
  const unknown = recorder.unknown_cameras.find(({ name }) => name === role.name)?.cameras ?? [];
  // Every unverified role has a reason.
  if (role.recorder_reason === undefined)
    return recorder.asked ? (
      <p class="role-lists">
        <span class="badge success">{text.roles.recorderAgrees}</span>{' '}
        {unknown.length > 0 && <small>{fill(text.roles.knowsNo, { cameras: unknown.join(', ') })}</small>}
      </p>
    ) : null;
  const refusal = recorder.refusals.find(({ name }) => name === role.name);
  const isAsked = recorder.asked && !neverWritten.has(role.recorder_reason);
  return (
    <p class="role-lists">
      <span class="badge failure">{text.roles.listsClosed}</span>{' '}
      <small>
        {{ ...text.roles.unread, ...text.roles.unverified }[role.recorder_reason]}
        {refusal !== undefined && ` ${fill(text.roles.itSays, { words: refusal.recorder_says })}`}
      </small>{' '}
      {isAsked && (
        <button
          type="button"
          class="secondary outline"
          aria-label={fill(text.roles.tryAgainOf, { role: role.name })}
          aria-busy={busy}
          onClick={onTryAgain}
        >
          {text.actions.tryAgain}
        </button>
      )}
    </p>
  );
}

/** Faults that the recorder cannot fix: the role has to change in Postern. */
const neverWritten: ReadonlySet<string> = new Set(['role_name_refused', 'role_without_cameras']);
