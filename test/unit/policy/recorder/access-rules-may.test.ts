import { ownRules } from '../../../support/every-endpoint.ts';
import { describe, expect, test } from 'vitest';
import { neededFor, type AccessRule, type Need } from '../../../../src/policy/access-rule.ts';
import { lockedRules, recorderRules } from '../../../../src/policy/recorder/access-rules.ts';
import { prepareRules } from '../../../../src/policy/rule-tree.ts';
import { recorderRoutes, releases } from '../../../support/recorder-facts.ts';
import { known } from '../known-cameras.ts';

/** What each request that is not for admins alone needs: those of the recorder's web server, and every route of its program. */
const requests: Readonly<Record<Need, readonly string[]>> = {
  shell: [
    'GET /',
    'GET /index.html',
    'GET /assets/index.js',
    'GET /review',
    'GET /export',
    'GET /ws',
    'GET /wsx/y',
    'GET /api',
    'GET /api/',
    'GET /api/config',
    'GET /api/config/schema.json',
    'GET /api/notifications/pubkey',
    'GET /api/plus/models',
    'GET /api/profiles',
    'GET /api/stats',
    'GET /api/version',
    // The gate's own.
    'GET /login',
    'POST /api/login',
    'GET /api/logout',
    'GET /api/profile',
    'PUT /api/users/olaf/password',
    'GET /auth',
    'GET /postern/',
    'GET /postern/account',
    'GET /postern/assets/index.js',
    'GET /postern/api/cameras',
    'GET /postern/api/shares',
    'GET /postern/api/tokens',
  ],
  live: [
    'GET /live',
    'GET /live/jsmpeg/front',
    'GET /live/jsmpeg/birdseye',
    'GET /live/jsmpeg/front/x',
    'GET /live/mse/api/ws',
    'GET /live/mse/api/ws?src=front',
    'GET /live/webrtc/api/ws?src=front',
    'GET /live/webrtc/webrtc.html?src=front',
    'GET /live/anything/at/all',
    'GET /stream/front/1.ts',
    'GET /api/go2rtc/api/streams?src=front',
    'GET /api/go2rtc/streams/{stream_name}',
    'PUT /api/go2rtc/streams/{stream_name}',
    'DELETE /api/go2rtc/streams/{stream_name}',
    'GET /api/go2rtc/webrtc?src=front',
    'POST /api/go2rtc/webrtc?src=front',
    'POST /api/go2rtc/api/webrtc?src=front',
    'GET /api/go2rtc/ws?src=front',
    'GET /api/go2rtc/stream.mp4?src=front',
    'GET /api/go2rtc/frame.jpeg?src=front',
    'GET /api/go2rtc/api/webrtc?src=front',
    'GET /api/go2rtc/api/ws?src=front',
    'GET /api/go2rtc/api/stream.mp4?src=front',
    'GET /api/go2rtc/api/frame.jpeg?src=front',
    'GET /api/{camera_name}',
    'GET /api/{camera_name}/latest.{extension}',
    'GET /api/{camera_name}/ptz/info',
  ],
  history: [
    'GET /recordings',
    'GET /recordings/2026-11-21/10/front/00.00.mp4',
    'GET /vod',
    'GET /vod/2026-11/21/10/front/UTC/index.m3u8',
    'GET /vod/clip/front/1/index.m3u8',
    'GET /vod/clip/front/start/1/end/2/index.m3u8',
    'GET /vod/event/1.a/index.m3u8',
    'GET /vod/front/start/1/end/2/index.m3u8',
    'GET /vod/front/start/1,2/end/3/index.m3u8',
    'GET /vod/front/sub/start/1/end/2/index.m3u8',
    'GET /clips',
    'GET /clips/front-1793000276.3-a.jpg',
    'GET /clips/exports/a.webp',
    'GET /clips/previews/front/1-2.mp4',
    'GET /clips/review/thumb-front-1793000276.3-a.webp',
    'GET /clips/thumbs/front/a.webp',
    'GET /clips/anything/else',
    'GET /api/event_ids',
    'GET /api/events',
    'GET /api/events/explore',
    'GET /api/events/search',
    'GET /api/events/summary',
    'DELETE /api/events/',
    'GET /api/events/{event_id}',
    'DELETE /api/events/{event_id}',
    'GET /api/events/{event_id}/clip.mp4',
    'GET /api/events/{event_id}/preview.gif',
    'GET /api/events/{event_id}/snapshot-clean.webp',
    'GET /api/events/{event_id}/snapshot.jpg',
    'GET /api/events/{event_id}/thumbnail.{extension}',
    'POST /api/events/{camera_name}/{label}/create',
    'POST /api/events/{event_id}/attributes',
    'POST /api/events/{event_id}/description',
    'PUT /api/events/{event_id}/description/regenerate',
    'PUT /api/events/{event_id}/end',
    'PUT /api/events/{event_id}/false_positive',
    'POST /api/events/{event_id}/plus',
    'POST /api/events/{event_id}/recognized_license_plate',
    'POST /api/events/{event_id}/retain',
    'DELETE /api/events/{event_id}/retain',
    'POST /api/events/{event_id}/sub_label',
    'GET /api/labels',
    'GET /api/metrics',
    'GET /api/preview/all/start/1/end/2',
    'GET /api/preview/{camera_name}/start/{start_ts}/end/{end_ts}',
    'GET /api/preview/{camera_name}/start/{start_ts}/end/{end_ts}/frames',
    'GET /api/preview/{file_name}/thumbnail.jpg',
    'GET /api/preview/{file_name}/thumbnail.webp',
    'GET /api/preview/2026-11/21/10/all/UTC',
    'GET /api/preview/{year_month}/{day}/{hour}/{camera_name}/{tz_name}',
    'GET /api/recognized_license_plates',
    'GET /api/recordings/summary',
    'GET /api/recordings/unavailable',
    'GET /api/review',
    'GET /api/review/activity/motion',
    'GET /api/review/event/{event_id}',
    'GET /api/review/summary',
    'GET /api/review/{event_id}/preview',
    'GET /api/review/{review_id}',
    'GET /api/review/{review_id}/clip.mp4',
    'DELETE /api/review/{review_id}/viewed',
    'GET /api/review_ids',
    'POST /api/reviews/viewed',
    'GET /api/sub_labels',
    'GET /api/timeline',
    'GET /api/timeline/hourly',
    'GET /api/vod/clip/{camera_name}/start/{start_ts}/end/{end_ts}',
    'GET /api/vod/event/{event_id}',
    'GET /api/vod/{camera_name}/start/{start_ts}/end/{end_ts}',
    'GET /api/vod/{year_month}/{day}/{hour}/{camera_name}',
    'GET /api/vod/{year_month}/{day}/{hour}/{camera_name}/{tz_name}',
    'GET /api/{camera_name}/recordings',
    'GET /api/{camera_name}/recordings/summary',
    'GET /api/{camera_name}/recordings/{frame_time}/snapshot.{format}',
    'POST /api/{camera_name}/search/motion',
    'GET /api/{camera_name}/search/motion/{job_id}',
    'POST /api/{camera_name}/search/motion/{job_id}/cancel',
    'GET /api/{camera_name}/start/{start_ts}/end/{end_ts}/clip.mp4',
    'GET /api/{camera_name}/start/{start_ts}/end/{end_ts}/preview.gif',
    'GET /api/{camera_name}/start/{start_ts}/end/{end_ts}/preview.mp4',
    'GET /api/{camera_name}/{label}/best.jpg',
    'GET /api/{camera_name}/{label}/clip.mp4',
    'GET /api/{camera_name}/{label}/snapshot.jpg',
    'GET /api/{camera_name}/{label}/thumbnail.jpg',
  ],
  export: [
    'GET /exports',
    'GET /exports/a.mp4',
    'GET /exports/a/b.mp4',
    'GET /clips/export',
    'GET /clips/export/a.webp',
    'GET /clips/export/a/b.webp',
    'GET /api/cases',
    'POST /api/cases',
    'GET /api/cases/{case_id}',
    'PATCH /api/cases/{case_id}',
    'DELETE /api/cases/{case_id}',
    'GET /api/cases/{case_id}/download',
    'POST /api/export/custom/{camera_name}/start/{start_time}/end/{end_time}',
    'POST /api/export/{camera_name}/start/{start_time}/end/{end_time}',
    'DELETE /api/export/{event_id}',
    'PATCH /api/export/{event_id}/rename',
    'GET /api/exports',
    'POST /api/exports/batch',
    'POST /api/exports/delete',
    'POST /api/exports/reassign',
    'GET /api/exports/{export_id}',
    'GET /api/jobs/export',
    'GET /api/jobs/export/{export_id}',
  ],
  share: ['POST /postern/api/shares'],
  // No rule has the path.
  'live-or-history': ['GET /postern/cameras/front'],
  everything: [
    'GET /api/front/anything/else',
    'GET /api/front/latest',
    'GET /api/front/ptz',
    'POST /api/front/ptz/move',
    'GET /api/front/search/motion',
    'GET /api/front/recordings/x',
    'GET /api/unknown/latest.jpg',
    'GET /api/anything',
    'GET /api/exports/a/b',
    'GET /api/jobs/export/a/b',
    'GET /api/cases/1/x',
    'GET /api/recordings',
    'GET /api/vod/front/x',
    'PUT /api/audio/transcribe',
    'PUT /api/camera/{camera_name}/set/{feature}',
    'PUT /api/camera/{camera_name}/set/{feature}/{sub_command}',
    'DELETE /api/cameras/{camera_name}',
    'POST /api/description/generate',
    'PUT /api/lpr/reprocess',
    'DELETE /api/recordings/start/{start}/end/{end}',
    'PUT /api/reindex',
    'POST /api/reviews/delete',
    'POST /api/trigger/embedding',
    'PUT /api/trigger/embedding/{camera_name}/{name}',
    'DELETE /api/trigger/embedding/{camera_name}/{name}',
    'GET /api/{camera_name}/grid.jpg',
    'DELETE /api/{camera_name}/region_grid',
  ],
};

