import type { Role } from '../../api-client.ts';
import { countedUsers } from '../../ui/roles/counted-users.ts';
import { defineRole, deleteRole, mostGivenBack, type DeletedRole } from '../../ui/roles/change-roles.ts';
import { asTyped, Field, Switch } from '../../ui/forms/field.tsx';
import { FormDialog, type DialogProps } from '../../ui/forms/form-dialog.tsx';
import { fieldOf, FormProblem } from '../../ui/forms/form-field.ts';
import { listText } from '../../ui/list-text.ts';
import { windowIn } from '../../ui/roles/role-window.ts';
import { text } from '../../text.ts';
import { WindowFields } from './window-fields.tsx';

/** `onDone` gets the name. */
interface EditRoleProps extends DialogProps<string> {
  /** Undefined: a new role. */
  readonly role: Role | undefined;
  /** Cameras preselected besides the role's own. */
  readonly chosen?: readonly string[];
  readonly taken: readonly string[];
  readonly cameras: readonly string[];
}

export function EditRole({ role, chosen = [], taken, cameras, ...dialog }: EditRoleProps) {
  const offered = [...new Set([...cameras, ...(role?.cameras ?? [])])].sort();
  const added = chosen.filter(
    (camera) => offered.includes(camera) && role?.cameras.includes(camera) !== true,
  );
  const save = async (form: FormData) => {
    const name = role?.name ?? fieldOf(form, 'name');
    const isSame = (other: string) => other.toLowerCase() === name.toLowerCase();
    if (role === undefined && ['admin', 'viewer', 'none'].some(isSame))
      throw new FormProblem(text.roles.isReserved);
    if (role === undefined && taken.some(isSame)) throw new FormProblem(text.roles.taken);
    const checked = form.getAll('camera').filter((camera) => typeof camera === 'string');
    await defineRole(name, { cameras: checked, window: windowIn(form) });
    return name;
  };
  return (
    <FormDialog
      title={role === undefined ? text.roles.add : text.roles.editOf(role.name)}
      submit={role === undefined ? text.roles.add : text.roles.save}
      onSubmit={save}
      {...dialog}
    >
      {role === undefined && (
        <Field
          label={text.roles.name}
          hint={text.roles.nameHint}
          {...asTyped}
          name="name"
          pattern="(?!\.{1,2}$)[A-Za-z0-9._]{1,64}"
          title={text.roles.nameForm}
          maxLength={64}
          autofocus
          required
        />
      )}
      <fieldset>
        <legend>{text.roles.mayBeSeen}</legend>
        {added.length > 0 && <p class="notice">{text.roles.chosen(listText(added))}</p>}
        {offered.length === 0 && <small>{text.roles.thereAreNone}</small>}
        {offered.map((camera) => (
          <Switch
            key={camera}
            label={camera}
            name="camera"
            value={camera}
            autofocus={role !== undefined && camera === (added[0] ?? offered[0])}
            defaultChecked={role?.cameras.includes(camera) === true || chosen.includes(camera)}
          />
        ))}
      </fieldset>
      <WindowFields window={role?.window ?? null} />
    </FormDialog>
  );
}

interface DeleteRoleProps extends DialogProps<DeletedRole> {
  readonly role: Role;
  readonly users: number;
  /** The gate has written the role to the recorder. */
  readonly managed: boolean;
}

export function DeleteRole({ role, users, managed, ...dialog }: DeleteRoleProps) {
  return (
    <FormDialog
      title={text.roles.deleteQuestion(role.name)}
      submit={text.roles.deleteRole}
      danger
      onSubmit={async () => deleteRole(role)}
      {...dialog}
    >
      <p>
        {users === 0 ? text.roles.nobodyHasIt : text.roles.becomeViewer(countedUsers(users))}
        {users > mostGivenBack && ` ${text.roles.notUndone}`}
        {managed && ` ${text.roles.recorderLosesIt}`}
      </p>
    </FormDialog>
  );
}
