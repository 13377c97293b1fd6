import { from, narrowedTo, type Row } from './row.ts';

/** A role that sees front_door alone. */
export const asFront = from('fred', 'group_front');
const asHyphens = from('hy', 'group_hyphens');
const asViewer = from('vi', 'group_viewer');
const front = { user: 'fred', role: 'front' };
const hyphens = { user: 'hy', role: 'hyphens' };
const viewer = { user: 'vi', role: 'viewer' };

// Rows of the sample database.
export const ofFront = '1793171721.544347-5lmtzv';
const ofGarage = '1793175318.749865-ef7cib';

/** What a role that sees front_door alone may read, and the same of another camera. */
const pairs: ReadonlyArray<readonly [granted: string, forbidden: string]> = [
  ['/api/front_door', '/api/garage'],
  ['/api/front_door/latest.jpg', '/api/garage/latest.jpg'],
  ['/api/front_door/recordings', '/api/garage/recordings'],
  ['/api/front_door/recordings/summary', '/api/garage/recordings/summary'],
  ['/api/front_door/start/1/end/2/clip.mp4', '/api/garage/start/1/end/2/clip.mp4'],
  ['/api/front_door/person/best.jpg', '/api/garage/person/best.jpg'],
  ['/api/front_door/grid.jpg', '/api/garage/grid.jpg'],
  ['/api/front_door/ptz/info', '/api/garage/ptz/info'],
  ['/api/front_door/recordings/1/snapshot.jpg', '/api/garage/recordings/1/snapshot.jpg'],
  ['/vod/clip/front_door/1', '/vod/clip/garage/1'],
  [`/api/events/${ofFront}`, `/api/events/${ofGarage}`],
  [`/api/events/${ofFront}/thumbnail.jpg`, `/api/events/${ofGarage}/thumbnail.jpg`],
  [`/api/events/${ofFront}/clip.mp4`, `/api/events/${ofGarage}/clip.mp4`],
  [`/api/event_ids?ids=${ofFront}`, `/api/event_ids?ids=${ofGarage}`],
  [`/api/event_ids?ids=${ofFront},no-such-id`, `/api/event_ids?ids=${ofFront},${ofGarage}`],
  [`/api/event_ids?ids=${ofFront}`, `/api/event_ids?ids=${ofFront}&ids=%20${ofGarage}%20`],
  ['/api/events?cameras=front_door', '/api/events?cameras=front_door,garage'],
  ['/api/events?cameras=all', '/api/events?cameras=front_door&camera=garage'],
  ['/api/events/explore', '/api/events/explore?cameras=garage'],
  ['/api/events/search?query=x', '/api/events/search?query=x&cameras=garage'],
  ['/api/events/summary', '/api/events/summary?cameras=garage'],
  [`/api/review/event/${ofFront}`, `/api/review/event/${ofGarage}`],
  ['/api/review', '/api/review?cameras=garage'],
  ['/api/review/summary', '/api/review/summary?cameras=garage'],
  ['/api/review/activity/motion', '/api/review/activity/motion?cameras=garage'],
  ['/api/preview/front_door/start/1/end/2', '/api/preview/garage/start/1/end/2'],
  ['/api/preview/2026-10/01/12/front_door/utc', '/api/preview/2026-10/01/12/garage/utc'],
  [
    '/api/preview/preview_front_door-1793000276.5.webp/thumbnail.webp',
    '/api/preview/preview_garage-1793000276.5.webp/thumbnail.webp',
  ],
  ['/api/exports', '/api/exports?cameras=garage'],
  ['/api/exports/exp1', '/api/exports/exp2'],
  ['/api/labels', '/api/labels?camera=garage'],
  ['/api/sub_labels', '/api/sub_labels?cameras=garage'],
  ['/api/preview/all/start/1/end/2', '/api/preview/all/start/1/end/2/frames'],
  ['/api/preview/all/start/1/end/2', '/api/preview/ALL/start/1/end/2'],
  ['/api/preview/2026-10/01/12/all/utc', '/api/preview/2026-10/01/12/All/utc'],
  ['/api/preview/%61ll/start/1/end/2', '/api/preview/all/start/1/end/2?cameras=garage'],
  ['/api/recognized_license_plates', '/api/recognized_license_plates?cameras=garage'],
  ['/api/jobs/export', '/api/jobs/export?cameras=garage'],
  ['/api/jobs/export/exp1', '/api/jobs/export/exp2'],
  ['/api/cases', '/api/casesx/1'],
  ['/api/cases/k1', '/api/Cases/k1'],
  ['/api/cases/k1/download', '/api/cases/k1/download?cameras=garage'],
  ['/api/profiles', '/api/profiles/x'],
  ['/api/notifications/pubkey', '/api/notifications/x'],
  ['/api/plus/models', '/api/plus/x'],
  ['/api/config/schema.json', '/api/config/schema.json/x'],
  ['/api/front_door/search/motion/1', '/api/garage/search/motion/1'],
  ['/api/vod/front_door/start/1/end/2', '/api/vod/garage/start/1/end/2'],
  ['/api/vod/clip/front_door/start/1/end/2', '/api/vod/clip/garage/start/1/end/2'],
  ['/api/vod/2026-10/01/12/front_door/utc', '/api/vod/2026-10/01/12/garage/utc'],
  [`/api/vod/event/${ofFront}`, `/api/vod/event/${ofGarage}`],
  ['/api/timeline', '/api/timeline?camera=garage'],
  ['/api/timeline/hourly', '/api/timeline/hourly?cameras=garage'],
  ['/api/recordings/summary', '/api/recordings/summary?cameras=garage'],
  ['/api/recordings/unavailable', '/api/recordings/unavailable?cameras=garage'],
  [`/clips/front_door-${ofFront}.jpg`, `/clips/garage-${ofGarage}.jpg`],
  [`/clips/front_door-${ofFront}-clean.png`, `/clips/garage-${ofGarage}-clean.png`],
  [`/clips/thumbs/front_door/${ofFront}.webp`, `/clips/thumbs/garage/${ofGarage}.webp`],
  ['/clips/previews/front_door/1-2.mp4', '/clips/previews/garage/1-2.mp4'],
  [`/clips/review/thumb-front_door-${ofFront}.webp`, `/clips/review/thumb-garage-${ofGarage}.webp`],
  ['/clips/export/exp1.webp', '/clips/export/exp2.webp'],
  ['/recordings/2026-10-01/12/front_door/00.00.mp4', '/recordings/2026-10-01/12/garage/00.00.mp4'],
  ['/recordings/2026-10-01/12/front_door/', '/recordings/2026-10-01/12/'],
  ['/exports/front_door_parcel.mp4', '/exports/night-in-the-garage.mp4'],
  ['/exports/front%5fdoor_parcel.mp4', '/exports/fox%203.mp4'],
  ['/vod/front_door/start/1/end/2/index.m3u8', '/vod/garage/start/1/end/2/index.m3u8'],
  ['/vod/front_door/sub/start/1/end/2/index.m3u8', '/vod/garage/sub/start/1/end/2/index.m3u8'],
  ['/vod/clip/front_door/start/1/end/2/index.m3u8', '/vod/clip/garage/start/1/end/2/index.m3u8'],
  ['/vod/2026-10/01/12/front_door/utc/seg-1.ts', '/vod/2026-10/01/12/garage/utc/seg-1.ts'],
  [`/vod/event/${ofFront}/master.m3u8`, `/vod/event/${ofGarage}/master.m3u8`],
  ['/live/jsmpeg/front_door', '/live/jsmpeg/garage'],
  ['/live/mse/api/ws?src=front_door', '/live/mse/api/ws?src=garage'],
  ['/live/mse/api/ws?src=front_door_sub', '/live/mse/api/ws?src=garage_sub'],
  ['/live/webrtc/stream.html?src=front_door', '/live/webrtc/stream.html?src=garage'],
  ['/api/go2rtc/streams/front_door', '/api/go2rtc/streams/garage'],
  ['/api/go2rtc/streams/front_door_sub', '/api/go2rtc/streams/garage_sub'],
  ['/api/go2rtc/streams/front_door%5fsub', '/api/go2rtc/streams/shared_stream'],
  ['/api/go2rtc/api/stream.mp4?src=front_door', '/api/go2rtc/api/stream.mp4?src=garage'],
  ['/api/go2rtc/api/frame.jpeg?src=front_door', '/api/go2rtc/api/frame.jpeg?src=front_door&src=garage'],
  ['/api/go2rtc/api/ws?src=front_door', '/api/go2rtc/api/ws?src=shared_stream'],
  ...['/api/go2rtc', '/api/go2rtc/api'].flatMap((base) =>
    ['webrtc', 'ws', 'stream.mp4', 'frame.jpeg'].map(
      (name) => [`${base}/${name}?src=front_door`, `${base}/${name}?src=garage`] as const,
    ),
  ),
  ['/locales/en/common.json', '/live/mse/api/ws'],
  ['/api/version', '/api/nobody_knows_this'],
  ['/api/stats', '/api/stats/garage/x'],
  ['/api/config', '/api/config/raw/x'],
  ['/api/go2rtc/api/streams?src=front_door', '/api/go2rtc/api/streams?src=front_door&src=garage'],
  ['/api/go2rtc/api/streams?src=front_door_sub', '/api/go2rtc/api/streams?src=shared_stream'],
  ['/postern/api/cameras', '/api/faces'],
  ['/postern/api/live/front_door', '/postern/api/live/garage'],
  ['/postern/cameras/front_door', '/postern/cameras/garage'],
  ['/postern/live/front_door', '/postern/live/garage'],
  [`/postern/events/${ofFront}`, `/postern/events/${ofGarage}`],
  ['/postern/api/attention', '/postern/api/attention/x'],
  ['/postern/home', '/postern/settings/users'],
  ['/postern/api/roles', '/postern/api/roles/front'],
  ['/postern/api/openapi.json', '/postern/api/openapi.json/x'],
  ['/postern/account', '/postern/api/people'],
  ['/postern/account', '/postern/api/people/olaf'],
  ['/postern/account', '/postern/api/x'],
  ['/postern/api/version', '/postern/api/version/x'],
  ['/api', '/api/x/'],
  ['/api/', '/api//garage'],
  ['/', '/clips/'],
];

