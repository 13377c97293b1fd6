import { cameraText } from '../../ui/cameras/camera-names.ts';
import { type CameraGroup, type GroupChange, FormProblem } from '../../api-client.ts';
import { CameraChoice } from '../../ui/cameras/camera-choice.tsx';
import { roleText } from '../../ui/roles/role-access.ts';
import { countedUsers, defineGroup, previewGroup, removeGroup } from '../../ui/roles/roles-api.ts';
import { asTyped, Field } from '../../ui/forms/field.tsx';
import { fieldOf } from '../../ui/forms/form-action.ts';
import { FormDialog, type DialogProps } from '../../ui/forms/form-dialog.tsx';
import { listText, nameText } from '../../ui/words.ts';
import { checkedIn } from '../../ui/roles/role-form.ts';
import { fill, text } from '../../text.ts';

/** `onDone` gets the name. */
interface EditGroupProps extends DialogProps<string> {
  /** Omit for a new group. */
  readonly group: CameraGroup | undefined;
  /** A group of the recorder, from which the new one gets its name and cameras. */
  readonly offered?: Pick<CameraGroup, 'name' | 'cameras'> | undefined;
  readonly taken: readonly string[];
  readonly cameras: readonly string[];
}

/** Shows who would gain or lose which cameras, and saves after a confirmation. */
export function EditGroup({ group, offered, taken, cameras, ...dialog }: EditGroupProps) {
  const words = text.cameraGroups;
  const own = group?.cameras ?? offered?.cameras ?? [];
  const choice = [...new Set([...cameras, ...(group?.cameras ?? [])])];
  const wanted = (form: FormData) => {
    const name = group?.name ?? fieldOf(form, 'name');
    if (group === undefined && taken.some((other) => other.toLowerCase() === name.toLowerCase()))
      throw new FormProblem(words.taken);
    const checked = checkedIn(form, 'camera');
    if (checked.length === 0) throw new FormProblem(words.needsCameras);
    return { name, checked };
  };
  return (
    <FormDialog
      title={group === undefined ? words.add : fill(words.editOf, { group: nameText(group.name) })}
      submit={group === undefined ? words.add : words.save}
      preview={async (form) => {
        const { name, checked } = wanted(form);
        const changes = await previewGroup(name, checked);
        if (changes.length === 0) return undefined;
        return {
          title: fill(words.changesOf, { group: nameText(name) }),
          content: <Changes changes={changes} />,
          confirm: words.save,
        };
      }}
      onSubmit={async (form) => {
        const { name, checked } = wanted(form);
        await defineGroup(name, checked);
        return name;
      }}
      {...dialog}
    >
      {group === undefined && (
        <Field
          label={words.name}
          hint={words.nameHint}
          {...asTyped}
          name="name"
          pattern="(?!\.{1,2}$)[A-Za-z0-9._\-]{1,64}"
          title={words.nameForm}
          maxLength={64}
          defaultValue={offered?.name}
          autofocus
          required
        />
      )}
      <CameraChoice cameras={choice} chosen={own} focus={group === undefined ? undefined : choice[0]} />
    </FormDialog>
  );
}

/** Who gains and who loses cameras. */
function Changes({ changes }: { readonly changes: readonly GroupChange[] }) {
  const words = text.cameraGroups;
  return (
    <ul class="changes">
      {changes.flatMap(({ role, users, gains, loses }) => {
        const who = fill(words.who, { role: roleText(role), users: countedUsers(users) });
        return [
          gains.length > 0 && (
            <li key={`+${role}`}>{fill(words.gains, { who, cameras: listText(gains.map(cameraText)) })}</li>
          ),
          loses.length > 0 && (
            <li key={`-${role}`}>{fill(words.loses, { who, cameras: listText(loses.map(cameraText)) })}</li>
          ),
        ];
      })}
    </ul>
  );
}

/** `onDone` gets a function that makes the group again. */
interface RemoveGroupProps extends DialogProps<() => Promise<void>> {
  readonly group: CameraGroup;
}

export function RemoveGroup({ group, ...dialog }: RemoveGroupProps) {
  const words = text.cameraGroups;
  return (
    <FormDialog
      title={fill(words.removeQuestion, { group: nameText(group.name) })}
      submit={words.removeGroup}
      danger
      onSubmit={async () => removeGroup(group)}
      {...dialog}
    >
      <p>{words.isUnused}</p>
    </FormDialog>
  );
}
