import { FormDialog, type DialogProps } from '../../ui/forms/form-dialog.tsx';
import { shareName, endShare, type Share } from '../../ui/shares/shares-api.ts';
import { fill, text } from '../../text.ts';

/** Asks for confirmation before a share is ended. */
export function EndShare({ share, ...dialog }: DialogProps & { readonly share: Share }) {
  return (
    <FormDialog
      title={fill(text.shares.endQuestion, { share: shareName(share) })}
      submit={text.shares.endNow}
      danger
      onSubmit={() => endShare(share.id)}
      {...dialog}
    >
      <p>{text.shares.endMeans}</p>
    </FormDialog>
  );
}
