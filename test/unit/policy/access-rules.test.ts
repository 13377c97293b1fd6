import { expect, test } from 'vitest';
import { prepareRules } from '../../../src/policy/rule-tree.ts';
import { lockedRules, recorderRules } from '../../../src/policy/access-rules.ts';
import { known } from './known-cameras.ts';

const table = [...lockedRules, ...recorderRules];
const resolve = prepareRules(table, known(['front']));
const rowOf = (request: string) => {
  const [method, path = ''] = request.split(' ', 2);
  return resolve({ path, query: '' }, method).rule;
};

/** For each row, as `methods path having`: a request that it is for, and one that it is nearly for. */
const rows: ReadonlyArray<[rule: string, hit: string, miss: string]> = [
  ['GET,HEAD /api/config/schema.json', 'GET /api/config/schema.json', 'PUT /api/config/schema.json'],
  ['/api/config/*/**', 'GET /api/config/raw', 'GET /api/config/schema.json'],
  ['/api/logs/**', 'GET /api/logs/nginx', 'GET /api/log'],
  ['/api/go2rtc/api/config', 'GET /api/go2rtc/api/config', 'GET /api/go2rtc/api/config/x'],
  ['/api/go2rtc/api/streams', 'GET /api/go2rtc/api/streams', 'GET /api/go2rtc/api/stream'],
  ['/api/go2rtc/streams', 'GET /api/go2rtc/streams', 'GET /api/go2rtc/streams/front'],
  ['/api/config', 'GET /api/config', 'GET /api/config/x'],
  ['/api/auth/**', 'GET /api/auth/first_time_login', 'GET /api/author'],
  [
    'POST /api/notifications/register/**',
    'POST /api/notifications/register',
    'GET /api/notifications/register',
  ],
  ['/api/restart/**', 'POST /api/restart', 'POST /api/restarts'],
  ['/api/ffprobe/**', 'GET /api/ffprobe/snapshot', 'GET /api/ffprobes'],
  ['/api/ffmpeg/presets/**', 'GET /api/ffmpeg/presets/', 'GET /api/ffmpeg'],
  ['/api/onvif/**', 'GET /api/onvif/probe', 'GET /api/onvifs'],
  ['/api/reolink/**', 'GET /api/reolink/detect', 'GET /api/reolinks'],
  ['/api/vainfo/**', 'GET /api/vainfo', 'GET /api/vainfos'],
  ['/api/nvinfo/**', 'GET /api/nvinfo/', 'GET /api/nvinf'],
  ['/api/faces/**', 'POST /api/faces/train', 'GET /api/face'],
  ['/api/classification/**', 'GET /api/classification/x/dataset', 'GET /api/classifications'],
  ['/api/keyframe_analysis/**', 'GET /api/keyframe_analysis', 'GET /api/keyframe'],
  ['/api/audio_labels/**', 'GET /api/audio_labels', 'GET /api/audio'],
  ['/api/media/sync/**', 'POST /api/media/sync', 'GET /api/media'],
  ['/api/profile/active/**', 'GET /api/profile/active', 'GET /api/profile'],
  ['/api/chat/**', 'POST /api/chat/completion', 'GET /api/chats'],
  ['/api/vlm/**', 'GET /api/vlm/monitor', 'GET /api/vlms'],
  ['/api/genai/**', 'GET /api/genai/models', 'GET /api/genais'],
  ['/api/triggers/**', 'GET /api/triggers/status/front', 'GET /api/trigger'],
  ['/api/debug_replay/**', 'POST /api/debug_replay/start', 'GET /api/debug'],
  ['/api/stats/history/**', 'GET /api/stats/history/', 'GET /api/stats'],
  ['/api/recordings/storage/**', 'GET /api/recordings/storage', 'GET /api/recordings/summary'],
  ['/api/review/summarize/**', 'POST /api/review/summarize/start/1/end/2', 'GET /api/review/summary'],
  ['POST /api/*/plus/*', 'POST /api/front/plus/1.5', 'POST /api/events/1.a/plus'],
  ['/ws*/**', 'GET /wsx/y', 'GET /xws'],
  ['/live/jsmpeg/birdseye', 'GET /live/jsmpeg/birdseye', 'GET /live/jsmpeg/birdseye/x'],
  ['/live/jsmpeg/:camera', 'GET /live/jsmpeg/front', 'GET /live/jsmpeg/front/x'],
  ['/live/*/api/ws', 'GET /live/webrtc/api/ws', 'GET /live/webrtc/api/wss'],
  ['/live/*/*', 'GET /live/mse/front', 'GET /live/mse'],
  ['/live/**', 'GET /live', 'GET /lives'],
  ['/api/birdseye/**', 'GET /api/birdseye/latest.jpg', 'GET /api/birds'],
  ['/api/go2rtc/streams/:stream', 'GET /api/go2rtc/streams/front', 'GET /api/go2rtc/streams/front/x'],
  ...['/api/go2rtc', '/api/go2rtc/api'].flatMap((base): Array<[string, string, string]> => [
    [`POST ${base}/webrtc`, `POST ${base}/webrtc`, `PUT ${base}/webrtc`],
    [`${base}/webrtc`, `GET ${base}/webrtc`, `POST ${base}/webrtc`],
    [`${base}/ws`, `GET ${base}/ws`, `GET ${base}/ws/x`],
    [`${base}/stream.*`, `GET ${base}/stream.mp4`, `GET ${base}/stream`],
    [`${base}/frame.*`, `GET ${base}/frame.jpeg`, `GET ${base}/frames.jpeg`],
  ]),
  ['/api/go2rtc/**', 'GET /api/go2rtc/api/exit', 'GET /api/go2rtc/api/ws'],
  ['/stream/**', 'GET /stream/front/1.ts', 'GET /streams/front'],
  [
    '/recordings/*/*/:camera/**',
    'GET /recordings/2026-11-21/10/front/00.00.mp4',
    'GET /recordings/2026-11-21/10',
  ],
  ['/recordings/**', 'GET /recordings/2026-11-21/10', 'GET /recording'],
  ['/vod/** ,', 'GET /vod/front/start/1,2/end/3', 'GET /vod/front/start/1/end/3'],
  ['/vod/:camera/start/**', 'GET /vod/front/start/1/end/2', 'GET /vod/front/end/2'],
  ['/vod/clip/:camera/start/**', 'GET /vod/clip/front/start/1/end/2', 'GET /vod/clip/front/1'],
  ['/vod/clip/:camera/**', 'GET /vod/clip/front/1', 'GET /vod/clips/front/1'],
  ['/vod/event/:event/**', 'GET /vod/event/1.a/index.m3u8', 'GET /vod/event'],
  ['/vod/:camera/*/start/**', 'GET /vod/front/sub/start/1/end/2', 'GET /vod/front/sub/end/2'],
  ['/vod/*/*/*/:camera/**', 'GET /vod/2026-11/21/10/front/UTC', 'GET /vod/2026-11/21/10'],
  ['/vod/**', 'GET /vod/2026-11/21/10', 'GET /vods'],
  [
    '/api/vod/clip/:camera/start/*/end/*',
    'GET /api/vod/clip/front/start/1/end/2',
    'GET /api/vod/clip/start/1/end/2',
  ],
  ['/api/vod/event/:event', 'GET /api/vod/event/1.a', 'GET /api/vod/event/1.a/x'],
  [
    '/api/vod/:camera/start/*/end/*',
    'GET /api/vod/front/start/1/end/2',
    'GET /api/vod/front/start/1/end/2/x',
  ],
  ['/api/vod/*/*/*/:camera/**', 'GET /api/vod/2026-11/21/10/front/UTC', 'GET /api/vod/2026-11/21/10'],
  ['/clips/faces/**', 'GET /clips/faces/a.jpg', 'GET /clips/face/a.jpg'],
  ['/clips/genai-requests/**', 'GET /clips/genai-requests/1/2.jpg', 'GET /clips/genai/1/2.jpg'],
  ['/clips/preview_restart_cache/**', 'GET /clips/preview_restart_cache/a.mp4', 'GET /clips/preview/a.mp4'],
  ['/clips/train/**', 'GET /clips/train/a.jpg', 'GET /clips/trains/a.jpg'],
  ['/clips/*/train/**', 'GET /clips/dogs/train/a.jpg', 'GET /clips/dogs/trains/a.jpg'],
  ['/clips/*/dataset/**', 'GET /clips/dogs/dataset/a.jpg', 'GET /clips/dogs/data/a.jpg'],
  ['/clips/thumbs/:camera/*', 'GET /clips/thumbs/front/a.webp', 'GET /clips/thumbs/front'],
  ['/clips/previews/:camera/*', 'GET /clips/previews/front/1-2.mp4', 'GET /clips/previews/front/a/b'],
  ['/clips/review/:file', 'GET /clips/review/thumb-front-1793000276.3-a.webp', 'GET /clips/review/a/b'],
  ['/clips/export/:export', 'GET /clips/export/exp1.webp', 'GET /clips/exports/exp1.webp'],
  ['/clips/:file', 'GET /clips/front-1793000276.3-a.jpg', 'GET /clips'],
  ['/clips/**', 'GET /clips/other/a.jpg', 'GET /clip/other'],
  ['/exports/:export', 'GET /exports/a.mp4', 'GET /exports/a/b.mp4'],
  ['/exports/**', 'GET /exports', 'GET /export'],
  ['POST /api/reviews/viewed', 'POST /api/reviews/viewed', 'PUT /api/reviews/viewed'],
  ['DELETE /api/review/:review/viewed', 'DELETE /api/review/1.a/viewed', 'DELETE /api/review/1.a'],
  ['POST /api/exports/batch', 'POST /api/exports/batch', 'GET /api/exports/batch'],
  [
    'POST /api/export/custom/:camera/start/*/end/*',
    'POST /api/export/custom/front/start/1/end/2',
    'POST /api/export/custom/start/1/end/2',
  ],
  [
    'POST /api/export/:camera/start/*/end/*',
    'POST /api/export/front/start/1/end/2',
    'POST /api/export/custom/start/start/1/end/2',
  ],
  ['/api/event_ids', 'GET /api/event_ids', 'GET /api/event_ids/x'],
  ['/api/events', 'GET /api/events', 'GET /api/events/1.a'],
  ['/api/events/explore', 'GET /api/events/explore', 'GET /api/events/explored'],
  ['/api/events/search', 'GET /api/events/search', 'GET /api/events/search/x'],
  ['/api/events/summary', 'GET /api/events/summary', 'GET /api/events/summaries'],
  ['/api/events/:event/**', 'GET /api/events/1.a/snapshot.jpg', 'GET /api/events'],
  ['/api/review', 'GET /api/review', 'GET /api/review/1.a'],
  ['/api/review/summary', 'GET /api/review/summary', 'GET /api/review/summary/x'],
  ['/api/review/activity/*', 'GET /api/review/activity/motion', 'GET /api/review/activity'],
  ['/api/review_ids', 'GET /api/review_ids', 'GET /api/review_ids/x'],
  ['/api/review/event/:event', 'GET /api/review/event/1.a', 'GET /api/review/events/1.a'],
  ['/api/review/:review/**', 'GET /api/review/1.a', 'GET /api/review'],
  [
    '/api/preview/:file/thumbnail.*',
    'GET /api/preview/preview_front-1793000276.3.webp/thumbnail.webp',
    'GET /api/preview/x/thumb.webp',
  ],
  [
    '/api/preview/all/start/*/end/*',
    'GET /api/preview/all/start/1/end/2',
    'GET /api/preview/all/start/1/end/2/frames',
  ],
  [
    '/api/preview/*/*/*/all/*',
    'GET /api/preview/2026-11/21/10/all/UTC',
    'GET /api/preview/2026-11/21/10/all',
  ],
  ['/api/preview/:camera/start/**', 'GET /api/preview/front/start/1/end/2', 'GET /api/preview/front/end/2'],
  [
    '/api/preview/*/*/*/:camera/**',
    'GET /api/preview/2026-11/21/10/front/UTC',
    'GET /api/preview/2026-11/21/10',
  ],
  ['/api/exports', 'GET /api/exports', 'GET /api/exports/exp1'],
  ['/api/exports/:export', 'GET /api/exports/exp1', 'GET /api/exports/exp1/x'],
  ['/api/jobs/export', 'GET /api/jobs/export', 'GET /api/jobs/exports'],
  ['/api/jobs/export/:export', 'GET /api/jobs/export/exp1', 'GET /api/jobs/export'],
  ['/api/export/:camera/**', 'GET /api/export/front/x', 'GET /api/export'],
  ['/api/labels', 'GET /api/labels', 'GET /api/label'],
  [
    '/api/recognized_license_plates',
    'GET /api/recognized_license_plates',
    'GET /api/recognized_license_plates/x',
  ],
  ['/api/recordings/summary', 'GET /api/recordings/summary', 'GET /api/recordings/summary/x'],
  ['/api/recordings/unavailable', 'GET /api/recordings/unavailable', 'GET /api/recordings'],
  ['/api/stats', 'GET /api/stats', 'GET /api/stats/history'],
  ['/api/sub_labels', 'GET /api/sub_labels', 'GET /api/sub_labels/x'],
  ['/api/timeline', 'GET /api/timeline', 'GET /api/timeline/x'],
  ['/api/timeline/hourly', 'GET /api/timeline/hourly', 'GET /api/timeline/hour'],
  ['/api/metrics', 'GET /api/metrics', 'GET /api/metrics/x'],
  ['/api/notifications/pubkey', 'GET /api/notifications/pubkey', 'GET /api/notifications'],
  ['/api/plus/models', 'GET /api/plus/models', 'GET /api/plus'],
  ['/api/version', 'GET /api/version', 'GET /api/versions'],
  ['/api', 'GET /api', 'GET /api/'],
  ['/api/', 'GET /api/', 'GET /api'],
  ['POST /api/:camera/search/motion', 'POST /api/front/search/motion', 'GET /api/front/search/motion'],
  [
    'POST /api/:camera/search/motion/*/cancel',
    'POST /api/front/search/motion/1/cancel',
    'POST /api/front/search/motion/1',
  ],
  ['/api/:known', 'GET /api/front', 'GET /api/garage'],
  ['/api/:known/latest.*', 'GET /api/front/latest.jpg', 'GET /api/front/latest'],
  ['/api/:known/ptz/info', 'GET /api/front/ptz/info', 'GET /api/front/ptz'],
  ['/api/:known/recordings', 'GET /api/front/recordings', 'GET /api/front/recordings/summary'],
  [
    '/api/:known/recordings/*/snapshot.*',
    'GET /api/front/recordings/1/snapshot.jpg',
    'GET /api/front/recordings/1/2/snapshot.jpg',
  ],
  ['/api/:known/start/**', 'GET /api/front/start/1/end/2/clip.mp4', 'GET /api/front/begin/1'],
  ['/api/:known/**', 'GET /api/front/person/best.jpg', 'GET /api/garage/person/best.jpg'],
  ['/api/profiles', 'GET /api/profiles', 'GET /api/profiles/x'],
  ['/api/cases', 'GET /api/cases', 'GET /api/case'],
  ['/api/cases/*', 'GET /api/cases/1', 'GET /api/cases/1/x'],
  ['/api/cases/*/download', 'GET /api/cases/1/download', 'GET /api/cases/1/downloads'],
  ['/api/*/**', 'GET /api/garage/latest.jpg', 'GET /api'],
  ['/**', 'GET /index.html', 'GET /api/x'],
];

const nameOf = ({ methods, path, having }: (typeof table)[number]) =>
  [...(methods === undefined ? [] : [methods.join()]), path, ...(having === undefined ? [] : [having])].join(
    ' ',
  );

test('every row of the table is here, in its order', () => {
  expect(rows.map(([rule]) => rule)).toEqual(table.map(nameOf));
});

test.each(rows)('%s: %s, and not %s', (rule, hit, miss) => {
  expect(nameOf(rowOf(hit))).toBe(rule);
  expect(nameOf(rowOf(miss))).not.toBe(rule);
});
