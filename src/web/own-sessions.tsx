import { useState } from 'preact/hooks';
import type { ActiveSession } from './api-client.ts';
import { LoadMore } from './load-more.tsx';
import { FailureNotice, LoadFailure, Loading } from './notices.tsx';
import { EndAllSessions, EndSession } from './session-dialogs.tsx';
import { SessionList } from './session-list.tsx';
import { useProfile } from './profile.ts';
import { useSessions } from './use-sessions.ts';

/** The sessions of whoever looks at the page. */
export function OwnSessions() {
  const { username } = useProfile();
  const { list, loadMore, refresh } = useSessions(username);
  const [ending, setEnding] = useState<ActiveSession | 'others'>();
  const { kind, items: sessions, error } = list;
  const close = () => setEnding(undefined);
  const isEmpty = sessions.length === 0;
  return (
    <section aria-labelledby="sessions">
      <div class="title-row">
        <h2 id="sessions">Sessions</h2>
        {(!isEmpty || kind === 'complete') && (
          <button type="button" class="danger outline" onClick={() => setEnding('others')}>
            End all others
          </button>
        )}
      </div>
      {isEmpty && kind === 'loading' && <Loading what="your sessions" />}
      {isEmpty && kind === 'failed' && <LoadFailure what="sessions" error={error} onRetry={refresh} />}
      {!isEmpty && <FailureNotice error={kind === 'failed' ? error : undefined} />}
      {isEmpty && kind === 'complete' && <p class="placeholder">No session was written down yet.</p>}
      {!isEmpty && <SessionList sessions={sessions} onEnd={setEnding} />}
      {list.next !== null && <LoadMore busy={kind === 'loading'} onLoad={loadMore} />}
      {ending === 'others' && <EndAllSessions own onClose={close} onDone={refresh} />}
      {typeof ending === 'object' && <EndSession session={ending} onClose={close} onDone={refresh} />}
    </section>
  );
}
