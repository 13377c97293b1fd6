import { useId } from 'preact/hooks';
import { rolesApi, bodyOf, type Role } from './api-client.ts';
import { countedUsers } from './counted-users.ts';
import { FormDialog, type DialogProps } from './form-dialog.tsx';
import { fieldOf, FormProblem } from './form-field.ts';

interface EditRoleProps extends DialogProps {
  /** Undefined: a new one. */
  readonly role: Role | undefined;
  readonly taken: readonly string[];
  readonly cameras: readonly string[];
}

export function EditRole({ role, taken, cameras, onClose, onDone }: EditRoleProps) {
  const hint = useId();
  const offered = [...new Set([...cameras, ...(role?.cameras ?? [])])].sort();
  const save = async (form: FormData) => {
    const name = role?.name ?? fieldOf(form, 'name');
    if (role === undefined && ['admin', 'viewer'].includes(name.toLowerCase()))
      throw new FormProblem('admin and viewer are built in: choose another name.');
    if (role === undefined && taken.includes(name)) throw new FormProblem('There is a role of this name.');
    const chosen = form.getAll('camera').filter((camera) => typeof camera === 'string');
    await bodyOf(rolesApi[':name'].$put({ param: { name }, json: { cameras: chosen } }));
  };
  return (
    <FormDialog
      title={role === undefined ? 'Add role' : `Cameras of ${role.name}`}
      submit={role === undefined ? 'Add role' : 'Save'}
      onClose={onClose}
      onDone={onDone}
      onSubmit={save}
    >
      {role === undefined && (
        <>
          <label>
            Name
            <input
              name="name"
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              pattern="[A-Za-z0-9._]{1,64}"
              title="1 to 64 letters, digits, dots and underscores"
              maxLength={64}
              autofocus
              aria-describedby={hint}
              required
            />
          </label>
          <small id={hint}>Letters, digits, dots and underscores.</small>
        </>
      )}
      <fieldset>
        <legend>Cameras that the role may see</legend>
        {offered.length === 0 && <small>There are no cameras.</small>}
        {offered.map((camera) => (
          <label key={camera} class="switch">
            <input
              type="checkbox"
              role="switch"
              autofocus={role !== undefined && camera === offered[0]}
              name="camera"
              value={camera}
              defaultChecked={role?.cameras.includes(camera) ?? false}
            />
            {camera}
          </label>
        ))}
      </fieldset>
    </FormDialog>
  );
}

interface DeleteRoleProps extends DialogProps {
  readonly role: Role;
  readonly users: number;
  /** The recorder has it by the gate. */
  readonly managed: boolean;
}

export function DeleteRole({ role, users, managed, onClose, onDone }: DeleteRoleProps) {
  const remove = async () => {
    await bodyOf(rolesApi[':name'].$delete({ param: { name: role.name } }));
  };
  return (
    <FormDialog
      title={`Delete ${role.name}?`}
      submit="Delete role"
      danger
      onClose={onClose}
      onDone={onDone}
      onSubmit={remove}
    >
      <p>
        {users === 0 ? (
          'No user has this role. This cannot be undone.'
        ) : (
          <>
            <strong>{countedUsers(users)}</strong> will become <strong>viewer</strong> and see{' '}
            <strong>all cameras</strong>. This cannot be undone.
          </>
        )}
        {managed && ' The recorder loses the role too.'}
      </p>
    </FormDialog>
  );
}