const table: readonly AccessRule[] = [...ownRules, ...lockedRules, ...recorderRules];
const resolve = prepareRules(table)(known(['front', 'garage']));
const places: Readonly<Record<string, string>> = {
  camera_name: 'front',
  stream_name: 'front',
  file_name: 'preview_front-1.webp',
};
const resolveBesideCases = prepareRules(table)(known(['cases', 'cases_left', 'showcases']));
const resolvedOf = (request: string, by = resolve) => {
  const [method, route = ''] = request.split(' ');
  const uri = route.replaceAll(/\{(\w+)\}/g, (_, place: string) => places[place] ?? '1');
  const [path = '', query = ''] = uri.split('?');
  return by({ path, query }, method);
};

/** Where a camera is called `cases`. 0.17 has its picture at `/api/cases`, 0.18 the cases of everyone's exports. */
const besideCases: ReadonlyArray<readonly [request: string, need: Need]> = [
  ['GET /api/cases', 'everything'],
  ['GET /api/cases/1', 'everything'],
  ['GET /api/cases/latest.jpg', 'live'],
  // Only fewer people see this picture than could.
  ['GET /api/cases_left', 'everything'],
  ['GET /api/showcases', 'live'],
];

const rows = Object.entries(requests).flatMap(([need, all]) =>
  all.map((request) => [request, need] as const),
);

