import { sessionsApi, bodyOf, type ActiveSession } from '../../api-client.ts';
import { EndGivenOut, keptOf, takenBack } from '../accounts/end-given-out.tsx';
import { ended } from '../ended.ts';
import { FormDialog, type DialogProps } from '../forms/form-dialog.tsx';
import { useProfile } from '../../profile.ts';
import { clientText } from './session-row.tsx';
import { fill, text } from '../../text.ts';

export function EndSession({ session, ...dialog }: DialogProps & { readonly session: ActiveSession }) {
  const words = text.sessions;
  const isOwn = useProfile().username === session.username;
  const end = async () => {
    await ended(sessionsApi[':id'].$delete({ param: { id: session.id } }));
  };
  return (
    <FormDialog
      title={text.sessions.endQuestion}
      submit={text.sessions.endSession}
      danger
      onSubmit={end}
      {...dialog}
    >
      <p>
        {fill(isOwn ? words.youLogInAgainThere : words.logInAgainThere, {
          user: session.username,
          client: clientText(session),
          address: session.address ?? words.unknownAddress,
        })}
      </p>
    </FormDialog>
  );
}

/** @param user undefined: the user's own sessions, except the current one */
export function EndAllSessions(props: DialogProps & { readonly user?: string | undefined }) {
  const { user, ...dialog } = props;
  const end = async (form: FormData) => {
    const keep = keptOf(form).join(',');
    await bodyOf(sessionsApi.index.$delete({ query: user === undefined ? { keep } : { user, keep } }));
  };
  return (
    <FormDialog
      title={
        user === undefined ? text.sessions.endOthersQuestion : fill(text.sessions.endAllQuestion, { user })
      }
      submit={user === undefined ? text.sessions.endOthers : text.sessions.endAll}
      danger
      onSubmit={end}
      {...dialog}
    >
      <p>{user === undefined ? text.sessions.othersMeans : fill(text.sessions.allMeans, { user })}</p>
      <EndGivenOut user={user} chosen={takenBack} />
    </FormDialog>
  );
}
