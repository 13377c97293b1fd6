import * as v from 'valibot';
import { isGranted } from '../../policy/grant.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { endpoint } from '../endpoint.ts';

export interface LiveDependencies {
  readonly settings: Pick<Settings, 'liveStreams'>;
}

export const listLiveStreams = endpoint({
  method: 'get',
  path: '/postern/api/live',
  level: 'any',
  namesNoCamera: true,
  tag: 'Live pictures',
  summary: 'List live streams of your cameras',
  description:
    'A camera without streams has pictures only. A stream that shows another camera too is listed if you may see both.',
  answers: {
    200: {
      meaning: 'The cameras, each with the names of its streams, for `src` of `/live/mse/api/ws`.',
      body: v.array(v.strictObject({ camera: v.string(), streams: v.array(v.string()) })),
    },
  },
  handle:
    ({ settings }: LiveDependencies) =>
    (c) => {
      const { grant } = c.var.allowed;
      return settings.liveStreams((camera) => isGranted(grant, camera));
    },
});
