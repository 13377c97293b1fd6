import * as v from 'valibot';
import type { AuditLog } from '../../audit/audit-log.ts';
import { wholeSeconds } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { StreamsOfGate, ListedStream } from '../../access/streams/listed-stream.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { actorOf } from '../actor.ts';
import { endpoint } from '../endpoint.ts';
import type { ApiContext } from '../environment.ts';

const listQuery = v.object({ own: v.optional(v.picklist([''])) });

const stream = v.strictObject({
  id: v.pipe(v.string(), v.description('Id of the decision that permitted it.')),
  kind: v.pipe(
    v.picklist(['websocket', 'answer']),
    v.description('`answer`: one that is still being sent, be it an endless picture or a clip.'),
  ),
  user: v.string(),
  role: v.string(),
  source: v.pipe(
    v.nullable(v.picklist(['internal', 'proxy', 'session', 'bearer', 'api-token', 'share'])),
    v.description('How the user was identified; `share`: by the link of a share, which is the user.'),
  ),
  session: v.pipe(v.nullable(v.string()), v.description('Id of its session, as in `/postern/api/sessions`.')),
  resource: v.strictObject({
    path: v.pipe(v.string(), v.description('Without the query.')),
    cameras: v.pipe(v.array(v.string()), v.description('Its cameras, as far as the decision needed them.')),
  }),
  since: v.pipe(v.number(), v.description('Seconds since the epoch.')),
  address: v.pipe(v.string(), v.description('Address of the client.')),
});

export interface ExchangesDependencies {
  readonly settings: Settings;
  readonly streamsOfGate: StreamsOfGate;
  readonly audit: Pick<AuditLog, 'record'>;
}

export const listStreams = endpoint({
  method: 'get',
  path: '/postern/api/exchanges',
  level: 'any',
  tag: 'Sessions',
  summary: 'List open streams',
  description:
    'WebSockets and answers that the gate is passing on now, the oldest first: your own; for an admin, those of all users. The list covers all processes of this gate, but not other gates at the same store.',
  query: listQuery,
  queryParameters: { own: 'Only your own, for an admin too. It has no value.' },
  answers: {
    200: { meaning: 'All open streams.', body: v.array(stream) },
  },
  handle:
    ({ streamsOfGate }: ExchangesDependencies) =>
    async (c) => {
      const isForAll = c.var.allowed.identity?.role === 'admin' && c.req.valid('query').own === undefined;
      const all = await streamsOfGate.list();
      const listed = isForAll ? all : all.filter(isOwn(c));
      return listed.toSorted((one, other) => one.since - other.since).map(shown);
    },
});

export const cutStream = endpoint({
  method: 'delete',
  path: '/postern/api/exchanges/:id',
  level: 'admin-only',
  tag: 'Sessions',
  summary: 'Cut a stream',
  description: 'It ends in the middle. A user who may still see it can ask again at once.',
  pathParameters: { id: 'Id of the stream.' },
  answers: {
    204: { meaning: 'It is cut.' },
    404: { meaning: 'It has already ended, or belongs to another gate.' },
  },
  handle:
    ({ settings, streamsOfGate, audit }: ExchangesDependencies) =>
    async (c) => {
      const found = await streamsOfGate.cut(c.req.param('id'));
      if (found === undefined) throw new AppError('exchange_unknown');
      const { id, kind, user, path, cameras, session, since } = found;
      const opened = new Date(since).toISOString();
      await audit.record({
        event: 'exchange_cut',
        ...actorOf(c, settings),
        object: path,
        detail: { exchange: id, of: user, kind, cameras, session, since: opened },
      });
    },
});

function isOwn(c: ApiContext) {
  const { identity } = c.var.allowed;
  // A token may be limited to less than its owner, and must not learn what the owner watches.
  return ({ user, token }: ListedStream) =>
    identity?.token === undefined ? user === identity?.user : token === identity.token.id;
}

function shown({ id, kind, user, role, source, session, path, cameras, since, address }: ListedStream) {
  return {
    id,
    kind,
    user,
    role,
    source: source ?? null,
    session: session ?? null,
    resource: { path, cameras },
    since: wholeSeconds(since),
    address,
  };
}