/** What a front that narrows makes of a list of many cameras, of a role that sees front_door alone. */
const narrowed: Readonly<Record<string, string>> = {
  '/api/events?cameras=all': '/api/events?cameras=front_door',
  '/api/events?cameras=front_door,garage': '/api/events?cameras=front_door',
  '/api/events?cameras=front_door&camera=garage': '/api/events?cameras=front_door',
  '/api/review': '/api/review?cameras=front_door',
  '/api/review/summary': '/api/review/summary?cameras=front_door',
  '/api/review/activity/motion': '/api/review/activity/motion?cameras=front_door',
  '/api/events/search?query=x': '/api/events/search?query=x&cameras=front_door',
  '/api/exports': '/api/exports?cameras=front_door',
  '/api/labels': '/api/labels?camera=front_door',
  '/api/timeline': '/api/timeline?camera=front_door',
  '/api/timeline/hourly': '/api/timeline/hourly?cameras=front_door',
  '/api/recordings/summary': '/api/recordings/summary?cameras=front_door',
  '/api/recordings/unavailable': '/api/recordings/unavailable?cameras=front_door',
};

/** WebSockets whose offers the gate reads, through the embedded front and the relay behind nginx; elsewhere they are for admins. */
const offering: readonly string[] = [
  '/live/mse/api/ws?src=front_door',
  '/live/mse/api/ws?src=front_door_sub',
  '/api/go2rtc/ws?src=front_door',
  '/api/go2rtc/api/ws?src=front_door',
];

