import { Hono } from 'hono';
import { isGranted } from '../../policy/grant.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ApiEnvironment } from '../request-context.ts';

export interface LiveDependencies {
  readonly settings: Pick<Settings, 'liveStreams'>;
}

/** `/postern/api/live`: cameras that whoever asks may see, and the recorder's streams of each. */
export function liveRoutes({ settings }: LiveDependencies) {
  return new Hono<ApiEnvironment>().get('/', (c) => {
    const { grant } = c.var.allowed;
    return c.json(settings.liveStreams((camera) => isGranted(grant, camera)));
  });
}

export type LiveApi = ReturnType<typeof liveRoutes>;
