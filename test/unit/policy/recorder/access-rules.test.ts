import { rolesOf } from '../../../support/roles.ts';
import { expect, test } from 'vitest';
import { lockedRules, recorderRules } from '../../../../src/policy/recorder/access-rules.ts';
import type { AccessRule } from '../../../../src/policy/access-rule.ts';
import { evaluate } from '../../../../src/policy/evaluate/evaluate.ts';
import { plainIdentity } from '../../../../src/policy/identity.ts';
import { prepareRules } from '../../../../src/policy/rule-tree.ts';
import { filtered, known } from '../known-cameras.ts';

// The whole table by its effect: who may make each request. The embedded front passes it on, its body is unknown,
// and every event, export and review belongs to the camera front. `later` is a role of front without recordings before 1793000000
// (2026-10-26), and `token` an API token of a viewer, limited to front. Each access rule needs a row that depends on it.
const rows: Readonly<Record<string, readonly string[]>> = {
  admin: [
    'GET /api/audio_labels',
    'GET /api/auth/first_time_login',
    'GET /api/birdseye',
    'GET /api/birdseye/latest.jpg',
    'GET /api/birdseye/x',
    'GET /api/chat',
    'POST /api/chat/completion',
    'GET /api/classification/x/dataset',
    'PUT /api/config',
    'GET /api/config/',
    'GET /api/config/latest.jpg',
    'GET /api/config/raw',
    'GET /api/config/save',
    'PUT /api/config/schema.json',
    'GET /api/config/x',
    'GET /api/debug_replay',
    'GET /api/notices',
    'GET /api/notices/1',
    'GET /api/hardware',
    'GET /api/hardware/detectors',
    'GET /api/analytics/preview',
    'GET /API/Analytics/preview',
    'POST /api/debug_replay/start',
    'POST /api/events/1.a/plus',
    'GET /api/faces',
    'POST /api/faces/train',
    'GET /api/ffmpeg/presets/',
    'GET /api/ffprobe/snapshot',
    'POST /api/front/plus/1.5',
    'POST /api/front/search/motion/1',
    'GET /api/genai/models',
    'GET /api/go2rtc/api/config',
    'GET /api/go2rtc/api/config/x',
    'GET /api/go2rtc/api/exit',
    'GET /api/go2rtc/api/stream',
    'GET /api/go2rtc/api/streams',
    'GET /api/go2rtc/api/streams?src=',
    'GET /api/go2rtc/api/streams?src=front&dst=garage',
    'GET /api/go2rtc/api/streams?src=rtsp://10.0.0.1/front',
    'GET /api/go2rtc/streams',
    'GET /api/go2rtc/streams/front/x',
    'PUT /api/go2rtc/webrtc?src=front',
    'GET /api/keyframe_analysis',
    'GET /api/logs',
    'GET /api/logs/nginx',
    'GET /api/media/sync',
    'POST /api/media/sync',
    'POST /api/notifications/register',
    'GET /api/nvinfo/',
    'GET /api/onvif/probe',
    'GET /api/profile/active',
    'GET /api/recordings/storage',
    'GET /api/reolink/detect',
    'GET /api/restart',
    'POST /api/restart',
    'POST /api/restarts',
    'DELETE /api/review/1.a',
    'GET /api/review/summarize/start/1/end/2',
    'POST /api/review/summarize/start/1/end/2',
    'PUT /api/reviews/viewed',
    'GET /api/stats/history',
    'GET /api/stats/history/',
    'GET /api/triggers/status/front',
    'GET /api/vainfo',
    'GET /api/vlm/monitor',
    'GET /clips/dogs/dataset/a.jpg',
    'GET /clips/dogs/train/a.jpg',
    'GET /clips/faces/a.jpg',
    'GET /clips/genai-requests/1/2.jpg',
    'GET /clips/preview_restart_cache/a.mp4',
    'GET /clips/train/a.jpg',
  ],
  'admin viewer': [
    'GET /api/author',
    'GET /api/back-yard/anything/at/all',
    'GET /api/cases/1/downloads',
    'GET /api/cases/1/x',
    'GET /api/event_ids/x',
    'GET /api/event_ids?ids=a&cameras=x',
    'GET /api/events/',
    'GET /api/export/',
    'POST /api/export/custom/front/start/1/end/2',
    'POST /api/export/custom/start/1/end/2',
    'POST /api/export/custom/start/start/1/end/2',
    'POST /api/export/front/start/1/end/2',
    'POST /api/exports/batch',
    'GET /api/exports/exp1/x',
    'GET /api/go2rtc/api/streams?src=birdseye',
    'GET /api/go2rtc/api/ws',
    'GET /api/go2rtc/streams/birdseye',
    'GET /api/go2rtc/streams/both',
    'GET /api/jobs/exports',
    'GET /api/log',
    'GET /api/metrics',
    'GET /api/notifications/register',
    'GET /api/preview/2026-11/21/10',
    'GET /api/preview/2026-11/21/10/all',
    'GET /api/preview/ALL/start/1/end/2',
    'GET /api/preview/all/start/1/end/2/frames',
    'GET /api/preview/front/end/2',
    'GET /api/preview/garage',
    'GET /api/preview/x/thumb.webp',
    'GET /api/recordings',
    'GET /api/recordings/summary/x',
    'GET /api/review/activity',
    'GET /api/review/events/1.a',
    'GET /api/review/summary/x',
    'GET /api/review_ids',
    'GET /api/reviews/viewed',
    'POST /api/reviews/viewed',
    'GET /api/timeline/hour',
    'GET /api/unknown/anything',
    'GET /api/vainfos',
    'GET /api/vod/2026-11/21/10',
    'GET /api/vod/clip/start/1/end/2',
    'GET /api/vod/event/1.a/x',
    'GET /api/vod/front/start/1/end/2/x',
    'GET /api/x',
    'GET /clips',
    'GET /clips/',
    'GET /clips/back-yard-1793000276.376447-de8gxd.jpg',
    'GET /clips/dogs/data/a.jpg',
    'GET /clips/dogs/trains/a.jpg',
    'GET /clips/export/a/b.webp',
    'GET /clips/exports/exp1.webp',
    'GET /clips/face/a.jpg',
    'GET /clips/genai/1/2.jpg',
    'GET /clips/other/a.jpg',
    'GET /clips/preview/a.mp4',
    'GET /clips/previews/front/a/b',
    'GET /clips/review/',
    'GET /clips/review/a/b',
    'GET /clips/thumbs/front',
    'GET /clips/trains/a.jpg',
    'GET /exports',
    'GET /exports/',
    'GET /exports/a/b.mp4',
    'GET /live',
    'GET /live/',
    'GET /live/jsmpeg/birdseye',
    'GET /live/jsmpeg/birdseye/x',
    'GET /live/jsmpeg/birdseye?src=front',
    'GET /live/jsmpeg/front/x',
    'GET /live/mse',
    'GET /live/mse/api/ws?src=',
    'GET /live/mse/api/ws?src=birdseye',
    'GET /live/mse/api/ws?src=front&media=video&src=garage',
    'GET /live/mse/front',
    'GET /live/webrtc/api/ws',
    'GET /live/webrtc/api/ws?src=both',
    'GET /live/webrtc/api/ws?src=front&src=birdseye',
    'GET /live/webrtc/api/wss',
    'GET /recordings',
    'GET /recordings/',
    'GET /recordings/2026-11-21/',
    'GET /recordings/2026-11-21/10',
    'GET /recordings/2026-11-21/10/',
    'GET /stream/front/1.ts',
    'GET /vod/',
    'GET /vod/2026-11/21/10',
    'GET /vod/clip/start/start/1/end/2',
    'GET /vod/clips/front/1',
    'GET /vod/event',
    'GET /vod/event/',
    'GET /vod/front/end/2',
    'GET /vod/front/start/1,2/end/3',
    'GET /vod/front/sub/end/2',
  ],
  'admin viewer front token': [
    'GET /api/event_ids?ids=a,%20b&ids=c,a',
    'GET /api/events/1.a',
    'GET /api/events/1.a/clip.mp4',
    'GET /api/events/1.a/snapshot.jpg',
    'GET /api/events/explored',
    'GET /api/events/search/x',
    'GET /api/events/summaries',
    'GET /api/export/front/x',
    'GET /api/exports/batch',
    'GET /api/exports/exp1',
    'GET /api/front/begin/1',
    'GET /api/front/latest',
    'GET /api/front/person/best.jpg',
    'GET /api/front/person/clip.mp4',
    'GET /api/front/person/snapshot.jpg',
    'GET /api/front/person/thumbnail.jpg',
    'GET /api/front/ptz',
    'GET /api/front/recordings/1/2/snapshot.jpg',
    'GET /api/front/recordings/1/snapshot.jpg',
    'GET /api/front/recordings/summary',
    'GET /api/front/search/motion',
    'POST /api/front/search/motion',
    'GET /api/front/search/motion/1',
    'GET /api/front/start/1/end/2/clip.mp4',
    'GET /api/jobs/export/exp1',
    'GET /api/labels?camera=front',
    'GET /api/preview/front/start/1/end/2',
    'GET /api/recordings/summary?cameras=front',
    'GET /api/review/1.a',
    'GET /api/review_ids?ids=1.a',
    'DELETE /api/review/1.a/viewed',
    'GET /api/review/event/1.a',
    'GET /api/review/event/1793000001.a',
    'GET /api/review/summary?cameras=front',
    'GET /api/timeline?camera=front',
    'GET /api/vod/clip/front/start/1/end/2',
    'GET /api/vod/event/1.a',
    'GET /api/vod/front/start/1/end/2',
    'GET /clips/export/exp1.webp',
    'GET /clips/previews/front/1-2.mp4',
    'GET /clips/thumbs/front/a.webp',
    'GET /exports/a.mp4',
    'GET /vod/clip/front/1',
    'GET /vod/clip/front/start/1/end/2',
    'GET /vod/event/1.a/index.m3u8',
    'GET /vod/front/start/1/end/2',
    'GET /vod/front/start/1/end/3',
    'GET /vod/front/sub/start/1/end/2',
  ],
  'admin viewer front later token': [
    'GET /api/event_ids?ids=1793000001.a',
    'GET /api/events/1793000001.a/snapshot.jpg',
    'GET /api/events/search?cameras=front',
    'GET /api/events?cameras=front',
    'GET /api/exports/1793000001',
    'GET /api/front',
    'GET /api/front/latest.jpg',
    'GET /api/front/latest.webp?h=300',
    'GET /api/front/ptz/info',
    'GET /api/front/recordings',
    'GET /api/front/recordings/1793000001/snapshot.jpg',
    'GET /api/front/recordings?after=1793000001',
    'GET /api/front/start/1793000001/end/1999999999/clip.mp4',
    'GET /api/go2rtc/api/frame.jpeg?src=front',
    'GET /api/go2rtc/api/stream.mp4?src=front',
    'GET /api/go2rtc/api/streams?src=front',
    'GET /api/go2rtc/api/webrtc?src=front',
    'GET /api/go2rtc/api/ws?src=front',
    'GET /api/go2rtc/frame.jpeg?src=front',
    'GET /api/go2rtc/stream.mp4?src=front',
    'GET /api/go2rtc/streams/front',
    'GET /api/go2rtc/streams/front_sub',
    'GET /api/go2rtc/webrtc?src=front',
    'GET /api/go2rtc/ws?src=front',
    'GET /api/jobs/export/1793000001',
    'GET /api/preview/2026-11/21/10/front/UTC',
    'GET /api/preview/2026-12/21/10/front/UTC',
    'GET /api/preview/front/start/1793000001/end/1999999999',
    'GET /api/preview/preview_front-1793000001.3.webp/thumbnail.webp',
    'GET /api/preview/preview_front-1793000276.3.webp/thumbnail.webp',
    'GET /api/recordings/unavailable?cameras=front',
    'GET /api/review/1793000001.a',
    'DELETE /api/review/1793000001.a/viewed',
    'GET /api/review/activity/motion?cameras=front',
    'GET /api/review?cameras=front',
    'GET /api/review_ids?ids=1793000001.a',
    'GET /api/timeline/hourly?cameras=front',
    'GET /api/timeline?camera=front&source_id=1793000001.a',
    'GET /api/vod/2026-11/21/10/front/UTC',
    'GET /api/vod/2026-12/21/10/front/UTC',
    'GET /api/vod/clip/front/start/1793000001/end/1999999999',
    'GET /api/vod/event/1793000001.a',
    'GET /api/vod/front/start/1793000001/end/1999999999',
    'GET /clips/export/1793000001.webp',
    'GET /clips/front-1793000001.3-a.jpg',
    'GET /clips/front-1793000276.3-a.jpg',
    'GET /clips/previews/front/1793000001-1999999999.mp4',
    'GET /clips/review/thumb-front-1793000001.3-a.webp',
    'GET /clips/review/thumb-front-1793000276.3-a.webp',
    'GET /clips/thumbs/front/1793000001.3-a.webp',
    'GET /exports/1793000001.mp4',
    'GET /live/jsmpeg/front',
    'GET /live/mse/front?src=front',
    'GET /live/webrtc/api/ws?src=front',
    'GET /live/webrtc/api/ws?src=front_sub',
    'GET /recordings/2026-11-21/10/front/00.00.mp4',
    'GET /recordings/2026-12-21/10/front/00.00.mp4',
    'GET /vod/2026-11/21/10/front/UTC',
    'GET /vod/2026-12/21/10/front/UTC',
    'GET /vod/clip/front/start/1793000001/end/1999999999',
    'GET /vod/event/1793000001.a/index.m3u8',
    'GET /vod/front/start/1793000001/end/1999999999',
    'POST /api/go2rtc/api/webrtc?src=front',
    'POST /api/go2rtc/webrtc?src=front',
  ],
  'admin viewer front later': ['GET /api/events/search?cameras=front&event_id=1.a'],
  'admin viewer front': [
    'GET /api/events/explore?cameras=front',
    'GET /api/events/summary?cameras=front',
    'GET /api/exports?cameras=front',
    'POST /api/front/search/motion/1/cancel',
    'GET /api/jobs/export?cameras=front',
    'GET /api/sub_labels?cameras=front',
  ],
  'admin viewer garage': [
    'GET /api/garage',
    'GET /api/garage/latest.jpg',
    'GET /api/preview/preview_garage-1793000276.376447.webp/thumbnail.webp',
    'GET /clips/review/thumb-garage-1793000276.376447-de8gxd.webp',
    'GET /live/mse/api/ws?sr%63=garage',
    'GET /recordings/2026-11-21/10/garage/',
  ],
  'admin viewer front garage': [
    'GET /api/cases',
    'GET /api/cases/1',
    'GET /api/cases/1/download',
    'GET /api/events/explore',
    'GET /api/events/summary',
    'GET /api/exports',
    'GET /api/jobs/export',
    'GET /api/preview/all/start/1/end/2',
    'GET /api/recognized_license_plates',
    'GET /api/sub_labels',
  ],
  'admin viewer front garage token': [
    'GET /api/labels',
    'GET /api/recordings/summary',
    'GET /api/review/summary',
    'GET /api/timeline',
  ],
  'admin viewer front garage later': [
    'GET /',
    'GET /api',
    'GET /api/preview/2026-11/21/10/all/UTC',
    'GET /api/preview/2026-12/21/10/all/UTC',
    'GET /api/preview/all/start/1793000001/end/1999999999',
    'GET /api/profiles',
    'GET /apix/config',
    'GET /clip/other',
    'GET /configuration',
    'GET /export',
    'GET /index.html',
    'GET /lives',
    'GET /recording',
    'GET /streams/front',
    'GET /vods',
    'GET /ws',
    'GET /wsx',
    'GET /wsx/y',
    'GET /xws',
  ],
  'admin viewer front garage later token': [
    // Names no event: its owner's 422.
    'GET /api/event_ids',
    'GET /api/',
    'GET /api/config',
    'GET /api/config/schema.json',
    'GET /api/events',
    'GET /api/events/search',
    'GET /api/events?cameras=front,garage&camera=x',
    'GET /api/notifications/pubkey',
    'GET /api/plus/models',
    'GET /api/recordings/unavailable',
    'GET /api/review',
    'GET /api/review/activity/motion',
    'GET /api/stats',
    'GET /api/timeline/hourly',
    'GET /api/version',
  ],
};

