import type { ComponentChildren } from 'preact';
import { agentText } from './agent-text.ts';
import { sessionsApi, bodyOf, ended, type ActiveSession } from '../../api-client.ts';
import { Facts } from '../section.tsx';
import { gatePath } from '../../path-prefix.ts';
import type { RowContent } from '../lists/row.tsx';
import { fill, text } from '../../text.ts';
import { Time, TimeAgo } from '../parts.tsx';
import { EndGivenOut, keptOf, takenBack } from '../accounts/end-given-out.tsx';
import { FormDialog, type DialogProps } from '../forms/form-dialog.tsx';
import { useProfile } from '../../profile.ts';
import { usePages, type Page, type PageOptions } from '../lists/use-pages.ts';

interface Circumstances {
  /** Whether the list has several users. */
  readonly isNamed: boolean;
  /** Renders the open streams of a session. */
  readonly within: (session: string) => ComponentChildren;
  readonly onEnd: (session: ActiveSession) => void;
}

/** A session, its details and a button that ends it. */
export function sessionRow(session: ActiveSession, { isNamed, within, onEnd }: Circumstances): RowContent {
  const { username } = session;
  const client = clientText(session);
  return {
    key: session.id,
    class: 'session',
    isNarrow: true,
    title: isNamed ? <SessionsOf username={username} /> : client,
    aside: session.current && <span class="badge strong">{text.sessions.current}</span>,
    facts: [
      ...(isNamed ? [client] : []),
      session.address ?? text.sessions.unknownAddress,
      <>
        {text.sessions.seen} <TimeAgo seconds={session.last_seen_at} />
      </>,
      <>
        {text.sessions.began} <TimeAgo seconds={session.began_at} />
      </>,
    ],
    more: (
      <>
        {within(session.id)}
        <details class="more">
          <summary>{text.sessions.details}</summary>
          <Facts
            facts={[
              [text.sessions.loggedIn, <Time seconds={session.began_at} />],
              [text.sessions.lastSeen, <Time seconds={session.last_seen_at} />],
              [text.sessions.endsByItself, <Time seconds={session.expires_at} />],
              [text.sessions.client, session.agent ?? text.sessions.noClientName],
            ]}
          />
        </details>
      </>
    ),
    actions: [
      !session.current && {
        label: fill(text.sessions.endOf, { user: username, client }),
        name: text.sessions.end,
        danger: true,
        onClick: () => onEnd(session),
      },
    ],
  };
}

function SessionsOf({ username }: { readonly username: string }) {
  return (
    <a
      class="plain"
      href={gatePath(`/settings/sessions?${new URLSearchParams({ user: username }).toString()}`)}
      title={fill(text.sessions.onlyOf, { user: username })}
    >
      {username}
    </a>
  );
}

const longestTitle = 60;

/** The client's name, short enough for a title. */
function clientText({ agent }: ActiveSession): string {
  const words = agentText(agent);
  return words.length > longestTitle ? `${words.slice(0, longestTitle)}…` : words;
}

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

/** @param user omit for the user's own sessions, except the current one */
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

const usual = 100;
const most = 500;

/**
 * Active sessions, page by page.
 * @param user omit for the sessions of all users as an admin, else the user's own
 * @param search words that are parts of the user, the address or the client
 */
export function useSessions(user: string | undefined, search = '') {
  const read = async (
    first: string | null,
    { signal, wanted }: PageOptions,
  ): Promise<Page<ActiveSession, string>> => {
    const size = Math.min(Math.max(wanted, usual), most);
    // A page of a search holds the matches among so many sessions, perhaps none.
    const least = search === '' ? 0 : usual;
    const found: ActiveSession[] = [];
    let before = first;
    do {
      const query = {
        ...(user === undefined ? {} : { user }),
        ...(search === '' ? {} : { search }),
        ...(size === usual ? {} : { limit: String(size) }),
        ...(before === null ? {} : { before }),
      };
      const { sessions, next } = await bodyOf(sessionsApi.index.$get({ query }, { init: { signal } }));
      found.push(...sessions);
      before = next;
    } while (before !== null && found.length < least);
    return { items: found, next: before };
  };
  const { list, ...actions } = usePages(read, [user, search], true);
  // A session that was used meanwhile has moved to the front, and must not appear twice.
  const sessions = [...new Map(list.items.map((session) => [session.id, session])).values()];
  return { ...actions, list: { ...list, items: sessions } };
}
