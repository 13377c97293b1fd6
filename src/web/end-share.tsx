import { ApiFailure } from './api-client.ts';
import { FormDialog, type DialogProps } from './form-dialog.tsx';
import { shareName } from './share-text.ts';
import { endShare, type Share } from './shares-api.ts';
import { text } from './text.ts';

export function EndShare({ share, onClose, onDone }: DialogProps & { readonly share: Share }) {
  const end = async () => {
    try {
      await endShare(share.id);
    } catch (error) {
      // It has ended meanwhile, which is what was wanted.
      if (!(error instanceof ApiFailure && error.status === 404)) throw error;
    }
  };
  return (
    <FormDialog
      title={text.shares.endQuestion(shareName(share))}
      submit={text.shares.endNow}
      danger
      onClose={onClose}
      onDone={onDone}
      onSubmit={end}
    >
      <p>{text.shares.endMeans}</p>
    </FormDialog>
  );
}
