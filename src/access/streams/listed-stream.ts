import type { AuditEntry } from '../../audit/audit-entry.ts';
import type { Identity } from '../../policy/identity.ts';
import type { Reason } from '../../policy/reasons.ts';
import type { OpenStream } from './stream.ts';
import type { OpenStreams } from './open-streams.ts';

/** An open stream as texts and numbers, so that processes can exchange it. */
export interface ListedStream {
  readonly id: string;
  readonly kind: OpenStream['kind'];
  readonly user: string;
  readonly role: string;
  readonly source: Identity['source'] | undefined;
  /** The session that opened it; undefined: none of the gate's own. */
  readonly session: string | undefined;
  /** Id of the API token that opened it. */
  readonly token: string | undefined;
  /** Without a query. */
  readonly path: string;
  /** Its cameras, as far as the decision needed them. */
  readonly cameras: readonly string[];
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Of the client. */
  readonly address: string;
}

/** Open streams of all processes of a gate. */
export interface StreamsOfGate {
  readonly list: () => Promise<readonly ListedStream[]>;
  /** @returns the stream that was cut; undefined if it is not open any more */
  readonly cut: (id: string) => Promise<ListedStream | undefined>;
}

/** The streams of one process. */
export function streamsOf({ list, cut }: Pick<OpenStreams, 'list' | 'cut'>): StreamsOfGate {
  return {
    list: async () => list().map(listedStream),
    cut: async (id) => {
      const found = cut(id);
      return found && listedStream(found);
    },
  };
}

function listedStream(stream: OpenStream): ListedStream {
  const { id, kind, sessionId, since, address } = stream;
  const { identity, path = '', resource } = stream.permitted;
  return {
    id,
    kind,
    user: identity?.user ?? '',
    role: identity?.role ?? '',
    source: identity?.source,
    session: sessionId,
    token: identity?.token?.id,
    path,
    cameras: resource?.kind === 'cameras' ? resource.cameras : [],
    since,
    address,
  };
}

/** The audit record of a stream that is not permitted any more. */
export function endedEntry(stream: OpenStream, reason: Reason): AuditEntry {
  const { id, user, role, source, address, path, kind, cameras, session, since } = listedStream(stream);
  return {
    event: 'exchange_ended',
    decision: id,
    reason,
    user,
    role,
    source,
    address,
    object: path,
    detail: { kind, cameras, session, since: new Date(since).toISOString() },
  };
}