/** Paths whose answers the gate filters by camera: through the embedded front, and the relay behind nginx. */
const changedAnswers = [
  '/api/stats',
  '/api/config',
  '/api/go2rtc/api/streams?src=front_door',
  '/api/go2rtc/api/streams?src=front_door_sub',
  '/api/go2rtc/streams/front_door',
  '/api/go2rtc/streams/front_door_sub',
  '/api/go2rtc/streams/front_door%5fsub',
] as const;

/** What reaches the recorder of a request of the role that sees front_door alone, where the gate passes it on or narrows it. */
const tooManyIds = `/api/event_ids?ids=${Array.from({ length: 1_001 }, (_, i) => i).join(',')}`;

export const passedOn: Readonly<Record<string, string>> = {
  // For the events app’s 422.
  [tooManyIds]: '/api/event_ids?too_many_ids',
  ...narrowed,
  ...Object.fromEntries([...changedAnswers, ...offering].map((uri) => [uri, uri])),
};

/** What cannot be tied to a camera, or stands for several. */
const unresolved: readonly string[] = [
  '/clips/',
  '/clips/thumbs/',
  '/clips/front_door.jpg',
  '/clips/other/front_door/x.jpg',
  '/clips/cache/front_door-1793000276.5-abcdef.jpg',
  '/recordings/',
  '/recordings/2026-10-01/',
  '/recordings/front_door/x.mp4',
  '/exports/',
  '/exports/unknown.mp4',
  '/exports/%25.mp4',
  '/exports/parcel.mp4',
  '/exports/_ront_door_parcel.mp4',
  '/exports/x/front_door_parcel.mp4',
  '/vod/',
  '/stream/front_door/1.ts',
  '/vod/front_door/1/2/index.m3u8',
  '/vod/front_door/start/1/end/2,garage/.urlset/index.m3u8',
  '/vod/event/no-such-event/index.m3u8',
  '/api/events/no-such-event/clip.mp4',
  '/api/review/no-such-review',
  '/api/review/no-such-review/preview',
  '/live/mse/api/ws?src=',
  '/live/mse/api/ws?SRC=front_door',
  '/live/mse/api/ws?src=front_door%00',
  '/live/mse/api/ws?src=rtsp://garage',
  '/live/mse/api/ws?src=front_door%23video=copy',
  '/live/mse/x/y?src=front_door',
  '/live/x?src=front_door',
  '/live/JSMPEG/garage?src=front_door',
  '/api/exports/no-such-export',
  '/api/jobs/export/no-such-export',
  '/api/review_ids',
  '/api/review_ids?ids=no-such-review',
  '/api/vod/event/no-such-event',
  // All cameras in one picture, in one list or in numbers.
  '/live/jsmpeg/birdseye',
  '/live/mse/api/ws?src=birdseye',
  '/live/mse/api/ws?src=front_door&src=%62irdseye',
  '/api/go2rtc/streams/birdseye',
  '/api/metrics',
  tooManyIds,
];

