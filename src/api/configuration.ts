import { Hono } from 'hono';
import type { ApiDependencies } from './dependencies.ts';
import type { ApiEnvironment } from './request-context.ts';

const secondsOf = (milliseconds: number) => milliseconds / 1_000;

/** `GET /api/configuration`, for admins: what is in force, and how the last reload ended. Times are seconds since the epoch. */
export function configurationRoutes({ about }: Pick<ApiDependencies, 'about'>) {
  return new Hono<ApiEnvironment>().get('/', (c) => {
    const { hash, since, successful, at, cause, problems, waiting, warnings } = about.reloads();
    return c.json({
      version: about.version,
      started_at: secondsOf(about.started),
      hash,
      in_force_since: secondsOf(since),
      warnings,
      last_reload: { successful, at: secondsOf(at), cause, problems, waiting },
    });
  });
}
