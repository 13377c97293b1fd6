import { useEffect, useRef, useState } from 'preact/hooks';
import {
  bodyOf,
  camerasApi,
  recorderRolesApi,
  rolesApi,
  type RecorderRoles,
  type Role,
} from './api-client.ts';
import { countedUsers, countUsers } from './counted-users.ts';
import { FailureNotice, LoadFailure, Loading } from './notices.tsx';
import { isBehindFirstEdition } from './path-prefix.ts';
import { RecorderState } from './recorder-state.tsx';
import { unreadText } from './recorder-text.ts';
import { DeleteRole, EditRole } from './role-dialogs.tsx';
import { RolesAtRecorder } from './roles-at-recorder.tsx';
import { SettingsFrame } from './settings-frame.tsx';
import { useAction } from './use-action.ts';
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
  const [roles, countOf, cameras, recorder] = await Promise.all([
    bodyOf(rolesApi.index.$get()),
    countUsers(),
    bodyOf(camerasApi.index.$get()),
    isBehindFirstEdition ? unasked : bodyOf(recorderRolesApi.index.$get()),
  ]);
  return { roles, countOf, cameras, recorder };
}

const unasked: RecorderRoles = {
  asked: false,
  managed: false,
  unread_reason: null,
  only_at_recorder: [],
  refusals: [],
  unknown_cameras: [],
};

function Roles() {
  const [state, reload] = useLoaded(loadRoles);
  const [dialog, setDialog] = useState<Dialog>();
  const [told, setTold] = useState('');
  const asking = useAction();
  const heading = useRef<HTMLHeadingElement>(null);
  // What was pressed may be gone once it is done.
  useEffect(() => {
    if (told !== '' && document.activeElement === document.body) heading.current?.focus();
  }, [state, told]);
  if (state.kind === 'loading') return <Loading what="roles" />;
  if (state.kind === 'failed') return <LoadFailure what="roles" error={state.error} onRetry={reload} />;
  const { roles, countOf, cameras, recorder } = state.value;
  const close = () => setDialog(undefined);
  const askRecorder = () =>
    asking.run(async () => {
      setTold('The recorder is being asked.');
      await bodyOf(recorderRolesApi.index.$post());
      const closed = (await bodyOf(rolesApi.index.$get())).filter(
        ({ recorder: state }) => state !== 'verified',
      );
      setTold(
        closed.length === 0
          ? 'The recorder agrees to every role.'
          : `Lists are closed to ${closed.map(({ name }) => name).join(', ')}.`,
      );
      reload();
    });
  /** The recorder is told of a change, too, and the page says what came of it. */
  const changed = () => {
    reload();
    if (recorder.asked) askRecorder();
  };
  return (
    <section aria-labelledby="roles">
      <div class="title-row">
        <h2 id="roles" ref={heading} tabIndex={-1}>
          Roles
        </h2>
        <button type="button" onClick={() => setDialog({ kind: 'add' })}>
          Add role
        </button>
      </div>
      <FailureNotice error={state.error ?? asking.failure} />
      <p class="hidden-text" role="status">
        {told}
      </p>
      {recorder.unread_reason !== null && (
        <p class="notice">Roles are not written to the recorder now. {unreadText[recorder.unread_reason]}</p>
      )}
      <ul class="rows">
        <BuiltInRole
          name="admin"
          means="Everything, users and configuration included"
          users={countOf('admin')}
        />
        <BuiltInRole name="viewer" means="Reads all cameras" users={countOf('viewer')} />
        {roles.map((role) => (
          <li key={role.name}>
            <div class="row-name long">
              <strong>{role.name}</strong> <small>{countedUsers(countOf(role.name))}</small>
              <div class="badges">
                {role.cameras.length === 0 && <small>No cameras</small>}
                {role.cameras.map((camera) => (
                  <span class="badge" key={camera}>
                    {camera}
                  </span>
                ))}
              </div>
              <RecorderState role={role} recorder={recorder} busy={asking.busy} onTryAgain={askRecorder} />
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
          onDone={changed}
        />
      )}
      {dialog?.kind === 'delete' && (
        <DeleteRole
          role={dialog.role}
          users={countOf(dialog.role.name)}
          managed={recorder.managed}
          onClose={close}
          onDone={changed}
        />
      )}
      <RolesAtRecorder roles={recorder.only_at_recorder} onTaken={changed} />
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