/** For admins only. */
const administrative: readonly string[] = [
  '/api/users',
  '/postern/api/explain',
  '/postern/api/access',
  '/postern/api/access?user=admin',
  '/postern/api/audit',
  '/postern/api/audit/watched',
  '/postern/api/access-requests',
  '/postern/api/notifications',
  '/postern/api/streams/none',
  '/postern/api/stops',
  '/postern/api/appearance',
  '/postern/api/settings/timezone',
  '/postern/api/configuration',
  '/postern/api/camera-groups',
  '/postern/api/camera-groups/offered',
  '/postern/api/lost-cameras',
  '/postern/api/recorder/roles',
  '/postern/api/recorder/address',
  '/postern/api/users',
  '/postern/api/users/count',
  '/postern/api/first-run',
  '/postern/api/doctor',
  '/API/users',
  '/api/Users/x',
  '/api/config/raw',
  '/api/config/save',
  '/api/restart',
  '/api/logs/nginx',
  '/api/ffprobe?paths=camera:garage',
  '/api/ffprobe/snapshot?url=file:///etc/passwd',
  '/api/onvif/probe?host=192.0.2.1',
  '/api/reolink/detect?host=192.0.2.1',
  '/api/Config/raw',
  '/api/LOGS/nginx',
  '/clips/Faces/olaf/1.webp',
  '/live/webrtc/api/ws?dst=front_door',
  '/live/webrtc/api/ws?src=front_door&dst=front_door',
  '/live/mse/api/ws?src=ffmpeg:front_door&name=front_door',
  '/live/mse/api/ws?src=rtsp://192.0.2.1/front_door',
  '/api/go2rtc/frame.jpeg?src=front_door&name=front_door',
  '/api/vainfo',
  '/api/nvinfo',
  '/api/faces',
  '/api/faces/train',
  '/api/classification/x/dataset',
  '/api/keyframe_analysis',
  '/api/media/sync/status',
  '/api/auth',
  '/api/auth/first_time_login',
  '/api/ffmpeg/presets',
  '/api/audio_labels',
  '/api/profile/active',
  '/api/chat/tools',
  '/api/vlm/monitor',
  '/api/genai/models',
  '/api/triggers/status/front_door',
  '/api/debug_replay/status',
  '/api/notices',
  '/api/Notices/1',
  '/api/hardware/detectors',
  '/api/analytics/preview',
  '/api/stats/history',
  '/api/STATS/history',
  '/api/recordings/storage',
  '/api/review/summarize/start/1/end/2',
  '/api/go2rtc/api/config?src=front_door',
  '/api/go2rtc/api/streams',
  '/api/go2rtc/api/streams?src=',
  '/api/go2rtc/api/streams?SRC=front_door',
  '/api/go2rtc/api/streams?src=front_door&dst=front_door',
  '/api/go2rtc/api/streams?src=rtsp://192.0.2.1/front_door',
  '/api/go2rtc/streams',
  '/api/birdseye',
  '/api/birdseye/latest.jpg',
  '/api/%62irdseye/latest.jpg',
  '/api/go2rtc/api/restart?src=front_door',
  '/clips/faces/olaf/1.webp',
  '/clips/genai-requests/1/1.jpg',
  '/clips/preview_restart_cache/1.mp4',
  '/clips/train/1.webp',
  '/clips/model/train/1.webp',
  '/clips/model/dataset/x/1.webp',
];

