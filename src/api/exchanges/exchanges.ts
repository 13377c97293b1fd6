import { Hono } from 'hono';
import * as v from 'valibot';
import type { AuditLog } from '../../audit/audit-log.ts';
import { wholeSeconds } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { ExchangesOfGate, ListedExchange } from '../../exchanges/listed-exchange.ts';
import type { Settings } from '../../settings/settings.ts';
import { validQuery } from '../../validation.ts';
import { actorOf } from '../actor.ts';
import type { ApiContext, ApiEnvironment } from '../request-context.ts';

export const listQuery = v.object({ own: v.optional(v.picklist([''])) });

export interface ExchangesDependencies {
  readonly settings: Settings;
  readonly exchangesOfGate: ExchangesOfGate;
  readonly audit: Pick<AuditLog, 'record'>;
}

/** `/postern/api/exchanges`: one's own, and everybody's for admins, who may cut each. */
export function exchangeRoutes({ settings, exchangesOfGate, audit }: ExchangesDependencies) {
  const isOwn = (c: ApiContext) => {
    const { identity } = c.var.allowed;
    // A token may be limited to less than its owner: of what the owner watches it learns nothing.
    return ({ user, token }: ListedExchange) =>
      identity?.token === undefined ? user === identity?.user : token === identity.token.id;
  };

  return new Hono<ApiEnvironment>()
    .get('/', validQuery(listQuery), async (c) => {
      const isForAll = c.var.allowed.identity?.role === 'admin' && c.req.valid('query').own === undefined;
      const all = await exchangesOfGate.list();
      const listed = isForAll ? all : all.filter(isOwn(c));
      return c.json(listed.toSorted((one, other) => one.since - other.since).map(shown));
    })

    .delete('/:id', async (c) => {
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
      return c.body(null, 204);
    });
}

export type ExchangesApi = ReturnType<typeof exchangeRoutes>;

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
