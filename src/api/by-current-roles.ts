import type { MiddlewareHandler } from 'hono';
import type { CurrentRoles } from '../access/current-roles.ts';
import type { Settings } from '../access/settings/settings.ts';
import { isOpenPath } from './own-paths.ts';
import type { CurrentRuntime } from './permit.ts';
import type { ApiEnvironment } from './environment.ts';

/**
 * What the gate says by other roles than those of the store is said by the runtime of those. On the internal entry point most can
 * be said without them, while the store cannot be asked: what cannot asks itself.
 */
export function byCurrentRoles(
  { areCurrent, renew }: CurrentRoles,
  current: () => CurrentRuntime,
  own: Settings,
): MiddlewareHandler<ApiEnvironment> {
  return async (c, next) => {
    if (areCurrent() || isOpenPath(c.env.path, c.req.method)) return next();
    try {
      await renew();
    } catch (error) {
      if (c.env.entryPoint === 'internal') return next();
      throw error;
    }
    const now = current();
    return now.settings === own ? next() : now.answer(c.req.raw, c.env);
  };
}
