import { sessionsApi, ApiFailure, bodyOf, type ActiveSession } from './api-client.ts';
import { FormDialog, type DialogProps } from './form-dialog.tsx';
import { useProfile } from './profile.ts';
import { clientText } from './session-list.tsx';

export function EndSession({ session, onClose, onDone }: DialogProps & { readonly session: ActiveSession }) {
  const isOwn = useProfile().username === session.username;
  const end = async () => {
    const param = { id: encodeURIComponent(session.id) };
    try {
      await bodyOf(sessionsApi[':id'].$delete({ param }));
    } catch (error) {
      // It has ended meanwhile, which is what was wanted.
      if (!(error instanceof ApiFailure && error.status === 404)) throw error;
    }
  };
  return (
    <FormDialog title="End this session?" submit="End session" danger {...{ onClose, onDone }} onSubmit={end}>
      <p>
        {isOwn ? (
          'You have'
        ) : (
          <>
            <strong>{session.username}</strong> has
          </>
        )}{' '}
        to log in again there: {clientText(session)}, {session.address ?? 'unknown address'}.
      </p>
    </FormDialog>
  );
}

/** @param user whose; undefined: one's own */
export function EndAllSessions(
  props: DialogProps & { readonly user?: string | undefined; readonly own: boolean },
) {
  const { user, own, onClose, onDone } = props;
  const end = async () => {
    await bodyOf(sessionsApi.index.$delete({ query: user === undefined ? {} : { user } }));
  };
  return (
    <FormDialog
      title={own ? 'End all other sessions?' : `End all sessions of ${user}?`}
      submit={own ? 'End all others' : 'End all sessions'}
      danger
      onClose={onClose}
      onDone={onDone}
      onSubmit={end}
    >
      <p>
        {own ? (
          'You have to log in again everywhere but here.'
        ) : (
          <>
            <strong>{user}</strong> has to log in again everywhere. To keep somebody out, change the password
            or delete the user.
          </>
        )}
      </p>
    </FormDialog>
  );
}
