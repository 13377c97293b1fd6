import { bodyOf, displaysApi, type Display, FormProblem } from '../../api-client.ts';
import { useProfile } from '../../profile.ts';
import { fill, text } from '../../text.ts';
import { FormDialog, type DialogProps } from '../forms/form-dialog.tsx';
import { Chips, Field } from '../forms/field.tsx';
import { fieldOf } from '../forms/form-action.ts';
import { CameraPicks } from '../cameras/camera-choice.tsx';

/** Capabilities of a screen, in the order of the API. */
const displayMay = ['live', 'history', 'export'] as const;

type DisplayDialogProps<Result> = DialogProps<Result> & { readonly display: Display };

export function EndDisplay({ display, ...dialog }: DisplayDialogProps<void>) {
  const words = text.displays;
  return (
    <FormDialog
      title={fill(words.endQuestion, { name: display.name })}
      submit={words.endDisplay}
      danger
      onSubmit={async () => {
        await bodyOf(displaysApi[':id'].$delete({ param: { id: display.id } }));
      }}
      {...dialog}
    >
      <p>{fill(words.endMeans, { name: display.name })}</p>
    </FormDialog>
  );
}

export function ChangeDisplay({ display, ...dialog }: DisplayDialogProps<string>) {
  const { allowed_cameras: cameras } = useProfile();
  // A screen of another user may show a camera that this user does not see.
  const offered = [...new Set([...cameras, ...(display.cameras ?? [])])];
  return (
    <FormDialog<string>
      title={fill(text.displays.changeOf, { name: display.name })}
      submit={text.displays.save}
      onSubmit={async (form) => {
        const json = chosenIn(form, offered);
        await bodyOf(displaysApi[':id'].$put({ param: { id: display.id }, json }));
        return json.name;
      }}
      {...dialog}
    >
      <DisplayFields
        name={display.name}
        cameras={offered}
        chosen={display.cameras ?? offered}
        may={display.may}
      />
    </FormDialog>
  );
}

interface DisplayFieldsProps {
  readonly name: string;
  /** The cameras that the user may see. */
  readonly cameras: readonly string[];
  /** The values that are on at first. */
  readonly chosen: readonly string[];
  readonly may: readonly string[];
}

/** Fields for the name of a screen, its cameras and what it may do. */
export function DisplayFields({ name, cameras, chosen, may }: DisplayFieldsProps) {
  const words = text.displays;
  return (
    <>
      <Field
        label={words.name}
        hint={words.nameHint}
        name="name"
        autocomplete="off"
        maxLength={64}
        defaultValue={name}
        required
      />
      <CameraPicks cameras={cameras} legend={words.shows} chosen={chosen} />
      <Chips
        legend={words.may}
        type="checkbox"
        name="may"
        options={displayMay.map((capability) => [capability, text.capabilities.names[capability]])}
        chosen={may}
      />
    </>
  );
}

/** The values of the fields, for the API. */
interface ChosenDisplay {
  readonly name: string;
  /** Null for all cameras that the user may see, now and later. */
  readonly cameras: string[] | null;
  readonly may: Array<(typeof displayMay)[number]>;
}

/** @param cameras that the user may see. @throws FormProblem */
export function chosenIn(form: FormData, cameras: readonly string[]): ChosenDisplay {
  const ticked = form.getAll('camera').map(String);
  if (ticked.length === 0) throw new FormProblem(text.displays.chooseCamera);
  const may = displayMay.filter((capability) => form.getAll('may').includes(capability));
  return {
    name: fieldOf(form, 'name').trim(),
    cameras: ticked.length === cameras.length ? null : ticked,
    may: may.length === 0 ? ['live'] : may,
  };
}
