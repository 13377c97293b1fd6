import { useRef, useState } from 'preact/hooks';
import { loginApi, bodyOf, type ActiveSession } from './api-client.ts';
import { useFocusNear } from './focus-near.ts';
import { ListSearch } from './list-search.tsx';
import { LoadMore } from './load-more.tsx';
import { FailureNotice, LoadFailure, Loading, Message } from './notices.tsx';
import { NothingFound } from './nothing-found.tsx';
import { useProfile } from './profile.ts';
import { EndAllSessions, EndSession } from './session-dialogs.tsx';
import { SessionList } from './session-list.tsx';
import { SettingsFrame } from './settings-frame.tsx';
import { text } from './text.ts';
import { tell } from './toasts.tsx';
import { useDialog } from './use-dialog.ts';
import { useFilters } from './use-filters.ts';
import { useLoaded } from './use-loaded.ts';
import { useSessions } from './use-sessions.ts';
import { Watching, type Within } from './watching.tsx';

export function SessionsPage() {
  return (
    <SettingsFrame page="sessions">
      <Sessions />
    </SettingsFrame>
  );
}

/** Everybody's sessions. */
function Sessions() {
  const [filters, setFilters] = useFilters('search', 'user');
  const { search } = filters;
  const user = filters.user || undefined;
  const { username } = useProfile();
  const { list, loadMore, refresh } = useSessions(user, search);
  const [login] = useLoaded(() => bodyOf(loginApi.index.$get()));
  const [dialog, open, close] = useDialog<ActiveSession | 'all'>('sessions');
  const heading = useRef<HTMLHeadingElement>(null);
  const [shown, setShown] = useState<{ readonly within: Within }>();
  const { kind, items: sessions, error } = list;
  const ends = useFocusNear(
    sessions.map(({ id }) => id),
    heading,
  );
  const showAll = () => setFilters({ search: '', user: '' });
  const isOwn = user === username;
  const whose = isOwn ? undefined : user;
  const isEmpty = sessions.length === 0;
  return (
    <section aria-labelledby="sessions">
      <div class="title-row">
        <h2 id="sessions" ref={heading} tabIndex={-1}>
          {text.sessions.title}
        </h2>
        <button
          type="button"
          class="secondary outline"
          onClick={() => void refresh()}
          disabled={kind === 'loading'}
        >
          {text.lists.refresh}
        </button>
      </div>
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
            {text.sessions.only(user)} <span aria-hidden="true">✕</span>
          </button>
        )}
        {user !== undefined && !isEmpty && (
          <button type="button" class="danger outline" onClick={() => open('all')}>
            {whose === undefined ? text.sessions.endOthers : text.sessions.endAllOf(whose)}
          </button>
        )}
      </ListSearch>
      {!isEmpty && kind === 'failed' && <FailureNotice error={error} />}
      {isEmpty && kind === 'loading' && <Loading what={text.sessions.what} />}
      {isEmpty && kind === 'failed' && (
        <LoadFailure what={text.sessions.what} error={error} onRetry={() => void refresh()} />
      )}
      {isEmpty && kind === 'complete' && search !== '' && <NothingFound onShowAll={showAll} />}
      {isEmpty && kind === 'complete' && search === '' && (
        <Message title={text.sessions.none}>
          <p>{user === undefined ? text.sessions.nobody : text.sessions.notLoggedIn(user)}</p>
          {user !== undefined && (
            <button type="button" onClick={showAll}>
              {text.sessions.showAll}
            </button>
          )}
        </Message>
      )}
      {!isEmpty && <SessionList sessions={sessions} named within={shown?.within} onEnd={open} />}
      {list.next !== null && <LoadMore busy={kind === 'loading'} onLoad={loadMore} />}
      {(!isEmpty || kind !== 'loading') && (
        <Watching
          user={user}
          search={search}
          listed={sessions.map(({ id }) => id)}
          heading={heading}
          onWithin={setShown}
        />
      )}
      {dialog === 'all' && (
        <EndAllSessions
          user={whose}
          onClose={close}
          onDone={() => {
            ends();
            tell(whose === undefined ? text.sessions.othersEnded : text.sessions.allEnded(whose));
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
            tell(text.sessions.ended(dialog.username));
            void refresh();
          }}
        />
      )}
    </section>
  );
}
