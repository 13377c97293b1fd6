import { useRef, useState } from 'preact/hooks';
import type { ActiveSession } from './api-client.ts';
import { useFocusNear } from './focus-near.ts';
import { LoadMore } from './load-more.tsx';
import { FailureNotice, LoadFailure, Loading } from './notices.tsx';
import { EndAllSessions, EndSession } from './session-dialogs.tsx';
import { SessionList } from './session-list.tsx';
import { useProfile } from './profile.ts';
import { text } from './text.ts';
import { tell } from './toasts.tsx';
import { useDialog } from './use-dialog.ts';
import { useSessions } from './use-sessions.ts';
import { Watching, type Within } from './watching.tsx';

/** The sessions of whoever looks at the page. */
export function OwnSessions() {
  const { username } = useProfile();
  const { list, loadMore, refresh } = useSessions(username);
  const [dialog, open, close] = useDialog<ActiveSession | 'others'>('sessions');
  const heading = useRef<HTMLHeadingElement>(null);
  const [shown, setShown] = useState<{ readonly within: Within }>();
  const { kind, items: sessions, error } = list;
  const ends = useFocusNear(
    sessions.map(({ id }) => id),
    heading,
  );
  const isEmpty = sessions.length === 0;
  return (
    <section aria-labelledby="sessions">
      <div class="title-row">
        <h2 id="sessions" ref={heading} tabIndex={-1}>
          {text.sessions.title}
        </h2>
        {(!isEmpty || kind === 'complete') && (
          <button type="button" class="danger outline" onClick={() => open('others')}>
            {text.sessions.endOthers}
          </button>
        )}
      </div>
      {isEmpty && kind === 'loading' && <Loading what={text.sessions.yours} />}
      {isEmpty && kind === 'failed' && (
        <LoadFailure what={text.sessions.what} error={error} onRetry={() => void refresh()} />
      )}
      {!isEmpty && <FailureNotice error={kind === 'failed' ? error : undefined} />}
      {isEmpty && kind === 'complete' && <p class="placeholder">{text.sessions.noneNoted}</p>}
      {!isEmpty && <SessionList sessions={sessions} within={shown?.within} onEnd={open} />}
      {list.next !== null && <LoadMore busy={kind === 'loading'} onLoad={loadMore} />}
      {(!isEmpty || kind !== 'loading') && (
        <Watching isOwn listed={sessions.map(({ id }) => id)} heading={heading} onWithin={setShown} />
      )}
      {dialog === 'others' && (
        <EndAllSessions
          onClose={close}
          onDone={() => {
            tell(text.sessions.othersEnded);
            void refresh();
          }}
        />
      )}
      {typeof dialog === 'object' && (
        <EndSession
          session={dialog}
          onClose={close}
          onDone={() => {
            ends(dialog.id);
            tell(text.sessions.ownEnded);
            void refresh();
          }}
        />
      )}
    </section>
  );
}

/** What somebody watches who has no sessions here. */
export function OwnStreams({ heading }: { readonly heading: { readonly current: HTMLElement | null } }) {
  return <Watching isOwn listed={[]} heading={heading} />;
}
