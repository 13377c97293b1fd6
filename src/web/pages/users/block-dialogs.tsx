import { bodyOf, userDetailsApi, type User } from '../../api-client.ts';
import { EndGivenOut, keptOf, takenBack } from '../../ui/accounts/end-given-out.tsx';
import { resetFactors } from '../../ui/sign-in/factors-api.ts';
import { FormDialog, type DialogProps } from '../../ui/forms/form-dialog.tsx';
import { fill, text } from '../../text.ts';

type UserDialogProps = DialogProps & { readonly user: User };

/** Blocks or unblocks a user. @throws ApiFailure */
export async function setBlocked(username: string, blocked: boolean): Promise<void> {
  await bodyOf(userDetailsApi[':username'].blocked.$put({ param: { username }, json: { blocked } }));
}

export function BlockUser({ user, ...dialog }: UserDialogProps) {
  const { username } = user;
  return (
    <FormDialog
      title={fill(text.users.blockQuestion, { user: username })}
      submit={text.users.blockUser}
      danger
      onSubmit={() => setBlocked(username, true)}
      {...dialog}
    >
      <p>{fill(text.users.blockMeans, { user: username })}</p>
    </FormDialog>
  );
}

export function UnblockUser({ user, ...dialog }: UserDialogProps) {
  const { username } = user;
  return (
    <FormDialog
      title={fill(text.users.unblockQuestion, { user: username })}
      submit={text.users.unblockUser}
      onSubmit={() => setBlocked(username, false)}
      {...dialog}
    >
      <p>{fill(text.users.unblockMeans, { user: username })}</p>
    </FormDialog>
  );
}

export function ResetFactors({ user, ...dialog }: UserDialogProps) {
  const { username } = user;
  return (
    <FormDialog
      title={fill(text.users.resetFactorsQuestion, { user: username })}
      submit={text.users.resetFactorsNow}
      danger
      onSubmit={async (form) => void (await resetFactors(username, keptOf(form)))}
      {...dialog}
    >
      <p>{fill(text.users.resetFactorsMeans, { user: username })}</p>
      <EndGivenOut user={username} chosen={takenBack} />
    </FormDialog>
  );
}
