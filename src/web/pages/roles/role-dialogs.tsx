import { useEffect, useRef, useState } from 'preact/hooks';
import { cameraText, inOrder } from '../../ui/cameras/camera-names.ts';
import type { CameraGroup, Role } from '../../api-client.ts';
import {
  countedUsers,
  defineRole,
  deleteRole,
  mostGivenBack,
  type DeletedRole,
} from '../../ui/roles/roles-api.ts';
import { asTyped, Field } from '../../ui/forms/field.tsx';
import { FormDialog, type DialogProps } from '../../ui/forms/form-dialog.tsx';
import { listText, nameText, numberText } from '../../ui/words.ts';
import { MayFields } from '../../ui/roles/capabilities.tsx';
import { mayByDefault, mayOf, scheduleOf } from '../../ui/roles/role-access.ts';
import { definitionIn, newNameIn, viewerIn, checkedIn } from '../../ui/roles/role-form.ts';
import { fill, text } from '../../text.ts';
import { CameraChoice } from '../../ui/cameras/camera-choice.tsx';
import { ScheduleFields } from '../../ui/roles/schedule-fields.tsx';

export type EditedRole = Pick<Role, 'name' | 'cameras' | 'access'>;

/** `onDone` gets the name. */
interface EditRoleProps extends DialogProps<string> {
  /** Omit for a new role. */
  readonly role: EditedRole | undefined;
  /** Cameras preselected besides the role's own. */
  readonly chosen?: readonly string[];
  /** Number of users of the role, who gain the preselected cameras. */
  readonly users?: number;
  readonly taken: readonly string[];
  readonly cameras: readonly string[];
  readonly groups: readonly CameraGroup[];
}

/** Changes what `viewer` may do. It always sees all cameras at all times. */
export function EditRole({ role, ...props }: EditRoleProps) {
  return role?.name === 'viewer' ? (
    <EditViewer role={role} {...props} />
  ) : (
    <EditCustomRole role={role} {...props} />
  );
}

function EditViewer({ role, onClose, onDone }: EditRoleProps & { readonly role: EditedRole }) {
  return (
    <FormDialog
      title={fill(text.roles.editOf, { role: role.name })}
      submit={text.roles.save}
      onSubmit={async (form) => {
        await defineRole(role.name, viewerIn(form));
        return role.name;
      }}
      onClose={onClose}
      onDone={onDone}
    >
      <MayFields legend={text.roles.may.legend} may={mayOf(role)} autofocus />
    </FormDialog>
  );
}

function EditCustomRole({ role, chosen = [], users, taken, cameras, groups, ...dialog }: EditRoleProps) {
  const own = role?.cameras ?? [];
  const ownGroups = role?.access?.groups ?? [];
  const offered = inOrder([...new Set([...cameras, ...own])]);
  const added = chosen.filter((camera) => offered.includes(camera) && !own.includes(camera));
  const save = async (form: FormData) => {
    const name = role?.name ?? newNameIn(form, taken);
    await defineRole(name, definitionIn(form));
    return name;
  };
  return (
    <FormDialog
      title={role === undefined ? text.roles.add : fill(text.roles.editOf, { role: role.name })}
      submit={role === undefined ? text.roles.add : text.roles.save}
      onSubmit={save}
      {...dialog}
    >
      {role === undefined && (
        <Field
          label={text.roleDialogs.name}
          hint={text.roleDialogs.nameHint}
          {...asTyped}
          name="name"
          pattern="(?!\.{1,2}$)[A-Za-z0-9._]{1,64}"
          title={text.roleDialogs.nameForm}
          maxLength={64}
          autofocus
          required
        />
      )}
      {added.length > 0 && (
        <p class="notice">
          {fill(text.roleDialogs.chosen, { cameras: listText(added.map(cameraText)) })}
          {users !== undefined && ` ${fill(text.roleDialogs.gain, { users: countedUsers(users) })}`}
        </p>
      )}
      <CameraFields
        cameras={offered}
        groups={groups}
        chosen={{ cameras: [...own, ...added], groups: ownGroups }}
        focus={role === undefined ? undefined : (added[0] ?? offered[0])}
      />
      <MayFields legend={text.roles.may.legend} may={role === undefined ? mayByDefault('') : mayOf(role)} />
      <ScheduleFields schedule={scheduleOf(role?.access ?? null)} />
    </FormDialog>
  );
}

interface DeleteRoleProps extends DialogProps<DeletedRole> {
  readonly role: Role;
  readonly users: number;
  /** Postern has written the role to the recorder. */
  readonly managed: boolean;
}

export function DeleteRole({ role, users, managed, ...dialog }: DeleteRoleProps) {
  return (
    <FormDialog
      title={fill(text.roleDialogs.deleteQuestion, { role: role.name })}
      submit={text.roleDialogs.deleteRole}
      danger
      onSubmit={async () => deleteRole(role)}
      {...dialog}
    >
      <p>
        {users === 0
          ? text.roleDialogs.withoutUsers
          : fill(text.roleDialogs.becomeViewer, { users: countedUsers(users) })}
        {users > mostGivenBack && ` ${text.roleDialogs.notUndone}`}
        {managed && ` ${text.roleDialogs.recorderLosesIt}`}
      </p>
    </FormDialog>
  );
}

interface CameraFieldsProps {
  readonly cameras: readonly string[];
  readonly groups: readonly CameraGroup[];
  /** The values that are on at first. */
  readonly chosen: { readonly cameras: readonly string[]; readonly groups: readonly string[] };
  /** Takes the focus at first. Absent when something else has it. */
  readonly focus: string | undefined;
}

/** A chip for each group of cameras, and a switch for each camera, which shows the chosen groups that have it. */
function CameraFields({ cameras, groups, chosen, focus }: CameraFieldsProps) {
  const fields = useRef<HTMLDivElement>(null);
  const [on, setOn] = useState(chosen.groups);
  const readGroups = () => {
    const form = fields.current?.closest('form');
    if (form) setOn(checkedIn(new FormData(form), 'group'));
  };
  // After a login in between, the fields have been filled again.
  useEffect(readGroups, []);
  const byGroup = (camera: string) => {
    const having = groups.filter(({ name, cameras: own }) => on.includes(name) && own.includes(camera));
    return having.length === 0
      ? undefined
      : fill(text.roleDialogs.byGroup, { groups: listText(having.map(({ name }) => nameText(name))) });
  };
  return (
    <div ref={fields}>
      {groups.length > 0 && (
        <fieldset class="hinted" onChange={readGroups}>
          <legend>{text.roles.groups}</legend>
          <div class="chips">
            {groups.map(({ name, cameras: own }) => (
              <label key={name} class="chip">
                <input
                  type="checkbox"
                  name="group"
                  value={name}
                  defaultChecked={chosen.groups.includes(name)}
                />
                {nameText(name)} <small>{numberText(own.length)}</small>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      <CameraChoice cameras={cameras} chosen={chosen.cameras} hintOf={byGroup} focus={focus} />
    </div>
  );
}