const token = {
  ...plainIdentity('token', 'viewer', 'api-token'),
  token: { id: 't', cameras: new Set(['front']) },
};

const table: readonly AccessRule[] = [...lockedRules, ...recorderRules];
const roles = ['admin', 'viewer', 'front', 'garage', 'later'];
const everyone = [...roles.map((role) => plainIdentity(role, role, 'session')), token];
const requests = Object.entries(rows).flatMap(([who, all]) => all.map((request) => [request, who] as const));
const cameras = known(['front', 'front_door', 'garage', 'back-yard'], {
  streams: new Map([
    ['front_sub', ['front']],
    ['both', ['front', 'garage']],
  ]),
});

/** Who may make each request, by these rules. */
function whoMay(accessRules: readonly AccessRule[]): (request: string) => string {
  const rules = {
    roles: rolesOf(
      [
        ['front', ['front']],
        ['garage', ['garage']],
        ['later', ['front']],
      ],
      { later: { from: '2026-10-26', history: 'from' } },
    ),
    resolveResource: prepareRules(accessRules)(cameras),
    recorded: {
      camerasOfEvents: (ids: readonly string[]) => new Map(ids.map((id) => [id, 'front'])),
      camerasOfExport: () => ['front'],
      camerasOfReview: (id: string) => (id.includes('.') ? ['front'] : []),
    },
    recordedTimes: {
      startsOfEvents: (ids: readonly string[]) => new Map(ids.map((id) => [id, Number.parseFloat(id)])),
      startsOfExport: (name: string) => [Number.parseFloat(name)],
      startsOfReview: (id: string) => [Number.parseFloat(id)],
    },
    stateOf: () => ({ isOpen: true, until: Number.POSITIVE_INFINITY, since: 1_793_000_000_000 }),
    internalHosts: new Set<string>(),
    listsAreFiltered: filtered.listsAreFiltered,
    basePath: '',
  };
  return (request) => {
    const [method = '', uri = ''] = request.split(' ', 2);
    const asked = {
      entryPoint: 'authenticated',
      front: 'embedded',
      method,
      uri,
      headers: [],
      // An offer has to be read; other bodies are not shown here.
      body: uri.includes('/webrtc') ? 'to-come' : undefined,
      host: 'gate.test',
      secure: true,
    } as const;
    return everyone
      .filter((identity) => evaluate(asked, { identity }, rules).outcome === 'allow')
      .map(({ user }) => user)
      .join(' ');
  };
}

