import type { MiddlewareHandler } from 'hono';
import { clientOf } from '../fronts/client.ts';
import type { Settings } from '../settings/settings.ts';
import type { WarnOnce } from '../telemetry/warn-once.ts';
import { successorOf } from './own-paths.ts';
import type { ApiEnvironment } from './request-context.ts';

/** Since when the paths of the first edition are deprecated (RFC 9745): 2026-11-22. */
const deprecation = `@${Date.UTC(2026, 10, 22) / 1_000}`;

/**
 * Says to whoever asks for a path of the first edition that it moved (RFC 9745; `Link` by RFC 8288), and to the log, once for each
 * path, what to change.
 */
export function deprecateFormerPaths({
  settings,
  warnOnce,
}: {
  readonly settings: Settings;
  readonly warnOnce: WarnOnce;
}): MiddlewareHandler<ApiEnvironment> {
  return async (c, next) => {
    await next();
    const { path, listener } = c.env;
    const successor = successorOf(path);
    // Without a recorder's UI the root leads to the pages, whatever the edition.
    if (successor === undefined || (path === '/' && listener === 'client-facing')) return;
    c.res.headers.set('deprecation', deprecation);
    const { prefix } = clientOf(c.env, settings);
    c.res.headers.append('link', `<${prefix}${successor}>; rel="successor-version"`);
    // Below a resource there may be any name; what comes first in the path is known.
    warnOnce(
      `former path ${path.split('/', 3).join('/')}`,
      { path, successor, listener },
      listener === 'forward-auth'
        ? "a path of the first edition: take the front's new configuration, which passes /postern/ on to the gate"
        : 'a path of the first edition: ask for its successor',
    );
  };
}
