import * as v from 'valibot';
import type { AuditLog } from '../../audit/audit-log.ts';
import { wholeSeconds } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { ExchangesOfGate, ListedExchange } from '../../access/streams/listed-exchange.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { actorOf } from '../actor.ts';
import { endpoint } from '../endpoint.ts';
import type { ApiContext } from '../environment.ts';

const listQuery = v.object({ own: v.optional(v.picklist([''])) });

const exchange = v.strictObject({
  id: v.pipe(v.string(), v.description('Of the decision by which it was passed on.')),
  kind: v.pipe(
    v.picklist(['websocket', 'answer']),
    v.description('`answer`: one that is still being sent, be it an endless picture or a clip.'),
  ),
  user: v.string(),
  role: v.string(),
  source: v.pipe(
    v.nullable(v.picklist(['internal', 'proxy', 'session', 'bearer', 'api-token', 'share'])),
    v.description('How it is known who asks; `share`: by the link of one, which is the user.'),
  ),
  session: v.pipe(
    v.nullable(v.string()),
    v.description('Of which it is a part, as `/postern/api/sessions` names it.'),
  ),
  resource: v.strictObject({
    path: v.pipe(v.string(), v.description('Without a query.')),
    cameras: v.pipe(
      v.array(v.string()),
      v.description('Those that it is about, as far as the decision had to know them.'),
    ),
  }),
  since: v.pipe(v.number(), v.description('Seconds since the epoch.')),
  address: v.pipe(v.string(), v.description('Of the client.')),
});

export interface ExchangesDependencies {
  readonly settings: Settings;
  readonly exchangesOfGate: ExchangesOfGate;
  readonly audit: Pick<AuditLog, 'record'>;
}

export const listExchanges = endpoint({
  method: 'get',
  path: '/postern/api/exchanges',
  level: 'any',
  tag: 'Sessions',
  summary: 'What is being watched',
  description:
    "WebSockets and answers that the gate is passing on at this moment, the oldest first: one's own; for an admin everybody's. They are those of this gate, with all of its processes: each gate that shares a store has its own.",
  query: listQuery,
  queryParameters: { own: "Only one's own, for an admin too. It has no value." },
  answers: {
    200: { meaning: 'All that are open.', body: v.array(exchange) },
  },
  handle:
    ({ exchangesOfGate }: ExchangesDependencies) =>
    async (c) => {
      const isForAll = c.var.allowed.identity?.role === 'admin' && c.req.valid('query').own === undefined;
      const all = await exchangesOfGate.list();
      const listed = isForAll ? all : all.filter(isOwn(c));
      return listed.toSorted((one, other) => one.since - other.since).map(shown);
    },
});

export const cutExchange = endpoint({
  method: 'delete',
  path: '/postern/api/exchanges/:id',
  level: 'admin-only',
  tag: 'Sessions',
  summary: 'Cut what is being watched',
  description: 'It ends in the middle. Whoever still may see it can ask again at once.',
  pathParameters: { id: 'Of the exchange.' },
  answers: {
    204: { meaning: 'It is cut.' },
    404: { meaning: 'It has ended by itself, or is that of another gate.' },
  },
  handle:
    ({ settings, exchangesOfGate, audit }: ExchangesDependencies) =>
    async (c) => {
      const found = await exchangesOfGate.cut(c.req.param('id'));
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
  // A token may be limited to less than its owner: of what the owner watches it learns nothing.
  return ({ user, token }: ListedExchange) =>
    identity?.token === undefined ? user === identity?.user : token === identity.token.id;
}

function shown({ id, kind, user, role, source, session, path, cameras, since, address }: ListedExchange) {
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