const byTheTable = whoMay(table);

test.each(requests)('%s: %s', (request, who) => {
  expect(byTheTable(request)).toBe(who);
});

const nameOf = ({ methods = [], path, having = '' }: AccessRule) =>
  `${methods.join()} ${path} ${having}`.trim();

test('each rule decides a request here', () => {
  const resolveResource = prepareRules(table)(cameras);
  const resolveBesideCases = prepareRules(table)(known(['cases']));
  const deciding = new Set(
    requests.flatMap(([request]) => {
      const [method, uri = ''] = request.split(' ', 2);
      const [path = '', query = ''] = uri.split('?', 2);
      return [resolveResource, resolveBesideCases].map((resolve) => resolve({ path, query }, method).rule);
    }),
  );
  expect(table.filter((rule) => !deciding.has(rule)).map(nameOf)).toEqual([]);
});

/**
 * These change no result here: they take precedence over rules of an operator, give a reason, filter messages, or need less
 * (`access-rules-may.test.ts`).
 */
const redundant = [
  '/api/go2rtc/api/config',
  '/api/go2rtc/streams',
  '/api/config',
  'POST /api/notifications/register/**',
  'POST /api/*/plus/*',
  '/ws*/**',
  '/live/jsmpeg/birdseye',
  '/clips/export/**',
  '/api/metrics',
  '/api',
  '/api/:known /cases',
  '/api/:known/recordings/summary',
  '/api/:known/search/motion/*',
  '/api/:known/*/best.jpg',
  '/api/:known/*/clip.mp4',
  '/api/:known/*/snapshot.jpg',
  '/api/:known/*/thumbnail.jpg',
];

test('without any other rule, some result here changes', () => {
  const unnoticed = table.filter((rule) => {
    const without = whoMay(table.filter((other) => other !== rule));
    return requests.every(([request, who]) => without(request) === who);
  });
  expect(unnoticed.map(nameOf)).toEqual(redundant);
});

test('any rule, opened or closed, changes a result', () => {
  const unnoticed = table.filter((rule, place) => {
    const isOpen = rule.level === 'any' || rule.level === 'list';
    const changed: AccessRule = isOpen
      ? { ...rule, level: 'admin-only', may: 'shell' }
      : { ...rule, level: 'any', may: 'shell', changes: true };
    const by = whoMay(table.with(place, changed));
    return requests.every(([request, who]) => by(request) === who);
  });
  // It decides beside a camera called cases alone: `access-rules-may.test.ts`.
  expect(unnoticed.map(nameOf)).toEqual(['/api/:known /cases']);
});