type Change = readonly [method: string, uri: string, byFront: boolean];

/** What changes something: who may do it for front_door. */
const changes: readonly Change[] = [
  // The body names the cameras, and these fronts show the gate none.
  ['POST', '/api/reviews/viewed', false],
  ['POST', '/api/exports/batch', false],
  ['POST', '/api/front_door/search/motion', true],
  ['POST', '/api/front_door/search/motion/1/cancel', true],
  ['POST', '/api/garage/search/motion', false],
  ['POST', '/api/garage/search/motion/1/cancel', false],
  ['POST', '/api/front_door/search/motion/1', false],
  ['POST', '/api/export/custom/garage/start/1/end/2', false],
  ['POST', '/api/front_door/plus/1793000276.5', false],
  ['POST', '/api/notifications/register', false],
  ['POST', '/api/cases', false],
  ['DELETE', '/api/cases/k1', false],
  ['POST', '/api/export/garage/start/1/end/2', false],
  ['POST', '/api/go2rtc/webrtc?dst=front_door', false],
  ['POST', '/api/go2rtc/webrtc?src=exec:id', false],
  ['POST', '/api/go2rtc/webrtc', false],
  ['DELETE', '/api/export/front_door', false],
  ['DELETE', `/api/events/${ofFront}`, false],
  ['POST', `/api/events/${ofFront}/retain`, false],
  ['POST', '/api/events/front_door/person/create', false],
  ['PUT', '/api/front_door/detect', false],
  ['POST', '/api/restart', false],
  ['PUT', '/api/config', false],
  ['PUT', '/api/config/set', false],
  ['DELETE', '/clips/front_door-1793171721.544347-5lmtzv.jpg', false],
  ['DELETE', '/postern/api/streams/none', false],
  ['DELETE', '/postern/api/stops/none', false],
  ['DELETE', '/postern/api/access-requests/olaf/garage', false],
  ['POST', '/postern/api/notifications/test', false],
  ['PUT', '/postern/api/appearance', false],
  ['PUT', '/postern/api/settings/timezone', false],
  ['POST', '/postern/api/settings/notifications/test', false],
  ['PUT', '/postern/api/roles/front', false],
  ['DELETE', '/postern/api/roles/front', false],
  ['POST', '/api/users', false],
  ['DELETE', '/api/users/olaf', false],
  ['PUT', '/api/users/olaf/role', false],
  ['PUT', '/postern/api/users/olaf/blocked', false],
  ['PUT', '/postern/api/people/olaf/role', false],
  ['PUT', '/postern/api/people/olaf/access', false],
  ['DELETE', '/postern/api/users/olaf/factors', false],
  ['POST', '/postern/api/explain', false],
  ['POST', '/postern/api/recorder/roles', false],
  ['POST', '/postern/api/recorder/address', false],
  ['PUT', '/postern/api/recorder/address', false],
  ['POST', '/postern/api/first-run', false],
  ['POST', '/postern/account', false],
  ['DELETE', '/api/review/no-such-review/viewed', false],
];

