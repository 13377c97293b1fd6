import * as v from 'valibot';
import { AppError } from '../../errors.ts';
import { capabilities } from '../../policy/capability.ts';
import { isGranted } from '../../policy/grant.ts';
import { clientOf } from '../../http/fronts/client.ts';
import { strictBody } from '../../http/validation.ts';
import type { DisplayCookie } from './strategy.ts';
import type { DisplayCredentials } from './display-credentials.ts';
import { headerValues } from '../../policy/raw-headers.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { endpoint } from '../../api/endpoint.ts';
import type { ApiContext } from '../../api/environment.ts';
import { closedFor } from '../../api/users/profile.ts';
import { shownCameras } from '../../api/users/shown-access.ts';

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

const screen = strictBody({
  framed: v.optional(
    v.pipe(
      v.boolean('Input should be true or false'),
      v.description('A page of another site shows the wall in a frame.'),
    ),
    false,
  ),
});

export interface WallDependencies {
  readonly settings: Settings;
  readonly displayCredentials: Pick<DisplayCredentials, 'exchange'>;
  readonly displayCookie: DisplayCookie;
  readonly servesSample: boolean;
}

/** The wall asks once a minute. It shows cameras that its user may see at that moment, and a clock outside of the schedule. */
export const readWall = endpoint({
  method: 'post',
  path: '/postern/api/wall',
  level: 'own-account',
  display: true,
  tag: 'Live pictures',
  summary: 'Get the cameras of a wall',
  description:
    'The cameras on `/postern/wall`: all whose live pictures you may see now. An answer to a display whose cookie is a day old has a new one, another one each time.',
  body: screen,
  bodyExample: {},
  answers: {
    200: {
      meaning: 'The cameras, in the order of the recorder.',
      body: v.strictObject({
        name: v.pipe(v.nullable(v.string()), v.description('Of the display; null: a user watches.')),
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
  handle: (dependencies: WallDependencies) => async (c) => {
    const { settings, servesSample } = dependencies;
    const { identity, grant, may } = c.var.allowed;
    if (identity === undefined) throw new AppError('unauthenticated');
    const name =
      identity.source === 'display' ? await nameOf(c, c.req.valid('json').framed, dependencies) : null;
    const { closed } = closedFor(identity, settings);
    const mayWatch = may.has('live') && closed === undefined;
    return {
      name,
      cameras: mayWatch ? camerasOf(settings, grant, servesSample) : [],
      may: capabilities.filter((capability) => may.has(capability)),
      is_open: closed === undefined,
      opens_at: closed?.opens ?? null,
    };
  },
});

/**
 * @returns the name of a display, which gets its next credential when the time has come
 * @throws AppError `unauthenticated` when it was ended in this moment
 */
async function nameOf(
  c: ApiContext,
  isFramed: boolean,
  { displayCredentials, displayCookie, settings }: WallDependencies,
): Promise<string> {
  const presented = displayCookie.read(headerValues(c.env.incoming.rawHeaders, 'cookie'));
  const exchanged =
    presented === undefined ? undefined : await displayCredentials.exchange(presented, isFramed);
  if (exchanged === undefined) throw new AppError('unauthenticated');
  const { display, issued } = exchanged;
  if (issued !== undefined) {
    const { secure } = clientOf(c.env, settings);
    // The other cookie would stay beside the new one.
    const isNowFramed = issued.display.display?.isFramed === true;
    if (isNowFramed && secure && display.display?.isFramed === false)
      c.header('set-cookie', displayCookie.clear(secure));
    c.header('set-cookie', displayCookie.set(issued.credential, isNowFramed, secure), { append: true });
  }
  return display.name;
}

function camerasOf(settings: Settings, grant: Parameters<typeof isGranted>[0], servesSample: boolean) {
  const { allowed_cameras: cameras, camera_names: names = {} } = shownCameras(settings, grant);
  const live = servesSample ? [] : settings.liveStreams((name) => isGranted(grant, name));
  const streams = new Map(live.map(({ camera: name, streams: [first] }) => [name, first]));
  return cameras.map((name) => ({ name, title: names[name] ?? null, stream: streams.get(name) ?? null }));
}
