import * as v from 'valibot';
import { isGranted } from '../../policy/grant.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { AppError } from '../../errors.ts';
import { endpoint } from '../endpoint.ts';

export interface LiveDependencies {
  readonly settings: Pick<Settings, 'liveStreams'>;
  /** Whether users see the sample, which has only pictures. */
  readonly servesSample: boolean;
}

/** The page of a camera asks here: its refusal is one decision, whether the camera is foreign or does not exist. */
export const showLiveCamera = endpoint({
  method: 'get',
  path: '/postern/api/live/:camera',
  level: 'camera-in-path',
  may: 'live',
  tag: 'Live pictures',
  summary: 'Get the live streams of a camera',
  description:
    'A camera without streams has only pictures. A stream that shows another camera too is listed if you may see both.',
  pathParameters: { camera: 'Name of the camera.' },
  answers: {
    200: {
      meaning: 'The names of its streams, for `src` of `/live/mse/api/ws`.',
      body: v.strictObject({ camera: v.string(), streams: v.array(v.string()) }),
    },
    404: { meaning: 'There is no such camera. Only roles that see every camera get this answer.' },
  },
  handle:
    ({ settings, servesSample }: LiveDependencies) =>
    (c) => {
      const { grant } = c.var.allowed;
      const name = c.req.param('camera');
      const found = settings
        .liveStreams((camera) => isGranted(grant, camera))
        .find(({ camera }) => camera === name);
      if (found === undefined) throw new AppError('camera_unknown');
      return servesSample ? { camera: name, streams: [] } : found;
    },
});
