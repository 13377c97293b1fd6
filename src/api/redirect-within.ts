import type { Context } from 'hono';
import { clientOf } from '../http/fronts/client.ts';
import type { Settings } from '../access/settings/settings.ts';
import type { ApiEnvironment } from './environment.ts';

/**
 * Redirects to another path of the site, below the prefix that the client sees, with the query that it sent.
 * @param path below the prefix, as it stands in a URI
 */
export function redirectWithin(
  c: Context<ApiEnvironment>,
  settings: Settings,
  path: string,
  status: 303 | 308,
): Response {
  return c.redirect(`${clientOf(c.env, settings).prefix}${path}${sentQuery(c)}`, status);
}

/** @returns the query as the client sent it, with its question mark; empty without one */
export function sentQuery(c: Context<ApiEnvironment>): string {
  return /\?.*$/s.exec(c.env.incoming.url ?? '')?.[0] ?? '';
}
