import type { ActiveSession } from '../../api-client.ts';
import { EndAllSessions, EndSession, sessionRow, useSessions } from '../../ui/sessions/sessions.tsx';
import { useProfile } from '../../profile.ts';
import { Table, useRows } from '../../ui/lists/table.tsx';
import { text } from '../../text.ts';
import { TitledSection } from '../../ui/section.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useDialog } from '../../ui/forms/use-dialog.ts';
import { useWatching, Watching } from '../../ui/sessions/watching.tsx';

/** The user's own sessions. */
export function OwnSessions() {
  const { username } = useProfile();
  const { list, loadMore, refresh } = useSessions(username);
  const [dialog, open, close] = useDialog<ActiveSession | 'others'>('sessions');
  const { kind, items: sessions } = list;
  const { heading, goes } = useRows(sessions.map(({ id }) => id));
  const watching = useWatching(true, { heading });
  const isEmpty = sessions.length === 0;
  return (
    <TitledSection
      id="sessions"
      title={text.sessions.title}
      heading={heading}
      actions={
        (!isEmpty || kind === 'complete') && (
          <button type="button" class="danger outline" onClick={() => open('others')}>
            {text.sessions.endOthers}
          </button>
        )
      }
    >
      <Table
        what={text.sessions.what}
        whatLoads={text.sessions.yours}
        list={watching.together(list)}
        onRetry={refresh}
        onMore={loadMore}
        empty={text.sessions.noneNoted}
        caption={text.sessions.title}
        shown={(session) => sessionRow(session, { isNamed: false, within: watching.within, onEnd: open })}
      />
      {(!isEmpty || kind !== 'loading') && (
        <Watching watching={watching} isOwn listed={sessions.map(({ id }) => id)} heading={heading} />
      )}
      {dialog === 'others' && (
        <EndAllSessions
          onClose={close}
          onDone={() => {
            showToast(text.sessions.othersEnded);
            void refresh();
          }}
        />
      )}
      {typeof dialog === 'object' && (
        <EndSession
          session={dialog}
          onClose={close}
          onDone={() => {
            goes(dialog.id);
            showToast(text.sessions.ownEnded);
            void refresh();
          }}
        />
      )}
    </TitledSection>
  );
}

/** Open streams of a user who has no sessions here. */
export function OwnStreams({ heading }: { readonly heading: { readonly current: HTMLElement | null } }) {
  const watching = useWatching(true, { heading });
  return <Watching watching={watching} isOwn listed={[]} heading={heading} />;
}
