import { loginApi, bodyOf, type ActiveSession } from '../../api-client.ts';
import { ListSearch, useFilters } from '../../ui/lists/list-search.tsx';
import { Message } from '../../ui/notices.tsx';
import { useProfile } from '../../profile.ts';
import { EndAllSessions, EndSession, sessionRow, useSessions } from '../../ui/sessions/sessions.tsx';
import { SettingsFrame, TitledSection } from '../../ui/section.tsx';
import { Table, useRows } from '../../ui/lists/table.tsx';
import { fill, text } from '../../text.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useDialog } from '../../ui/forms/use-dialog.ts';
import { useLoaded } from '../../ui/loading.ts';
import { useOnReturn } from '../../ui/page-hooks.ts';
import { useWatching, Watching } from '../../ui/sessions/watching.tsx';

export function SessionsPage() {
  return (
    <SettingsFrame page="sessions">
      <Sessions />
    </SettingsFrame>
  );
}

/** The sessions of all users. */
function Sessions() {
  const [filters, setFilters] = useFilters('search', 'user');
  const { search } = filters;
  const user = filters.user || undefined;
  const { username } = useProfile();
  const { list, loadMore, refresh } = useSessions(user, search);
  useOnReturn(refresh);
  const [login] = useLoaded(() => bodyOf(loginApi.index.$get()));
  const [dialog, open, close] = useDialog<ActiveSession | 'all'>('sessions');
  const { kind, items: sessions } = list;
  const { heading, goes } = useRows(sessions.map(({ id }) => id));
  const watching = useWatching(false, { heading });
  const showAll = () => setFilters({ search: '', user: '' });
  const isOwn = user === username;
  const whose = isOwn ? undefined : user;
  const isEmpty = sessions.length === 0;
  return (
    <TitledSection page id="sessions" title={text.sessions.title} heading={heading}>
      {login.kind === 'loaded' && !login.value.enabled && <p class="notice">{text.sessions.byProxy}</p>}
      <ListSearch
        hint={text.sessions.searchHint}
        search={search}
        onSearch={(next) => setFilters({ search: next })}
        isFiltered={search !== '' || user !== undefined}
        found={kind === 'complete' || kind === 'partial' ? sessions.length : undefined}
        orMore={list.next !== null}
      >
        {user !== undefined && (
          <button
            type="button"
            class="secondary outline"
            aria-pressed
            onClick={() => {
              setFilters({ user: '' });
              heading.current?.focus();
            }}
          >
            {fill(text.sessions.only, { user })} <span aria-hidden="true">✕</span>
          </button>
        )}
        {user !== undefined && !isEmpty && (
          <button type="button" class="danger outline" onClick={() => open('all')}>
            {whose === undefined ? text.sessions.endOthers : fill(text.sessions.endAllOf, { user: whose })}
          </button>
        )}
      </ListSearch>
      <Table
        what={text.sessions.what}
        list={watching.together(list)}
        onRetry={refresh}
        onMore={loadMore}
        empty={
          <Message title={text.sessions.none}>
            <p>{user === undefined ? text.sessions.noneAtAll : fill(text.sessions.notLoggedIn, { user })}</p>
            {user !== undefined && (
              <button type="button" onClick={showAll}>
                {text.sessions.showAll}
              </button>
            )}
          </Message>
        }
        onShowAll={search === '' ? undefined : showAll}
        caption={text.sessions.title}
        shown={(session) => sessionRow(session, { isNamed: true, within: watching.within, onEnd: open })}
      />
      {(!isEmpty || kind !== 'loading') && (
        <Watching
          watching={watching}
          user={user}
          search={search}
          listed={sessions.map(({ id }) => id)}
          heading={heading}
        />
      )}
      {dialog === 'all' && (
        <EndAllSessions
          user={whose}
          onClose={close}
          onDone={() => {
            goes();
            showToast(
              whose === undefined ? text.sessions.othersEnded : fill(text.sessions.allEnded, { user: whose }),
            );
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
            showToast(fill(text.sessions.ended, { user: dialog.username }));
            void refresh();
          }}
        />
      )}
    </TitledSection>
  );
}
