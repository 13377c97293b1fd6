import { roleView as words } from '#language/role-view';
import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { AskGate } from './ask-gate.tsx';
import { bodyOf, camerasApi, recorderRolesApi, rolesApi, type Role } from '../../api-client.ts';
import { CameraTiles } from '../../ui/cameras/camera-tiles.tsx';
import { countedUsers, countUsers } from '../../ui/roles/counted-users.ts';
import { FailureNotice, LoadFailure, Loading, Message } from '../../ui/notices.tsx';
import { gatePath } from '../../path-prefix.ts';
import { RecorderState } from './recorder-state.tsx';
import { defineRole } from '../../ui/roles/change-roles.ts';
import { Declared, RoleTimes } from './role-facts.tsx';
import { rolePath, usersOfRole } from '../../ui/roles/role-path.ts';
import { SettingsFrame } from '../../ui/settings-frame.tsx';
import { text } from '../../text.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/forms/use-action.ts';
import { useDialog } from '../../ui/forms/use-dialog.ts';
import { useLater } from '../../ui/use-later.ts';
import { useLoaded } from '../../ui/use-loaded.ts';

const loadDialogs = () => import('./role-dialogs.tsx');

/** What a role can see. */
export function RolePage({ name = '' }: { readonly name?: string }) {
  return (
    <SettingsFrame page="roles" title={text.roles.whatItSees(name)}>
      <RoleView key={name} name={name} />
    </SettingsFrame>
  );
}

async function loadRole(name: string) {
  const [roles, countOf, cameras, recorder] = await Promise.all([
    bodyOf(rolesApi.index.$get()),
    countUsers(),
    bodyOf(camerasApi.index.$get()),
    bodyOf(recorderRolesApi.index.$get()),
  ]);
  return { roles, role: roles.find((role) => role.name === name), users: countOf(name), cameras, recorder };
}

function RoleView({ name }: { readonly name: string }) {
  const { query, route } = useLocation();
  const [state, reload] = useLoaded(() => loadRole(name));
  const [isEditing, open, closeDialog] = useDialog<true>('role');
  const dialogs = useLater(loadDialogs, isEditing === true, closeDialog);
  useEffect(() => {
    // After a login in between, the dialog is open already, with the earlier choice.
    if (query['add'] !== undefined && isEditing === undefined) open(true);
  }, []);
  const asking = useAction();
  if (state.kind === 'loading') return <Loading what={words.role} />;
  if (state.kind === 'failed') return <LoadFailure what={words.role} error={state.error} onRetry={reload} />;
  const { roles, role, users, cameras, recorder } = state.value;
  const builtIn =
    name === 'admin' ? text.roles.adminMeans : name === 'viewer' ? text.roles.viewerMeans : undefined;
  if (role === undefined && builtIn === undefined) {
    return (
      <Message title={words.unknown}>
        <a href={gatePath('/settings/roles')}>{words.toRoles}</a>
      </Message>
    );
  }
  const own = role?.cameras ?? cameras;
  const others = cameras.filter((camera) => !own.includes(camera));
  const askRecorder = () =>
    asking.run(async () => {
      await bodyOf(recorderRolesApi.index.$post());
      reload();
    });
  const changed = () => {
    reload();
    if (recorder.asked) askRecorder();
  };
  const edited = (former: Role) => {
    changed();
    showToast(text.roles.changed(name), async () => {
      await defineRole(name, former);
      showToast(text.roles.changedBack(name));
      changed();
    });
  };
  const close = () => {
    closeDialog();
    // The address would open the dialog again.
    if (query['add'] !== undefined) route(rolePath(name), true);
  };
  return (
    <section aria-labelledby="role">
      <p class="way-back">
        <a href={gatePath('/settings/roles')}>← {words.roles}</a>
      </p>
      <div class="title-row">
        <h2 id="role">{text.roles.whatItSees(name)}</h2>
        {role !== undefined && role.declared !== true && (
          <button type="button" onClick={() => open(true)}>
            {words.editCameras}
          </button>
        )}
      </div>
      <FailureNotice error={state.error ?? asking.failure} />
      <p>
        {builtIn !== undefined && <>{builtIn} · </>}
        <a href={usersOfRole(name)}>{countedUsers(users)}</a>
      </p>
      {role !== undefined && (
        <>
          <RoleTimes role={role} />
          <Declared role={role} />
          <RecorderState role={role} recorder={recorder} busy={asking.busy} onTryAgain={askRecorder} />
        </>
      )}
      <section aria-labelledby="role-cameras">
        <h3 id="role-cameras">{words.cameras}</h3>
        {own.length === 0 ? (
          <p class="placeholder">{role === undefined ? text.roles.thereAreNone : text.roles.noCameras}</p>
        ) : (
          <CameraTiles cameras={own} />
        )}
      </section>
      <AskGate role={name} cameras={own} others={others} />
      {dialogs !== undefined && isEditing === true && role !== undefined && role.declared !== true && (
        <dialogs.EditRole
          role={role}
          chosen={query['add']?.split(',') ?? []}
          taken={roles.map((found) => found.name)}
          cameras={cameras}
          onClose={close}
          onDone={() => edited(role)}
        />
      )}
    </section>
  );
}
