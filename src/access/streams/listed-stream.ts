import { plainText, type AuditEntry } from '../../audit/audit-entry.ts';
import type { Allowed } from '../../policy/decision.ts';
import type { Identity } from '../../policy/identity.ts';
import type { Reason } from '../../policy/reasons.ts';
import type { OpenStream } from './stream.ts';
import type { OpenStreams } from './open-streams.ts';
import type { Stills, WatchedStills } from './stills.ts';

/** The player of a stream; `updates` are messages without pictures. */
export const shownPages = ['home', 'live', 'recording', 'updates', 'other'] as const;
type ShownPage = (typeof shownPages)[number];

/** An open stream as texts and numbers, so that processes can pass it on. */
export interface ListedStream {
  readonly id: string;
  /** `pictures`: single ones, asked for again and again. */
  readonly kind: OpenStream['kind'] | 'pictures';
  readonly page: ShownPage;
  readonly user: string;
  readonly role: string;
  readonly source: Identity['source'] | undefined;
  /** The session that opened it, if the gate issued one. */
  readonly session: string | undefined;
  /** Id of the API token that opened it. */
  readonly token: string | undefined;
  /** Without a query. */
  readonly path: string;
  /** Its cameras, as far as the decision needed them. */
  readonly cameras: readonly string[];
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** The client's address. */
  readonly address: string;
  /** `User-Agent` of the client, which it can forge. */
  readonly agent: string | undefined;
}

/** Open streams of all processes of a gate. */
export interface StreamsOfGate {
  readonly list: () => Promise<readonly ListedStream[]>;
  /** @returns the stream that was cut, or `undefined` if it is not open anymore */
  readonly cut: (id: string) => Promise<ListedStream | undefined>;
}

/** The streams of one process. */
export function streamsOf(
  { list, cut }: Pick<OpenStreams, 'list' | 'cut'>,
  stills: Pick<Stills, 'list' | 'remove'>,
): StreamsOfGate {
  return {
    list: async () => [...list().map(listedStream), ...stills.list().map(listedStills)],
    cut: async (id) => {
      const found = cut(id);
      if (found !== undefined) return listedStream(found);
      const watched = stills.remove(id);
      return watched && listedStills(watched);
    },
  };
}

function listedStream(stream: OpenStream): ListedStream {
  const { id, kind, sessionId, since, address, agent } = stream;
  const { identity, path = '', resource } = stream.permitted;
  return {
    id,
    kind,
    page: pageOf(kind, path, resource),
    user: identity?.user ?? '',
    role: identity?.role ?? '',
    source: identity?.source,
    session: sessionId,
    token: identity?.token?.id,
    path,
    cameras: resource?.kind === 'cameras' ? resource.cameras : [],
    since,
    address,
    agent: boundAgent(agent),
  };
}

function listedStills(watched: WatchedStills): ListedStream {
  const { id, permitted, session, cameras, since, address, agent, page } = watched;
  const { identity, path = '' } = permitted;
  return {
    id,
    kind: 'pictures',
    page: pageOfStills(page),
    user: identity?.user ?? '',
    role: identity?.role ?? '',
    source: identity?.source,
    session,
    token: identity?.token?.id,
    path,
    cameras,
    since,
    address,
    agent: boundAgent(agent),
  };
}

// Characters.
const longestAgent = 256;

function boundAgent(agent: string | undefined): string | undefined {
  return agent === undefined ? undefined : plainText(agent, longestAgent);
}

const recordedPath =
  /^\/(?:api\/)?(?:vod|recordings|clips|exports)\/|^\/api\/(?:events\/)?[^/]+\/(?:start\/|clip\.mp4)/;
const livePath = /^\/live\/|^\/api\/(?:go2rtc|birdseye)(?:\/|$)/;

/** The path of shared media is that of the share, followed by the recorder's own. */
function pageOf(kind: OpenStream['kind'], path: string, resource: Allowed['resource']): ShownPage {
  const own = path.replace(/^\/postern\/share\/[^/]+\/media(?=\/)/, '');
  if (kind === 'websocket' && own.startsWith('/ws')) return 'updates';
  const [camera] = resource?.kind === 'cameras' ? resource.cameras : [];
  if (livePath.test(own) || (camera !== undefined && own === `/api/${camera}`)) return 'live';
  return recordedPath.test(own) ? 'recording' : 'other';
}

function pageOfStills(page: string | undefined): ShownPage {
  if (page === undefined) return 'other';
  if (page.endsWith('/postern/')) return 'home';
  return page.includes('/postern/cameras/') ? 'live' : 'other';
}

/** The audit record of a stream that is not permitted anymore. */
export function endedEntry(stream: OpenStream, reason: Reason): AuditEntry {
  const { id, user, role, source, address, path, kind, cameras, session, since } = listedStream(stream);
  return {
    event: 'stream_ended',
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
