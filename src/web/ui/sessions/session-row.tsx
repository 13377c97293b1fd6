import type { ComponentChildren } from 'preact';
import { agentText } from './agent-text.ts';
import type { ActiveSession } from '../../api-client.ts';
import { Facts } from '../facts.tsx';
import { gatePath } from '../../path-prefix.ts';
import type { RowContent } from '../lists/row.tsx';
import { fill, text } from '../../text.ts';
import { Time, TimeAgo } from '../time.tsx';

interface Circumstances {
  /** Whether the list has several users. */
  readonly isNamed: boolean;
  /** What is open in the session. */
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
export function clientText({ agent }: ActiveSession): string {
  const words = agentText(agent);
  return words.length > longestTitle ? `${words.slice(0, longestTitle)}…` : words;
}
