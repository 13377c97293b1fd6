import type { Ended } from '../accounts/recovery.ts';
import { bodyOf, userDetailsApi, type User } from './api-client.ts';
import { EndGivenOut, keptOf } from './end-given-out.tsx';
import { resetFactors } from './factors-api.ts';
import { FormDialog, type DialogProps } from './form-dialog.tsx';
import { text } from './text.ts';

type UserDialogProps<Result = void> = DialogProps<Result> & { readonly user: User };

/** Keeps a user out, or lets one in again. @throws ApiFailure */
export async function setBlocked(username: string, blocked: boolean): Promise<void> {
  await bodyOf(userDetailsApi[':username'].blocked.$put({ param: { username }, json: { blocked } }));
}

export function BlockUser({ user, onClose, onDone }: UserDialogProps) {
  const { username } = user;
  return (
    <FormDialog
      title={text.users.blockQuestion(username)}
      submit={text.users.blockUser}
      danger
      onClose={onClose}
      onDone={onDone}
      onSubmit={() => setBlocked(username, true)}
    >
      <p>{text.users.blockMeans(username)}</p>
    </FormDialog>
  );
}

export function UnblockUser({ user, onClose, onDone }: UserDialogProps) {
  const { username } = user;
  return (
    <FormDialog
      title={text.users.unblockQuestion(username)}
      submit={text.users.unblockUser}
      onClose={onClose}
      onDone={onDone}
      onSubmit={() => setBlocked(username, false)}
    >
      <p>{text.users.unblockMeans(username)}</p>
    </FormDialog>
  );
}

/** `onDone` is told what else has ended. */
export function ResetFactors({ user, onClose, onDone }: UserDialogProps<Ended>) {
  const { username } = user;
  return (
    <FormDialog
      title={text.users.resetFactorsQuestion(username)}
      submit={text.users.resetFactorsNow}
      danger
      onClose={onClose}
      onDone={onDone}
      onSubmit={(form) => resetFactors(username, keptOf(form))}
    >
      <p>{text.users.resetFactorsMeans(username)}</p>
      <EndGivenOut user={username} />
    </FormDialog>
  );
}
