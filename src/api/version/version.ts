import { Hono } from 'hono';
import type { ApiEnvironment } from '../request-context.ts';

export interface VersionDependencies {
  readonly about: { readonly version: string };
}

/** `GET /postern/api/version`: for integrations that have to know what they talk to. */
export function versionRoutes({ about }: VersionDependencies) {
  return new Hono<ApiEnvironment>().get('/', (c) => c.json({ version: about.version }));
}
