import type { Capability } from '../../src/policy/capability.ts';
import type { RawRequest } from '../support/raw-http.ts';
import { recorderFile, type RecorderFile } from '../unit/events/recorder-file.ts';
import { attackConfig } from './row.ts';

/** What a role needs for a request. */
const words = {
  shell: [],
  live: ['live'],
  history: ['history'],
  export: ['export'],
  everything: ['live', 'history', 'export'],
} as const satisfies Record<string, readonly Capability[]>;
type Need = keyof typeof words;

/**
 * Where the words alone do not decide. `viewer`: of no one camera, so it is closed to custom roles. `whole`: open where the gate passes
 * the request on itself. `whole for custom roles`: so for them, and open to viewers everywhere. `whole for
 * viewers`: both of the first two.
 */
type Limit = 'viewer' | 'whole' | 'whole for viewers' | 'whole for custom roles';

const event = '1793171721.544347-5lmtzv';
const review = '1793171720.101101-front1';
const at = 'front_door/start/1793171000/end/1793172000';

/** Each kind of thing that someone can ask a front for, and what it needs. */
const table: ReadonlyArray<readonly [needs: Need, asked: string, limit?: Limit, body?: object | string]> = [
  ['shell', 'GET /index.html'],
  ['shell', 'GET /review'],
  ['shell', 'GET /assets/index.js'],
  ['shell', 'GET /locales/en/common.json'],
  ['shell', 'GET /api'],
  ['shell', 'GET /api/version'],
  ['shell', 'HEAD /api/version'],
  ['shell', 'GET /api/profiles'],
  ['shell', 'GET /api/config/schema.json'],
  ['shell', 'GET /api/notifications/pubkey'],
  ['shell', 'GET /api/config', 'whole'],
  ['shell', 'GET /api/stats', 'whole'],
  ['shell', 'GET /ws', 'whole'],
  ['shell', 'GET /plugin/shell'],

  ['live', 'GET /api/front_door'],
  ['live', 'GET /api/front_door/latest.jpg'],
  ['live', 'HEAD /api/front_door/latest.webp?height=360'],
  ['live', 'GET /api/front_door/ptz/info'],
  ['live', 'GET /live/jsmpeg/front_door'],
  ['live', 'GET /live/mse/api/ws?src=front_door_sub', 'whole'],
  ['live', 'GET /live/webrtc/webrtc.html?src=front_door'],
  ['live', 'GET /api/go2rtc/ws?src=front_door', 'whole'],
  ['live', 'GET /api/go2rtc/api/stream.mp4?src=front_door'],
  ['live', 'GET /api/go2rtc/frame.jpeg?src=front_door'],
  [
    'live',
    'POST /api/go2rtc/webrtc?src=front_door',
    'whole',
    'v=0\r\nm=video 9 RTP/AVP 96\r\na=recvonly\r\n',
  ],
  ['live', 'GET /api/go2rtc/streams/front_door', 'whole'],
  ['live', 'GET /api/go2rtc/api/streams?src=front_door', 'whole'],
  ['live', 'GET /live/jsmpeg/birdseye', 'viewer'],
  ['live', 'GET /stream/front_door/1.ts', 'viewer'],
  ['live', 'GET /plugin/live/front_door/now'],

  ['history', `GET /vod/${at}/index.m3u8`],
  ['history', `GET /vod/event/${event}/master.m3u8`],
  ['history', `GET /api/vod/${at}`],
  ['history', 'GET /recordings/2026-10-01/12/front_door/00.00.mp4'],
  ['history', 'GET /recordings/', 'viewer'],
  ['history', 'GET /api/front_door/recordings'],
  ['history', 'GET /api/front_door/recordings/1793171721/snapshot.jpg'],
  ['history', `GET /api/${at}/clip.mp4`],
  ['history', 'GET /api/recordings/summary'],
  ['history', 'GET /api/events'],
  ['history', 'GET /api/events?cameras=front_door'],
  ['history', 'GET /api/events/explore'],
  ['history', 'GET /api/events/search?query=x'],
  ['history', `GET /api/event_ids?ids=${event}`],
  ['history', `GET /api/events/${event}`],
  ['history', `HEAD /api/events/${event}/clip.mp4`],
  ['history', `GET /api/events/${event}/thumbnail.jpg`],
  ['history', 'GET /api/review'],
  ['history', 'GET /api/review/summary'],
  ['history', `GET /api/review/${review}`],
  ['history', `DELETE /api/review/${review}/viewed`],
  ['history', 'POST /api/reviews/viewed', 'whole for custom roles', { ids: [review] }],
  ['history', 'GET /api/timeline?camera=front_door'],
  ['history', 'GET /api/labels'],
  ['history', `GET /api/preview/${at}`],
  ['history', `GET /api/preview/all/start/1793171000/end/1793172000`],
  ['history', `GET /clips/front_door-${event}.jpg`],
  ['history', `GET /clips/thumbs/front_door/${event}.webp`],
  ['history', 'GET /clips/', 'viewer'],
  ['history', 'GET /api/metrics', 'whole for viewers'],
  ['history', 'POST /api/front_door/search/motion'],
  ['history', 'GET /plugin/history/front_door'],

  ['export', 'GET /api/exports'],
  ['export', 'GET /api/exports/exp1'],
  ['export', 'GET /exports/front_door_parcel.mp4'],
  ['export', 'GET /exports/', 'viewer'],
  ['export', 'GET /clips/export/exp1.webp'],
  ['export', `POST /api/export/${at}`, 'whole for custom roles', {}],
  [
    'export',
    'POST /api/exports/batch',
    'whole for custom roles',
    { items: [{ camera: 'front_door', start_time: 1, end_time: 2 }] },
  ],
  ['export', 'GET /api/jobs/export'],
  ['export', 'GET /api/jobs/export/exp1'],
  ['export', 'GET /api/cases'],
  ['export', 'GET /api/cases/k1/download'],
  ['export', 'GET /plugin/export/front_door'],

  ['everything', 'GET /api/front_door/of_a_new_release'],
  ['everything', 'GET /api/of_a_new_release', 'viewer'],
  ['everything', 'GET /plugin/unsaid/front_door'],
];

