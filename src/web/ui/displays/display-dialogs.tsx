import { bodyOf } from '../../api-client.ts';
import { useProfile } from '../../profile.ts';
import { fill, text } from '../../text.ts';
import { FormDialog, type DialogProps } from '../forms/form-dialog.tsx';
import { chosenIn, DisplayFields } from './display-fields.tsx';
import { displaysApi, endDisplay, type Display } from './displays-api.ts';

type DisplayDialogProps<Result> = DialogProps<Result> & { readonly display: Display };

export function EndDisplay({ display, ...dialog }: DisplayDialogProps<void>) {
  const words = text.displays;
  return (
    <FormDialog
      title={fill(words.endQuestion, { name: display.name })}
      submit={words.endDisplay}
      danger
      onSubmit={() => endDisplay(display)}
      {...dialog}
    >
      <p>{fill(words.endMeans, { name: display.name })}</p>
    </FormDialog>
  );
}

export function ChangeDisplay({ display, ...dialog }: DisplayDialogProps<string>) {
  const { allowed_cameras: cameras } = useProfile();
  // A display of another user may show a camera that this user does not see.
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
