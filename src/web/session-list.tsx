import { agentText } from './agent-text.ts';
import type { ActiveSession } from './api-client.ts';
import { Time, TimeAgo } from './time.tsx';

/** Sessions as rows, each with what is known of it and a button that ends it. */
export function SessionList(props: {
  readonly sessions: readonly ActiveSession[];
  /** Whether they are of several users. */
  readonly named?: boolean;
  readonly onEnd: (session: ActiveSession) => void;
}) {
  const { sessions, named = false, onEnd } = props;
  return (
    <ul class="rows" aria-label="Sessions">
      {sessions.map((session) => (
        <SessionRow key={session.id} session={session} named={named} onEnd={() => onEnd(session)} />
      ))}
    </ul>
  );
}

function SessionRow(props: {
  readonly session: ActiveSession;
  readonly named: boolean;
  readonly onEnd: () => void;
}) {
  const { session, named, onEnd } = props;
  const client = clientText(session);
  return (
    <li class="session">
      <div class="row-name">
        <strong>{named ? session.username : client}</strong>{' '}
        {session.current && <span class="badge strong">This session</span>}
        <div>
          <small>
            {named && `${client} · `}
            {session.address ?? 'Unknown address'} · seen <TimeAgo seconds={session.last_seen_at} /> · logged
            in <TimeAgo seconds={session.began_at} />
          </small>
        </div>
        <details class="more">
          <summary>Details</summary>
          <dl class="facts">
            <dt>Logged in</dt>
            <dd>
              <Time seconds={session.began_at} />
            </dd>
            <dt>Last seen</dt>
            <dd>
              <Time seconds={session.last_seen_at} />
            </dd>
            <dt>Ends by itself</dt>
            <dd>
              <Time seconds={session.expires_at} />
            </dd>
            <dt>Client</dt>
            <dd>{session.agent ?? 'The client gave no name.'}</dd>
          </dl>
        </details>
      </div>
      {!session.current && (
        <div class="row-actions">
          <button
            type="button"
            class="danger outline"
            aria-label={`End session of ${session.username}, ${client}`}
            onClick={onEnd}
          >
            End
          </button>
        </div>
      )}
    </li>
  );
}

const longestTitle = 60;

/** What the client says of itself, short enough for a title. */
export function clientText({ agent }: ActiveSession): string {
  const text = agentText(agent);
  return text.length > longestTitle ? `${text.slice(0, longestTitle)}…` : text;
}
