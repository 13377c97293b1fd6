import { useState } from 'preact/hooks';
import type { LiveSession } from './api-client.ts';
import { FailureNotice, LoadFailure, Loading } from './notices.tsx';
import { EndAllSessions, EndSession } from './session-dialogs.tsx';
import { SessionList } from './session-list.tsx';
import { useProfile } from './profile.ts';
import { useSessions } from './use-sessions.ts';

/** The sessions of whoever looks at the page. */
export function OwnSessions() {
  const { username } = useProfile();
  const { list, loadMore, refresh } = useSessions(username);
  const [ending, setEnding] = useState<LiveSession | 'others'>();
  const { kind, items: sessions, error } = list;
  const close = () => setEnding(undefined);
  if (sessions.length === 0 && kind === 'loading') return <Loading what="your sessions" />;
  if (sessions.length === 0 && kind === 'failed')
    return <LoadFailure what="sessions" error={error} onRetry={refresh} />;
  return (
    <>
      <FailureNotice error={kind === 'failed' ? error : undefined} />
      {sessions.length === 0 && kind === 'complete' ? (
        <p class="placeholder">No session was written down yet.</p>
      ) : (
        <SessionList sessions={sessions} onEnd={setEnding} />
      )}
      <p class="row-actions below">
        {list.next !== null && (
          <button type="button" class="secondary outline" disabled={kind === 'loading'} onClick={loadMore}>
            More sessions
          </button>
        )}
        <button type="button" class="danger outline" onClick={() => setEnding('others')}>
          End all others
        </button>
      </p>
      {ending === 'others' && <EndAllSessions own onClose={close} onDone={refresh} />}
      {typeof ending === 'object' && <EndSession session={ending} onClose={close} onDone={refresh} />}
    </>
  );
}
