import type { ListedStream } from '../../access/streams/listed-stream.ts';
import type { AuditEntry } from '../../audit/audit-entry.ts';
import { AppError } from '../../errors.ts';
import type { ApiTokens } from '../../identity/api-tokens/api-tokens.ts';
import type { Displays } from '../../identity/displays/displays.ts';
import type { ActiveSessions } from '../../identity/sessions/active-sessions.ts';
import type { Shares } from '../../identity/shares/shares.ts';
import type { KeptStop, Stops } from '../../identity/stops/stops.ts';
import { stoppable } from '../../policy/stop.ts';
import type { Permit } from '../../store/permit.ts';

/** Milliseconds in which players give up, so that they do not take a stopped stream up again by themselves. */
const moment = 10_000;
const hour = 3_600_000;

interface Stopping {
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly permit: Permit;
}

/**
 * Stops what a stream shows, for a while.
 * @param how `now`: its cameras in its session, for a moment; `hour`: all that its user, API token or share may watch
 * @returns undefined if only the stream can be cut: a client of the internal entry point has no name
 * @throws AppError `stream_nameless`
 */
export async function stopFor(
  how: 'now' | 'hour',
  { user, source, token, session, cameras }: ListedStream,
  stops: Pick<Stops, 'add'>,
  { by, now, permit }: Stopping,
): Promise<KeptStop | undefined> {
  const whom = stoppable({ user, source, token: token === undefined ? undefined : { id: token } });
  if (whom === undefined) {
    if (how === 'now') return undefined;
    throw new AppError('stream_nameless');
  }
  const narrow = { session, cameras: cameras.length === 0 ? undefined : cameras };
  const stop =
    how === 'now'
      ? { ...whom, ...narrow, until: now + moment }
      : { ...whom, session: undefined, cameras: undefined, until: now + hour };
  return stops.add({ ...stop, by }, permit);
}

export interface EndingDependencies {
  readonly activeSessions: Pick<ActiveSessions, 'find' | 'end'>;
  readonly apiTokens: Pick<ApiTokens, 'find' | 'revoke'>;
  readonly displays: Pick<Displays, 'find' | 'end'>;
  readonly shares: Pick<Shares, 'end'>;
}

/**
 * Ends by what a stream was opened: its session, API token, display or share.
 * @returns what the audit gets besides
 * @throws AppError `stream_nameless` if the gate has nothing to end, `stream_unknown` if it has ended already
 */
export async function endFor(
  { user, source, token, session }: ListedStream,
  { activeSessions, apiTokens, displays, shares }: EndingDependencies,
  permit: Permit,
): Promise<Pick<AuditEntry, 'event' | 'object' | 'detail'>> {
  if (token !== undefined && source === 'display') {
    const found = await displays.find(token);
    if (found === undefined || !(await displays.end(token, permit))) throw new AppError('stream_unknown');
    return { event: 'display_ended', object: found.name, detail: { id: token, owner: found.owner } };
  }
  if (token !== undefined) {
    const found = await apiTokens.find(token);
    if (found === undefined || !(await apiTokens.revoke(token, permit))) throw new AppError('stream_unknown');
    return { event: 'api_token_revoked', object: found.name, detail: { id: token, owner: found.owner } };
  }
  if (source === 'share') {
    const id = stoppable({ user, source })?.name ?? '';
    if (!(await shares.end(id, permit))) throw new AppError('stream_unknown');
    return { event: 'share_ended', object: id };
  }
  if (session === undefined) throw new AppError('stream_nameless');
  const found = await activeSessions.find(session);
  if (found === undefined) throw new AppError('stream_unknown');
  await activeSessions.end(found, permit);
  return { event: 'session_ended', object: found.username, detail: { session } };
}
