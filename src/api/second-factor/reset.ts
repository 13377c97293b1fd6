import { Hono } from 'hono';
import * as v from 'valibot';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { Factors } from '../../second-factor/factors.ts';
import type { Settings } from '../../settings/settings.ts';
import { validQuery } from '../../validation.ts';
import { actorOf } from '../actor.ts';
import { keptQuery } from '../kept.ts';
import type { ApiEnvironment } from '../request-context.ts';

export const resetQuery = v.object({ keep: keptQuery });

export interface FactorResetDependencies {
  readonly settings: Settings;
  readonly factors: Pick<Factors, 'resetFactors'>;
  readonly audit: Pick<AuditLog, 'record'>;
}

/** `/postern/api/users/:username/factors`: for admins, when somebody has lost what they log in with. */
export function factorResetRoutes({ settings, factors, audit }: FactorResetDependencies) {
  return new Hono<ApiEnvironment>().delete('/:username/factors', validQuery(resetQuery), async (c) => {
    const { username } = c.req.param();
    const { ended } = await factors.resetFactors(username, c.var.permit, c.req.valid('query'));
    await audit.record({ event: 'factors_reset', ...actorOf(c, settings), object: username, detail: ended });
    return c.body(null, 204);
  });
}