export interface Asked {
  /** Method and target. */
  readonly name: string;
  readonly needs: Need;
  readonly limit: Limit | undefined;
  readonly request: RawRequest;
}

export const asked: readonly Asked[] = table.map(([needs, name, limit, body]) => {
  const [method = '', uri = ''] = name.split(' ');
  return {
    name,
    needs,
    limit,
    request: {
      method,
      uri,
      ...(typeof body === 'string' ? { headers: [['Content-Type', 'application/sdp']], body } : {}),
      ...(typeof body === 'object'
        ? { headers: [['Content-Type', 'application/json']], body: JSON.stringify(body) }
        : {}),
    },
  };
});

/**
 * What each role of the table may do; a custom role without words of its own is one by default. Each kind of thing is tried by one
 * role that has its word and one that has every other: other sets of words are tried in test/unit/policy/evaluate-may.test.ts.
 */
export const roles: Readonly<Record<string, readonly Capability[]>> = {
  live_alone: ['live'],
  without_live: ['history', 'export', 'ptz'],
  without_history: ['live', 'export', 'ptz'],
  without_export: ['live', 'history', 'ptz'],
  talking: ['live', 'talk'],
  by_default: ['live', 'history', 'export'],
  viewer: ['live'],
};

/** @param isWhole whether the gate passes the request on itself */
export function isOpenTo(role: string, { needs, limit }: Asked, isWhole: boolean): boolean {
  const isViewer = role === 'viewer';
  if ((limit === 'viewer' || limit === 'whole for viewers') && !isViewer) return false;
  if (
    !isWhole &&
    (limit === 'whole' || limit === 'whole for viewers' || (limit === 'whole for custom roles' && !isViewer))
  )
    return false;
  return words[needs].every((word) => roles[role]?.includes(word));
}

/** The role that may do everything but what a request needs. */
export function roleWithout(needs: Exclude<Need, 'shell'>): string {
  return needs === 'everything' ? 'without_history' : `without_${needs}`;
}

const custom = Object.entries(roles).filter(([role]) => role !== 'viewer');

export const mayConfig = {
  auth: {
    enabled: false,
    roles: Object.fromEntries(custom.map(([role]) => [role, ['front_door']])),
    role_access: Object.fromEntries(
      Object.entries(roles).flatMap(([role, may]) => (role === 'by_default' ? [] : [[role, { may }]])),
    ),
  },
  cameras: attackConfig.cameras,
  proxy: {
    ...attackConfig.proxy,
    role_map: Object.fromEntries(Object.keys(roles).map((role) => [role, [`group_${role}`]])),
  },
  access: {
    rules: [
      { path: '/plugin/shell', require: 'any', may: 'shell' },
      ...['live', 'history', 'export'].map((may) => ({
        path: `/plugin/${may}/:camera/**`,
        require: 'camera-in-path',
        may,
      })),
      { path: '/plugin/unsaid/:camera/**', require: 'camera-in-path' },
    ],
  },
};

/** The recorder's database, with the event and the review of the table. */
export function mayDatabase(): RecorderFile {
  const file = recorderFile();
  file.addEvent({ id: event, camera: 'front_door', start_time: 1_793_171_721 });
  file.recorder.exec(
    `INSERT INTO reviewsegment VALUES ('${review}', 'front_door', 1793171720, 1793171722, 'alert', '/t.webp', '{}')`,
  );
  return file;
}
