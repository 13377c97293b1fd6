import type { MiddlewareHandler } from 'hono';
import type { CurrentRoles } from '../access/current-roles.ts';
import type { Settings } from '../access/settings/settings.ts';
import type { OwnPaths } from './own-paths.ts';
import type { CurrentRuntime } from './permit.ts';
import type { ApiEnvironment } from './environment.ts';

/**
 * When the store has other roles than this runtime, the runtime with those roles answers. On the internal entry point most
 * requests do not need roles, and are answered while the store is away; a handler that needs them checks for itself.
 */
export function byCurrentRoles(
  { areCurrent, renew }: CurrentRoles,
  current: () => CurrentRuntime,
  own: Settings,
  { isOpen }: Pick<OwnPaths, 'isOpen'>,
): MiddlewareHandler<ApiEnvironment> {
  return async (c, next) => {
    if (areCurrent() || isOpen(c.env.path, c.req.method)) return next();
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
