import { agentText } from './agent-text.ts';
import type { ActiveSession } from './api-client.ts';
import { gatePath } from './path-prefix.ts';
import { Row, RowAction } from './row.tsx';
import { text } from './text.ts';
import { Time, TimeAgo } from './time.tsx';
import type { Within } from './watching.tsx';

/** Sessions as rows, each with what is known of it and a button that ends it. */
export function SessionList(props: {
  readonly sessions: readonly ActiveSession[];
  /** Whether they are of several users. */
  readonly named?: boolean;
  /** What is open in them. */
  readonly within?: Within | undefined;
  readonly onEnd: (session: ActiveSession) => void;
}) {
  const { sessions, named = false, within, onEnd } = props;
  return (
    <ul class="rows" aria-label={text.sessions.title}>
      {sessions.map((session) => (
        <SessionRow
          key={session.id}
          session={session}
          named={named}
          within={within}
          onEnd={() => onEnd(session)}
        />
      ))}
    </ul>
  );
}

function SessionRow(props: {
  readonly session: ActiveSession;
  readonly named: boolean;
  readonly within: Within | undefined;
  readonly onEnd: () => void;
}) {
  const { session, named, within, onEnd } = props;
  const { username } = session;
  const client = clientText(session);
  return (
    <Row name={session.id} class="session">
      <div class="row-name">
        <strong>
          {named ? (
            <a
              class="plain"
              href={gatePath(`/settings/sessions?${new URLSearchParams({ user: username }).toString()}`)}
              title={text.sessions.onlyOf(username)}
            >
              {username}
            </a>
          ) : (
            client
          )}
        </strong>{' '}
        {session.current && <span class="badge strong">{text.sessions.current}</span>}
        <div>
          <small>
            {named && `${client} · `}
            {session.address ?? text.sessions.unknownAddress} · {text.sessions.seen}{' '}
            <TimeAgo seconds={session.last_seen_at} /> · {text.sessions.began}{' '}
            <TimeAgo seconds={session.began_at} />
          </small>
        </div>
        {within?.(session.id)}
        <details class="more">
          <summary>{text.sessions.details}</summary>
          <dl class="facts">
            <dt>{text.sessions.loggedIn}</dt>
            <dd>
              <Time seconds={session.began_at} />
            </dd>
            <dt>{text.sessions.lastSeen}</dt>
            <dd>
              <Time seconds={session.last_seen_at} />
            </dd>
            <dt>{text.sessions.endsByItself}</dt>
            <dd>
              <Time seconds={session.expires_at} />
            </dd>
            <dt>{text.sessions.client}</dt>
            <dd>{session.agent ?? text.sessions.noClientName}</dd>
          </dl>
        </details>
      </div>
      {!session.current && (
        <div class="row-actions">
          <RowAction danger aria-label={text.sessions.endOf(username, client)} onClick={onEnd}>
            {text.sessions.end}
          </RowAction>
        </div>
      )}
    </Row>
  );
}

const longestTitle = 60;

/** What the client says of itself, short enough for a title. */
export function clientText({ agent }: ActiveSession): string {
  const words = agentText(agent);
  return words.length > longestTitle ? `${words.slice(0, longestTitle)}…` : words;
}
