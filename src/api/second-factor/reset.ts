import { Hono } from 'hono';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { Clock } from '../../clock.ts';
import type { Factors } from '../../second-factor/factors.ts';
import type { Settings } from '../../settings/settings.ts';
import { actorOf } from '../actor.ts';
import type { ApiEnvironment } from '../request-context.ts';
import { requireStepUp } from '../require-step-up.ts';

export interface FactorResetDependencies {
  readonly settings: Settings;
  readonly factors: Pick<Factors, 'resetFactors'>;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly clock: Clock;
}

/** `/postern/api/users/:username/factors`: for admins, when somebody has lost what they log in with. */
export function factorResetRoutes({ settings, factors, audit, clock }: FactorResetDependencies) {
  return new Hono<ApiEnvironment>().delete('/:username/factors', async (c) => {
    const { username } = c.req.param();
    const isOwn = c.var.session?.user.username === username;
    requireStepUp(c, clock, isOwn ? 'sign-in-methods' : 'account');
    await factors.resetFactors(username, c.var.permit);
    await audit.record({ event: 'factors_reset', ...actorOf(c, settings), object: username });
    return c.body(null, 204);
  });
}
