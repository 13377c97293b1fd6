import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { bodyOf, cameraGroupsApi, camerasApi, recorderRolesApi, rolesApi } from '../../api-client.ts';
import { densityOf } from '../../ui/wall/arrange.ts';
import { useRefresher, Wall } from '../../ui/wall/camera-tile.tsx';
import { countedUsers, countUsers, defineRole, type DeletedRole } from '../../ui/roles/roles-api.ts';
import { FailureNotice, LoadFailure, Loading, Message } from '../../ui/notices.tsx';
import { gatePath } from '../../path-prefix.ts';
import { RecorderState, Declared, RoleFacts } from './role-facts.tsx';
import type { EditedRole } from './role-dialogs.tsx';
import { Facts, SettingsFrame } from '../../ui/section.tsx';
import { capabilities, mayOf } from '../../ui/roles/role-access.ts';
import { viewAsPath, whyPath, rolePath, usersOfRole } from '../../ui/roles/role-paths.ts';
import { fill, text } from '../../text.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/forms/form-action.ts';
import { useDialog, useLater } from '../../ui/forms/use-dialog.ts';
import { useLoaded } from '../../ui/loading.ts';

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
  const deleted = ({ users: changedUsers, undo }: DeletedRole) => {
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
