import { useState } from 'preact/hooks';
import { camerasApi, rolesApi, usersApi, bodyOf, type Role } from './api-client.ts';
import { countedUsers } from './counted-users.ts';
import { FailureNotice, LoadFailure, Loading } from './notices.tsx';
import { recorderText } from './recorder-text.ts';
import { DeleteRole, EditRole } from './role-dialogs.tsx';
import { SettingsFrame } from './settings-frame.tsx';
import { useLoaded } from './use-loaded.ts';

type Dialog =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit'; readonly role: Role }
  | { readonly kind: 'delete'; readonly role: Role };

export function RolesPage() {
  return (
    <SettingsFrame page="roles">
      <Roles />
    </SettingsFrame>
  );
}

async function loadRoles() {
  const [roles, users, cameras] = await Promise.all([
    bodyOf(rolesApi.index.$get()),
    bodyOf(usersApi.index.$get()),
    bodyOf(camerasApi.index.$get()),
  ]);
  return { roles, users, cameras };
}

function Roles() {
  const [state, reload] = useLoaded(loadRoles);
  const [dialog, setDialog] = useState<Dialog>();
  if (state.kind === 'loading') return <Loading what="roles" />;
  if (state.kind === 'failed') return <LoadFailure what="roles" error={state.error} onRetry={reload} />;
  const { roles, users, cameras } = state.value;
  const countOf = (name: string) => users.filter(({ role }) => role === name).length;
  const close = () => setDialog(undefined);
  return (
    <section aria-labelledby="roles">
      <div class="title-row">
        <h2 id="roles">Roles</h2>
        <button type="button" onClick={() => setDialog({ kind: 'add' })}>
          Add role
        </button>
      </div>
      <FailureNotice error={state.error} />
      <ul class="rows">
        <BuiltInRole
          name="admin"
          means="Everything, users and configuration included"
          users={countOf('admin')}
        />
        <BuiltInRole name="viewer" means="Reads all cameras" users={countOf('viewer')} />
        {roles.map((role) => (
          <li key={role.name}>
            <div class="row-name">
              <strong>{role.name}</strong> <small>{countedUsers(countOf(role.name))}</small>
              <div class="badges">
                {role.cameras.length === 0 && <small>No cameras</small>}
                {role.cameras.map((camera) => (
                  <span class="badge" key={camera}>
                    {camera}
                  </span>
                ))}
              </div>
              {role.recorder === 'unverified' && (
                <p class="role-lists">
                  <span class="badge failure">Lists closed</span>{' '}
                  <small>{recorderText[role.recorder_reason]}</small>
                </p>
              )}
            </div>
            <div class="row-actions">
              <button
                type="button"
                class="secondary outline"
                aria-label={`Edit cameras of ${role.name}`}
                onClick={() => setDialog({ kind: 'edit', role })}
              >
                Cameras
              </button>
              <button
                type="button"
                class="danger outline"
                aria-label={`Delete ${role.name}`}
                onClick={() => setDialog({ kind: 'delete', role })}
              >
                Delete
              </button>
            </div>
          </li>
        ))}
      </ul>
      {roles.length === 0 && (
        <p class="placeholder">No custom roles yet. A custom role reads some cameras only.</p>
      )}
      {(dialog?.kind === 'add' || dialog?.kind === 'edit') && (
        <EditRole
          role={dialog.kind === 'edit' ? dialog.role : undefined}
          taken={roles.map(({ name }) => name)}
          cameras={cameras}
          onClose={close}
          onDone={reload}
        />
      )}
      {dialog?.kind === 'delete' && (
        <DeleteRole role={dialog.role} users={countOf(dialog.role.name)} onClose={close} onDone={reload} />
      )}
    </section>
  );
}

function BuiltInRole(props: { readonly name: string; readonly means: string; readonly users: number }) {
  return (
    <li>
      <div class="row-name">
        <strong>{props.name}</strong> <small>{countedUsers(props.users)}</small>
        <div>
          <small>{props.means}</small>
        </div>
      </div>
      <div class="row-actions">
        <small>built in</small>
      </div>
    </li>
  );
}
