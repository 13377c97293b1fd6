import type { ListedStream } from '../../access/streams/listed-stream.ts';
import type { AuditEntry } from '../../audit/audit-entry.ts';
import { AppError } from '../../errors.ts';
import type { ActiveSessions } from '../../accounts/sessions/active-sessions.ts';
import type { KeptStop, Stops } from '../../accounts/stops.ts';
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

/** The things that the audit gets besides the stream. */
export type EndedBy = Pick<AuditEntry, 'event' | 'object' | 'detail'>;

/**
 * Ends the credential of a feature by which a stream was opened.
 * @returns `other` if the stream was opened by something else; undefined if the credential has ended already
 */
export type EndCredential = (stream: ListedStream, permit: Permit) => Promise<EndedBy | 'other' | undefined>;

export interface EndingDependencies {
  readonly activeSessions: Pick<ActiveSessions, 'find' | 'end'>;
  /** One of each feature whose credentials open streams. */
  readonly endCredential: readonly EndCredential[];
}

/**
 * Ends the session, API token, display or share by which a stream was opened.
 * @throws AppError `stream_nameless` if the gate has nothing to end, `stream_unknown` if it has ended already
 */
export async function endFor(
  stream: ListedStream,
  { activeSessions, endCredential }: EndingDependencies,
  permit: Permit,
): Promise<EndedBy> {
  for (const end of endCredential) {
    const ended = await end(stream, permit);
    if (ended === undefined) throw new AppError('stream_unknown');
    if (ended !== 'other') return ended;
  }
  const { session } = stream;
  if (session === undefined) throw new AppError('stream_nameless');
  const found = await activeSessions.find(session);
  if (found === undefined) throw new AppError('stream_unknown');
  await activeSessions.end(found, permit);
  return { event: 'session_ended', object: found.username, detail: { session } };
}
