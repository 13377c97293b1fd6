import * as v from 'valibot';
import { AppError } from '../../errors.ts';
import { capabilities } from '../../policy/capability.ts';
import { isGranted } from '../../policy/grant.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { endpoint } from '../endpoint.ts';
import { closedFor } from '../profile/profile.ts';
import { shownCameras } from '../profile/shown-cameras.ts';

const moment = (meaning: string) =>
  v.pipe(v.nullable(v.number()), v.description(`Seconds since the epoch. ${meaning}`));
const camera = v.strictObject({
  name: v.string(),
  title: v.pipe(
    v.nullable(v.string()),
    v.description('What the recorder calls it; null: it has no name for it.'),
  ),
  stream: v.pipe(
    v.nullable(v.string()),
    v.description('For `src` of `/live/mse/api/ws`; null: pictures only.'),
  ),
});

export interface WallDependencies {
  readonly settings: Settings;
  readonly servesSample: boolean;
}

/** The wall asks once a minute: what it shows follows what its user may see, and outside of the schedule it shows a clock. */
export const readWall = endpoint({
  method: 'post',
  path: '/postern/api/wall',
  level: 'own-account',
  tag: 'Live pictures',
  summary: 'Get the cameras of a wall',
  description: 'What `/postern/wall` shows: all cameras whose live pictures you may see at this moment.',
  answers: {
    200: {
      meaning: 'The cameras, in the order of the recorder.',
      body: v.strictObject({
        cameras: v.array(camera),
        may: v.array(v.picklist(capabilities)),
        is_open: v.pipe(
          v.boolean(),
          v.description('False outside of the schedule; then there are no cameras.'),
        ),
        opens_at: moment('When the schedule opens; null: it is open, or does not open again.'),
      }),
    },
  },
  handle:
    ({ settings, servesSample }: WallDependencies) =>
    (c) => {
      const { identity, grant, may } = c.var.allowed;
      if (identity === undefined) throw new AppError('unauthenticated');
      const { closed } = closedFor(identity, settings);
      const mayWatch = may.has('live') && closed === undefined;
      return {
        cameras: mayWatch ? camerasOf(settings, grant, servesSample) : [],
        may: capabilities.filter((capability) => may.has(capability)),
        is_open: closed === undefined,
        opens_at: closed?.opens ?? null,
      };
    },
});

function camerasOf(settings: Settings, grant: Parameters<typeof isGranted>[0], servesSample: boolean) {
  const { allowed_cameras: cameras, camera_names: names = {} } = shownCameras(settings, grant);
  const live = servesSample ? [] : settings.liveStreams((name) => isGranted(grant, name));
  const streams = new Map(live.map(({ camera: name, streams: [first] }) => [name, first]));
  return cameras.map((name) => ({ name, title: names[name] ?? null, stream: streams.get(name) ?? null }));
}