test.each(rows)('%s needs %s', (request, need) => {
  expect(resolvedOf(request).rule.may).toBe(need);
});

test.each(besideCases)('beside a camera called cases, %s needs %s', (request, need) => {
  expect(resolvedOf(request, resolveBesideCases).rule.may).toBe(need);
});

test.each(releases)('every route of the recorder %s stands above, but those for admins alone', (release) => {
  const listed = new Set(rows.map(([request]) => request));
  const unlisted = recorderRoutes(release)
    .map(({ method, path }) => `${method} ${path}`)
    .filter((request) => !listed.has(request))
    .filter((request) => {
      const { kind } = resolvedOf(request).resource;
      return kind !== 'admin-only' && kind !== 'own-account' && kind !== 'public';
    });
  expect(unlisted).toEqual([]);
});

test('every rule decides a request above, but those for admins alone', () => {
  const deciding = new Set([
    ...rows.map(([request]) => resolvedOf(request).rule),
    ...besideCases.map(([request]) => resolvedOf(request, resolveBesideCases).rule),
  ]);
  const others = [...lockedRules, ...recorderRules].filter(
    (rule) => rule.level !== 'admin-only' && !deciding.has(rule),
  );
  expect(others.map(({ methods = [], path }) => `${methods.join()} ${path}`)).toEqual([]);
});

describe('the words of a rule', () => {
  test.each<[need: Need, words: readonly string[]]>([
    ['shell', []],
    ['live', ['live']],
    ['history', ['history']],
    ['export', ['export']],
    ['share', ['share']],
    ['live-or-history', ['live', 'history']],
    ['everything', ['live', 'history', 'export']],
  ])('%s: %j', (may, words) => {
    expect(neededFor({ may })).toEqual(words);
  });

  test('stand at every rule', () => {
    const words = Object.keys(requests);
    expect(table.filter(({ may }) => !words.includes(may))).toEqual([]);
    // @ts-expect-error A rule without them does not compile.
    const silent: AccessRule = { path: '/new/**', level: 'any' };
    expect(silent).not.toHaveProperty('may');
  });

  test('are all of them for what admins alone may do', () => {
    const closed = table.filter(({ level }) => level === 'admin-only');
    const ofGate = new Set(ownRules);
    expect(closed.filter((rule) => rule.may !== 'everything' && !ofGate.has(rule))).toEqual([]);
  });

  test('are not shell for anything that names a camera', () => {
    const free = new Set(['any', 'own-account', 'public', 'admin-only']);
    expect(table.filter(({ may, level }) => may === 'shell' && !free.has(level))).toEqual([]);
  });
});