/** A camera by every road that a recorder has. */
export const recorderRows: readonly Row[] = [
  ...pairs.flatMap(([granted, forbidden]): Row[] => [
    {
      name: `${granted} by its role`,
      request: { uri: granted, headers: asFront },
      expect: isOurs(granted)
        ? 'answered'
        : granted in narrowed || !(granted in passedOn)
          ? front
          : 'refused',
      but: narrowedTo(passedOn[granted], front),
    },
    {
      name: `${forbidden} by another role`,
      request: { uri: forbidden, headers: asFront },
      expect: 'refused',
      but: narrowedTo(passedOn[forbidden], front),
    },
  ]),
  ...unresolved.map((uri): Row => ({
    name: `${uri.slice(0, 80)} by a custom role`,
    request: { uri, headers: asFront },
    expect: 'refused',
    but: narrowedTo(passedOn[uri], front),
  })),
  ...administrative.flatMap((uri): Row[] => [
    { name: `${uri} by viewer`, request: { uri, headers: asViewer }, expect: 'refused' },
    { name: `${uri} by a custom role`, request: { uri, headers: asFront }, expect: 'refused' },
  ]),
  ...changes.flatMap(([method, uri, byFront]): Row[] => [
    {
      name: `${method} ${uri} by a custom role`,
      request: { method, uri, headers: asFront },
      expect: byFront ? front : 'refused',
    },
    {
      name: `${method} ${uri} by viewer`,
      request: { method, uri, headers: asViewer },
      expect: changedByViewer(uri, byFront) ? viewer : 'refused',
    },
  ]),

  // Offers of WebRTC: only where the gate reads them.
  ...['/api/go2rtc/webrtc', '/api/go2rtc/api/webrtc'].flatMap((path): Row[] => {
    const offer = (camera: string, direction: string, headers: typeof asFront) => ({
      method: 'POST',
      uri: `${path}?src=${camera}`,
      headers: [...headers, ['Content-Type', 'application/sdp'] as const],
      body: `v=0\r\nm=video 9 RTP/AVP 96\r\na=${direction === 'inactive' ? direction : 'recvonly'}\r\nm=audio 9 RTP/AVP 0\r\na=${direction}\r\n`,
    });
    return [
      {
        name: `POST ${path} by a custom role`,
        request: offer('front_door', 'recvonly', asFront),
        expect: 'refused',
        but: { 'embedded front': front, nginx: front },
      },
      {
        name: `POST ${path} with sound, by a custom role`,
        request: offer('front_door', 'sendonly', asFront),
        expect: 'refused',
      },
      {
        name: `POST ${path} of another camera`,
        request: offer('garage', 'recvonly', asFront),
        expect: 'refused',
      },
      {
        name: `POST ${path} with sound, by viewer`,
        request: offer('garage', 'sendonly', asViewer),
        expect: 'refused',
        but: { 'embedded front': viewer, nginx: viewer },
      },
      // go2rtc would take its client as a source of the stream.
      {
        name: `POST ${path} that asks for nothing, by viewer`,
        request: offer('garage', 'inactive', asViewer),
        expect: 'refused',
      },
    ];
  }),

  // It reports all cameras and takes commands: the embedded front filters it, and so does the relay, to which nginx sends it.
  {
    name: '/ws by viewer',
    request: { uri: '/ws', headers: asViewer },
    expect: 'refused',
    but: { 'embedded front': viewer, nginx: viewer },
  },
  // The commands of processes are left out there.
  ...['/api/stats', '/api/metrics', '/api/go2rtc/streams/garage'].map((uri): Row => ({
    name: `${uri} by viewer`,
    request: { uri, headers: asViewer },
    expect: 'refused',
    but: { 'embedded front': viewer, nginx: viewer },
  })),
  // Its secrets are masked there.
  {
    name: '/api/config by viewer',
    request: { uri: '/api/config', headers: asViewer },
    expect: 'refused',
    but: { 'embedded front': viewer, nginx: viewer },
  },
  {
    name: '/ws by a custom role',
    request: { uri: '/ws', headers: asFront },
    expect: 'refused',
    but: { 'embedded front': front, nginx: front },
  },

  // Of one's own, whatever the role; the gate answers them itself.
  ...(
    [
      ['GET', '/postern/api/sessions'],
      ['DELETE', '/postern/api/sessions/none'],
      ['DELETE', '/postern/api/sessions'],
      ['GET', '/postern/api/streams'],
      ['GET', '/postern/api/tokens'],
      ['POST', '/postern/api/tokens'],
      ['DELETE', '/postern/api/tokens/none'],
      ['GET', '/postern/api/displays'],
      ['POST', '/postern/api/displays'],
      ['GET', '/postern/api/displays/none'],
      ['PUT', '/postern/api/displays/none'],
      ['DELETE', '/postern/api/displays/none'],
      ['GET', '/postern/api/displays/code/none'],
      ['DELETE', '/postern/api/displays/code/none'],
      ['GET', '/postern/api/account/email'],
      ['PUT', '/postern/api/account/email'],
      ['GET', '/postern/api/push'],
      ['POST', '/postern/api/push'],
      ['DELETE', '/postern/api/push/none'],
      ['POST', '/postern/api/access-requests'],
      ['GET', '/postern/api/access-requests/own'],
      ['GET', '/postern/api/shares'],
      ['POST', '/postern/api/shares'],
      ['POST', '/postern/api/wall'],
      ['DELETE', '/postern/api/shares/none'],
      ['GET', '/postern/api/sign-in-methods'],
      ['POST', '/postern/api/passkeys/options'],
      ['POST', '/postern/api/passkeys'],
      ['DELETE', '/postern/api/passkeys/none'],
      ['POST', '/postern/api/one-time-code/setup'],
      ['POST', '/postern/api/one-time-code'],
      ['DELETE', '/postern/api/one-time-code'],
      ['POST', '/postern/api/recovery-codes'],
      ['POST', '/postern/api/step-up/passkey-options'],
      ['POST', '/postern/api/step-up'],
      ['GET', '/postern/explore'],
      ['GET', '/postern/events?id=odd%20id'],
    ] as const
  ).flatMap(([method, uri]): Row[] =>
    (
      [
        [asFront, 'a custom role'],
        [asViewer, 'viewer'],
      ] as const
    ).map(([headers, who]) => ({
      name: `${method} ${uri} by ${who}`,
      request: { method, uri, headers },
      // It takes the word `share`, which custom roles do not have by default.
      expect:
        method === 'POST' && uri === '/postern/api/shares' && headers === asFront ? 'refused' : 'answered',
    })),
  ),

  // Hyphens: the longest name, and exactly that.
  ...(
    [
      ['yard', true],
      ['yard-2', true],
      ['yard-2-west', false],
      ['yard-3', false],
    ] as const
  ).flatMap(([camera, granted]): Row[] =>
    [
      `/clips/${camera}-${ofFront}.jpg`,
      `/clips/review/thumb-${camera}-${ofFront}.webp`,
      `/clips/thumbs/${camera}/x.webp`,
      `/clips/${camera}-x.jpg`,
    ].map((uri) => ({
      name: `${uri} by the role of yard and yard-2`,
      request: { uri, headers: asHyphens },
      // Without the form of an event's file, yard-3 is a file of yard called 3.
      expect: granted || uri === '/clips/yard-3-x.jpg' ? hyphens : 'refused',
    })),
  ),
];

function isOurs(uri: string): boolean {
  return uri.startsWith('/postern/');
}

function changedByViewer(uri: string, byFront: boolean): boolean {
  const openToReaders = [
    '/api/reviews/viewed',
    '/api/exports/batch',
    '/api/review/',
    '/api/garage/search/motion',
    '/api/export/garage/start',
    '/api/export/custom/garage/start',
  ];
  return byFront || openToReaders.some((start) => uri.startsWith(start));
}
