import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { loginApi, usersApi, bodyOf, type ActiveSession } from './api-client.ts';
import { LoadMore } from './load-more.tsx';
import { FailureNotice, LoadFailure, Loading, Message } from './notices.tsx';
import { useProfile } from './profile.ts';
import { EndAllSessions, EndSession } from './session-dialogs.tsx';
import { SessionList } from './session-list.tsx';
import { SettingsFrame } from './settings-frame.tsx';
import { useLoaded } from './use-loaded.ts';
import { useSessions } from './use-sessions.ts';

export function SessionsPage() {
  return (
    <SettingsFrame page="sessions">
      <Sessions />
    </SettingsFrame>
  );
}

async function loadAccounts() {
  const [users, login] = await Promise.all([
    bodyOf(usersApi.index.$get({ query: {} })),
    bodyOf(loginApi.index.$get()),
  ]);
  return { names: users.map(({ username }) => username), usesAccounts: login.enabled };
}

/** Everybody's sessions. The filter is in the address, so that it can be kept and sent. */
function Sessions() {
  const { query, route } = useLocation();
  const user = query['user'] || undefined;
  const { username } = useProfile();
  const { list, loadMore, refresh } = useSessions(user);
  const [accounts] = useLoaded(loadAccounts);
  const [ending, setEnding] = useState<ActiveSession | 'all'>();
  const { kind, items: sessions, error } = list;
  const close = () => setEnding(undefined);
  const filter = (name: string) =>
    route(
      name === ''
        ? location.pathname
        : `${location.pathname}?${new URLSearchParams({ user: name }).toString()}`,
    );
  const { names = [], usesAccounts = true } = accounts.kind === 'loaded' ? accounts.value : {};
  const isOwn = user === username;
  return (
    <section aria-labelledby="sessions">
      <div class="title-row">
        <h2 id="sessions">Sessions</h2>
        <button type="button" class="secondary outline" onClick={refresh} disabled={kind === 'loading'}>
          Refresh
        </button>
      </div>
      {!usesAccounts && (
        <p class="notice">The proxy in front logs users in: these sessions are not used at the moment.</p>
      )}
      <div class="filter-row">
        <label>
          User
          <select value={user ?? ''} onChange={(event) => filter(event.currentTarget.value)}>
            <option value="">All users</option>
            {[...new Set([...names, ...(user === undefined ? [] : [user])])].map((name) => (
              <option key={name} value={name} selected={name === user}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {user !== undefined && sessions.length > 0 && (
          <button type="button" class="danger outline" onClick={() => setEnding('all')}>
            {isOwn ? 'End all others' : `End all of ${user}`}
          </button>
        )}
      </div>
      {sessions.length > 0 && kind === 'failed' && <FailureNotice error={error} />}
      {sessions.length === 0 && kind === 'loading' && <Loading what="sessions" />}
      {sessions.length === 0 && kind === 'failed' && (
        <LoadFailure what="sessions" error={error} onRetry={refresh} />
      )}
      {sessions.length === 0 && kind === 'complete' && (
        <Message title="No sessions">
          <p>{user === undefined ? 'Nobody is logged in.' : `${user} is not logged in.`}</p>
          {user !== undefined && (
            <button type="button" onClick={() => filter('')}>
              Show all sessions
            </button>
          )}
        </Message>
      )}
      {sessions.length > 0 && <SessionList sessions={sessions} named onEnd={setEnding} />}
      {list.next !== null && <LoadMore busy={kind === 'loading'} onLoad={loadMore} />}
      {ending === 'all' && <EndAllSessions user={user} own={isOwn} onClose={close} onDone={refresh} />}
      {typeof ending === 'object' && <EndSession session={ending} onClose={close} onDone={refresh} />}
    </section>
  );
}
