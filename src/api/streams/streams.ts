import * as v from 'valibot';
import type { AuditLog } from '../../audit/audit-log.ts';
import { wholeSeconds, type Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { shownPages, type StreamsOfGate, type ListedStream } from '../../access/streams/listed-stream.ts';
import type { Settings } from '../../access/settings/settings.ts';
import type { Stops } from '../../accounts/stops.ts';
import type { Identity } from '../../policy/identity.ts';
import { clientOf } from '../../http/fronts/client.ts';
import { actorOf } from '../request.ts';
import { endpoint } from '../endpoint.ts';
import type { ApiContext } from '../environment.ts';
import { refused } from '../permit.ts';
import { endFor, stopFor, type EndingDependencies } from './stopping.ts';

const listQuery = v.object({ own: v.optional(v.picklist([''])) });

const stream = v.strictObject({
  id: v.pipe(v.string(), v.description('Id of the decision that permitted it.')),
  kind: v.pipe(
    v.picklist(['websocket', 'answer', 'pictures']),
    v.description(
      '`answer`: one that is still being sent, be it an endless picture or a clip; `pictures`: single ones, asked for again and again until twenty seconds ago at most.',
    ),
  ),
  page: v.pipe(v.picklist(shownPages), v.description('What shows it; `updates`: messages without pictures.')),
  user: v.string(),
  role: v.string(),
  source: v.pipe(
    v.nullable(v.picklist(['internal', 'proxy', 'session', 'bearer', 'api-token', 'display', 'share'])),
    v.description(
      'How the user was identified; `display`, `share`: by a paired screen or the link of a share, which is the user.',
    ),
  ),
  session: v.pipe(v.nullable(v.string()), v.description('Id of its session, as in `/postern/api/sessions`.')),
  resource: v.strictObject({
    path: v.pipe(v.string(), v.description('Without the query.')),
    cameras: v.pipe(v.array(v.string()), v.description('Its cameras, as far as the decision needed them.')),
  }),
  since: v.pipe(v.number(), v.description('Seconds since the epoch.')),
  address: v.pipe(v.string(), v.description('Address of the client.')),
  agent: v.pipe(v.nullable(v.string()), v.description('User agent of the client.')),
  own: v.pipe(
    v.boolean(),
    v.description(
      'Whether it is you, on any of your devices; programs and screens of yours are not. On the internal entry point: your address.',
    ),
  ),
});

export interface StreamsDependencies {
  readonly settings: Settings;
  readonly streamsOfGate: StreamsOfGate;
  readonly audit: Pick<AuditLog, 'record'>;
}

interface StopDependencies extends StreamsDependencies, EndingDependencies {
  readonly stops: Pick<Stops, 'add' | 'list' | 'lift'>;
  readonly clock: Clock;
}

export const listStreams = endpoint({
  method: 'get',
  path: '/postern/api/streams',
  level: 'any',
  tag: 'Sessions',
  summary: 'List your open streams',
  description:
    'WebSockets and answers that Postern is passing on now, the oldest first. Admins get those of all users. The list covers all processes of this gate, but not other gates at the same store.',
  query: listQuery,
  queryParameters: { own: 'Only your own, for an admin too. It has no value.' },
  answers: {
    200: { meaning: 'All open streams.', body: v.array(stream) },
  },
  handle:
    ({ streamsOfGate, settings }: StreamsDependencies) =>
    async (c) => {
      const isForAll = c.var.allowed.identity?.role === 'admin' && c.req.valid('query').own === undefined;
      const all = await streamsOfGate.list();
      const listed = isForAll ? all : all.filter(isOwn(c));
      const isMe = isWatchedBy(c.var.allowed.identity, clientOf(c.env, settings).address);
      return listed.toSorted((one, other) => one.since - other.since).map((each) => shown(each, isMe(each)));
    },
});

const stopQuery = v.object({ for: v.optional(v.picklist(['now', 'hour', 'good']), 'now') });

export const stopStream = endpoint({
  method: 'delete',
  path: '/postern/api/streams/:id',
  level: 'admin-only',
  tag: 'Sessions',
  summary: 'Stop a stream',
  description:
    'It ends at once. `now`: the session gets no pictures of its cameras for ten seconds, so that no player takes it up again by itself. `hour`: the user, the API token or the share gets neither live pictures nor recordings for an hour, whichever way they come. `good`: the session ends, the API token is revoked, or the share is ended; an API token may not do that.',
  pathParameters: { id: 'Id of the stream.' },
  query: stopQuery,
  queryParameters: { for: 'How long: `now` by default.' },
  answers: {
    200: {
      meaning: 'It is stopped.',
      body: v.strictObject({
        stop: v.pipe(v.nullable(v.string()), v.description('Id for `/postern/api/stops`; null: for good.')),
        until: v.pipe(v.nullable(v.number()), v.description('Seconds since the epoch.')),
      }),
    },
    404: { meaning: 'It has already ended, or belongs to another gate.' },
    409: { meaning: 'There is nothing to end, or no one to stop: a proxy or the network let the client in.' },
  },
  handle: (dependencies: StopDependencies) => async (c) => {
    const { settings, streamsOfGate, stops, audit, clock } = dependencies;
    const { permit } = c.var;
    const how = c.req.valid('query').for;
    const { identity } = c.var.allowed;
    if (how === 'good' && identity?.source === 'api-token') throw refused(c, settings, 'login_needed');
    const open = await streamsOfGate.list();
    const found = open.find(({ id }) => id === c.req.param('id'));
    if (found === undefined) throw new AppError('stream_unknown');
    const by = identity?.user ?? '';
    const stop =
      how === 'good' ? undefined : await stopFor(how, found, stops, { by, now: clock.now(), permit });
    const ended = how === 'good' ? await endFor(found, dependencies, permit) : undefined;
    // Before anything else runs: the next check of open streams would record it as a stream that lost its right.
    await streamsOfGate.cut(found.id);
    const actor = actorOf(c, settings);
    if (ended !== undefined) await audit.record({ ...actor, ...ended });
    const { id, kind, user, path, cameras, session, since } = found;
    await audit.record({
      event: 'stream_stopped',
      ...actor,
      object: path,
      detail: {
        stream: id,
        of: user,
        kind,
        cameras,
        session,
        since: new Date(since).toISOString(),
        for: how,
        stop: stop?.id,
        until: stop && new Date(stop.until).toISOString(),
      },
    });
    return { stop: stop?.id ?? null, until: stop === undefined ? null : wholeSeconds(stop.until) };
  },
});

export const listStops = endpoint({
  method: 'get',
  path: '/postern/api/stops',
  level: 'admin-only',
  tag: 'Sessions',
  summary: 'List what is stopped',
  description: 'The newest first, as long as it is still stopped.',
  answers: {
    200: {
      meaning: 'All stops.',
      body: v.array(
        v.strictObject({
          id: v.string(),
          kind: v.picklist(['account', 'proxy', 'api-token', 'share']),
          name: v.pipe(v.string(), v.description('The user, or the id of the API token or the share.')),
          cameras: v.pipe(v.nullable(v.array(v.string())), v.description('Null: all.')),
          by: v.pipe(v.string(), v.description('The admin.')),
          since: v.pipe(v.number(), v.description('Seconds since the epoch.')),
          until: v.pipe(v.number(), v.description('Seconds since the epoch.')),
        }),
      ),
    },
  },
  handle:
    ({ stops }: StopDependencies) =>
    async () =>
      (await stops.list()).map(({ id, kind, name, cameras = null, by, at, until }) => ({
        id,
        kind,
        name,
        cameras,
        by,
        since: wholeSeconds(at),
        until: wholeSeconds(until),
      })),
});

export const allowAgain = endpoint({
  method: 'delete',
  path: '/postern/api/stops/:id',
  level: 'admin-only',
  tag: 'Sessions',
  summary: 'Allow again what was stopped',
  pathParameters: { id: 'Id of the stop.' },
  answers: {
    204: { meaning: 'It is allowed from the next request on.' },
    404: { meaning: 'It has ended by itself, or was lifted.' },
  },
  handle:
    ({ settings, stops, audit }: StopDependencies) =>
    async (c) => {
      const lifted = await stops.lift(c.req.param('id'), c.var.permit);
      if (lifted === undefined) throw new AppError('stop_unknown');
      const { id, kind, name } = lifted;
      await audit.record({
        event: 'stream_allowed',
        ...actorOf(c, settings),
        object: name,
        detail: { stop: id, kind },
      });
    },
});

function isOwn(c: ApiContext) {
  const { identity } = c.var.allowed;
  // A token may be limited to less than its owner, and must not learn what the owner watches.
  return ({ user, token }: ListedStream) =>
    identity?.token === undefined ? user === identity?.user : token === identity.token.id;
}

const byPerson: ReadonlySet<string | undefined> = new Set(['session', 'bearer', 'proxy']);

/** Whether a stream is of the person who asks. @param address of the one who asks: clients of the internal entry point have no name */
function isWatchedBy(identity: Identity | undefined, address: string) {
  return (listed: Pick<ListedStream, 'user' | 'source' | 'address'>): boolean =>
    listed.source === 'internal'
      ? identity?.source === 'internal' && listed.address === address
      : byPerson.has(identity?.source) && byPerson.has(listed.source) && listed.user === identity?.user;
}

function shown(listed: ListedStream, own: boolean) {
  const { id, kind, page, user, role, source, session, path, cameras, since, address, agent } = listed;
  return {
    id,
    kind,
    page,
    user,
    role,
    source: source ?? null,
    session: session ?? null,
    resource: { path, cameras },
    since: wholeSeconds(since),
    address,
    agent: agent ?? null,
    own,
  };
}
