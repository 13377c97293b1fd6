import { ownRules } from '../../support/every-endpoint.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prepareRules } from '../../../src/policy/rule-tree.ts';
import type { AccessRule } from '../../../src/policy/access-rule.ts';
import { lockedRules, recorderRules } from '../../../src/policy/recorder/access-rules.ts';
import { known } from './known-cameras.ts';
import { assertCases } from '../../support/assert-cases.ts';

const table = [...ownRules, ...lockedRules, ...recorderRules];
const knownCameras = known(['front', 'front_door', 'back-yard', 'config', 'events'], {
  streams: new Map([
    ['front_sub', ['front']],
    ['both', ['front', 'garage']],
  ]),
});
const resolve = prepareRules(table)(knownCameras);
const resolvedOf = (uri: string, method = 'GET', resolveResource = resolve) => {
  const [path = '', query = ''] = uri.split('?', 2);
  return resolveResource({ path, query }, method);
};
const targetOf = (...asked: Parameters<typeof resolvedOf>) => resolvedOf(...asked).resource;

describe('paths that name cameras', () => {
  test.each<[uri: string, cameras: readonly string[]]>([
    ['/live/webrtc/api/ws?src=front', ['front']],
    ['/live/mse/api/ws?src=front&media=video&src=garage', ['front', 'garage']],
    ['/live/mse/api/ws?sr%63=garage', ['garage']],
    ['/live/mse/api/ws?src=', ['']],
    ['/live/webrtc/api/ws?src=front_sub', ['front']],
    ['/live/webrtc/api/ws?src=both', ['front', 'garage']],
    ['/api/go2rtc/streams/garage', ['garage']],
    ['/api/go2rtc/streams/front_sub', ['front']],
    ['/api/go2rtc/streams/both', ['front', 'garage']],
    // A case-insensitive server reads this as all cameras.
    ['/api/preview/ALL/start/1/end/2', ['ALL']],
    ['/recordings/2026-11-21/10/garage/00.00.mp4', ['garage']],
    ['/recordings/2026-11-21/10/garage/', ['garage']],
    ['/clips/back-yard-1793000276.376447-de8gxd.jpg', ['back-yard']],
    ['/clips/thumbs/garage/1793000276.376447-de8gxd.webp', ['garage']],
    ['/clips/review/thumb-garage-1793000276.376447-de8gxd.webp', ['garage']],
    ['/api/preview/preview_garage-1793000276.376447.webp/thumbnail.webp', ['garage']],
    ['/api/events?cameras=front,garage&camera=x', ['x', 'front', 'garage']],
    ['/api/front', ['front']],
    ['/api/front_door', ['front_door']],
    ['/api/back-yard/anything/at/all', ['back-yard']],
    ['/api/front/latest.webp?h=300', ['front']],
  ])('%s', (uri, cameras) => {
    expect(targetOf(uri)).toEqual({ kind: 'cameras', cameras });
  });

  test('the login is public for its own methods only', () => {
    for (const method of ['GET', 'HEAD', 'POST']) {
      expect(targetOf('/api/login', method)).toEqual({ kind: 'public' });
    }
    for (const method of ['PUT', 'DELETE', 'post']) {
      expect(targetOf('/api/login', method)).toEqual({ kind: 'unresolved' });
    }
  });

  test('a name is one segment and exact: neither a prefix nor another case', () => {
    expect(targetOf('/api/front_door2/latest.jpg')).toEqual({ kind: 'unresolved' });
    expect(targetOf('/api/Front/latest.jpg')).toEqual({ kind: 'unresolved' });
    expect(targetOf('/live/jsmpeg/Front')).toEqual({ kind: 'cameras', cameras: ['Front'] });
    expect(targetOf('/live/jsmpeg/front?src=garage')).toEqual({ kind: 'cameras', cameras: ['front'] });
  });

  test('creating or feeding a stream is for admins, however the query is split', () => {
    for (const query of [
      'src=front;src=garage',
      'src=front&dst=front',
      'src=front&name=x',
      'dst=front',
      'src=exec:id',
    ]) {
      expect(targetOf(`/live/mse/api/ws?${query}`)).toEqual({ kind: 'admin-only' });
    }
    expect(targetOf('/api/go2rtc/streams/exec:id')).toEqual({ kind: 'admin-only' });
  });

  test('the live picture of an unconfigured camera is not open to everyone', () => {
    const knowsNone = prepareRules(table)(known([]));
    expect(targetOf('/api/garage', 'GET', knowsNone)).toEqual({ kind: 'unresolved' });
  });

  test('only the path counts, except for parameters that name cameras', () => {
    expect(targetOf('/api/restart?path=/api/front')).toEqual({ kind: 'admin-only' });
    expect(targetOf('/api/version?x=/api/config')).toEqual({ kind: 'neutral' });
    expect(targetOf('/api/version?cameras=garage')).toEqual({ kind: 'neutral' });
    expect(targetOf('/recordings/a/b/garage/x?src=front')).toEqual({ kind: 'cameras', cameras: ['garage'] });
  });
});

describe('a camera whose name is a word of the recorder', () => {
  const words = ['preview', 'cases', 'profiles', 'birdseye', 'custom', 'clip', 'all', 'ALL', 'start'];
  const namedLikeWords = prepareRules(table)(known(words, { streams: new Map([['birdseye', ['preview']]]) }));
  const resolved = (uri: string, method = 'GET') => resolvedOf(uri, method, namedLikeWords);

  test.each<[request: string, resource: object]>([
    // Regardless of camera names, and of cameras that list the stream.
    ['GET /live/mse/api/ws?src=birdseye', { kind: 'every-camera' }],
    ['GET /live/jsmpeg/birdseye', { kind: 'every-camera' }],
    ['GET /api/birdseye', { kind: 'admin-only' }],
    ['GET /api/go2rtc/streams/birdseye', { kind: 'every-camera' }],
    // Before 0.18 these belonged to the camera.
    ['GET /api/cases', { kind: 'cameras', cameras: ['cases'] }],
    ['GET /api/cases/latest.jpg', { kind: 'cameras', cameras: ['cases'] }],
    ['GET /api/cases/1/download', { kind: 'cameras', cameras: ['cases'] }],
    ['GET /api/profiles', { kind: 'cameras', cameras: ['profiles'] }],
    ['GET /api/preview/latest.jpg', { kind: 'cameras', cameras: ['preview'] }],
    // All of them, in each release.
    ['GET /api/preview/all/start/1/end/2', { kind: 'neutral' }],
    ['GET /api/preview/2026-11/21/10/all/UTC', { kind: 'neutral' }],
    ['GET /api/preview/all/start/1/end/2/frames', { kind: 'cameras', cameras: ['all'] }],
    // The position of the word decides which of the two it is.
    ['POST /api/export/custom/start/1/end/2', { kind: 'cameras', cameras: ['custom'], names: 'export' }],
    ['POST /api/export/custom/start/start/1/end/2', { kind: 'cameras', cameras: ['start'], names: 'export' }],
    ['POST /api/export/custom/all/start/1/end/2', { kind: 'cameras', cameras: ['all'], names: 'export' }],
    ['GET /api/vod/clip/start/1/end/2', { kind: 'cameras', cameras: ['clip'] }],
    ['GET /api/vod/clip/start/start/1/end/2', { kind: 'cameras', cameras: ['start'] }],
  ])('%s', (request, resource) => {
    const [method = '', uri = ''] = request.split(' ');
    expect(resolved(uri, method).resource).toEqual(resource);
  });

  test('ALL has to be granted, and the list of all has to be open', () => {
    const { rule, resource } = resolved('/api/preview/ALL/start/1/end/2');
    expect([rule.level, resource]).toEqual(['list', { kind: 'cameras', cameras: ['ALL'] }]);
  });
});

describe('paths that name a row of the recorder', () => {
  test.each<[uri: string, resource: object]>([
    ['/api/events/1.a/clip.mp4', { in: 'events', ids: ['1.a'], cameras: [], allThere: true }],
    ['/vod/event/1.a/index.m3u8', { in: 'events', ids: ['1.a'], cameras: [], allThere: true }],
    [
      '/api/event_ids?ids=a,%20b&ids=c,a',
      { in: 'events', ids: ['a', 'b', 'c'], cameras: [], allThere: false },
    ],
    ['/api/event_ids', { in: 'events', ids: [], cameras: [], allThere: false }],
    ['/api/event_ids?ids=a&cameras=x', { in: 'events', ids: ['a'], cameras: ['x'], allThere: false }],
    ['/exports/fox 3.mp4', { in: 'exports', ids: ['fox 3.mp4'] }],
    ['/clips/export/exp1.webp', { in: 'exports', ids: ['exp1.webp'] }],
    ['/api/exports/exp1', { in: 'exports', ids: ['exp1'] }],
    ['/api/review/1.a', { in: 'reviews', ids: ['1.a'] }],
    ['/api/review_ids?ids=a,%20b&ids=c,a', { in: 'reviews', ids: ['a', 'b', 'c'] }],
    ['/api/jobs/export/exp1', { in: 'exports', ids: ['exp1'] }],
    ['/api/vod/event/1.a', { in: 'events', ids: ['1.a'], cameras: [], allThere: true }],
  ])('%s', (uri, resource) => {
    expect(targetOf(uri)).toEqual({ kind: 'recorded', ...resource });
  });

  test.each([
    ['POST', '/api/reviews/viewed', 'reviews'],
    ['POST', '/api/exports/batch', 'cameras'],
  ])('%s %s: the %s are in the body', (method, uri, names) => {
    expect(targetOf(uri, method)).toEqual({ kind: 'in-body', names });
  });

  test('more than a thousand ids are not looked up', () => {
    const ids = (count: number) => `/api/event_ids?ids=${Array.from({ length: count }, (_, i) => i).join()}`;
    expect(targetOf(ids(1_000)).kind).toBe('recorded');
    expect(targetOf(ids(1_001))).toEqual({ kind: 'unresolved' });
  });
});

describe('patterns', () => {
  const rows: readonly AccessRule[] = [
    { path: '/a/*', level: 'any', may: 'shell' },
    { path: '/a/**', level: 'admin-only', may: 'shell' },
    { path: '/b/x*y', level: 'any', may: 'shell' },
    { path: '/b/**', level: 'unresolved', may: 'shell' },
    { path: '/c/:camera/**', level: 'camera-in-path', may: 'shell' },
    { path: '/d/**', having: ',', level: 'admin-only', may: 'shell' },
    { path: '/d/**', level: 'any', may: 'shell' },
  ];
  test.each<[path: string, kind: string]>([
    ['/a/b', 'neutral'],
    ['/a', 'admin-only'],
    ['/a/b/c', 'admin-only'],
    ['/b/xy', 'neutral'],
    ['/b/x.y', 'neutral'],
    ['/b/x', 'unresolved'],
    ['/b/y', 'unresolved'],
    ['/b/xyz', 'unresolved'],
    ['/c/front', 'cameras'],
    ['/c/', 'unresolved'],
    ['/c', 'unresolved'],
    ['/d/x', 'neutral'],
    ['/d/x,y', 'admin-only'],
    ['/no/row/matches', 'unresolved'],
  ])('the first row that matches %s is %s', (path, kind) => {
    expect(targetOf(path, 'GET', prepareRules(rows)(knownCameras)).kind).toBe(kind);
  });

  test('x*x does not match a single x', () => {
    const overlap = prepareRules([{ path: '/x*x', level: 'any', may: 'shell' }])(knownCameras);
    expect(targetOf('/x', 'GET', overlap).kind).toBe('unresolved');
    expect(targetOf('/xx', 'GET', overlap).kind).toBe('neutral');
  });
});

describe('a case-insensitive server finds nothing that is closed', () => {
  test.each([
    '/API/config/raw',
    '/Api/Logs/nginx',
    '/CLIPS/faces/a.jpg',
    '/api/Config/raw',
    '/api/LOGS',
    '/clips/Faces/a.jpg',
  ])('%s is admin-only', (uri) => expect(targetOf(uri)).toEqual({ kind: 'admin-only' }));
  test('/RECORDINGS/a/b/garage is of that camera', () => {
    expect(targetOf('/RECORDINGS/a/b/garage')).toEqual({ kind: 'cameras', cameras: ['garage'] });
  });
  test('a row in capitals by an operator still counts', () => {
    const rule: AccessRule = {
      methods: ['POST'],
      path: '/PTZ/**',
      level: 'any',
      may: 'shell',
      changes: true,
    };
    expect(resolvedOf('/PTZ/left', 'POST', prepareRules([rule, ...table])(knownCameras)).rule).toBe(rule);
  });
});

test('every path below an admin-only one is admin-only, whatever cameras are called', () => {
  const rest = fc.array(fc.constantFrom('front', 'config', 'events', 'latest.jpg', 'start', '', 'x'));
  const root = fc.constantFrom('/api/config/raw', '/api/restart', '/api/logs');
  assertCases(
    fc.property(root, rest, (path, segments) => {
      expect(targetOf([path, ...segments].join('/'))).toEqual({ kind: 'admin-only' });
    }),
  );
});

describe('what a path needs', () => {
  const rows: readonly AccessRule[] = [
    { path: '/past/**', level: 'any', may: 'history' },
    { path: '/PAST/now', level: 'any', may: 'live' },
    { path: '/Open/**', level: 'any', may: 'shell' },
    { path: '/open/**', level: 'any', may: 'export' },
    { path: '/UI/**', level: 'any', may: 'live' },
    { path: '/ui/**', level: 'any', may: 'shell' },
    { path: '/:known/**', level: 'camera-in-path', may: 'live' },
    { path: '/list', level: 'list', may: 'history' },
  ];
  const resolveRows = prepareRules(rows)(known(['LIST', 'front']));
  test.each<[path: string, needs: readonly string[]]>([
    ['/past', ['history']],
    ['/past/x', ['history']],
    ['/ui', []],
    ['/nothing', ['live', 'history', 'export']],
    // Either reading counts, in all letters that a server may see.
    ['/Past/x', ['live', 'history', 'export']],
    ['/PAST/now', ['live', 'history']],
    ['/PAST/Now', ['live', 'history', 'export']],
    ['/Open/x', ['export']],
    ['/open/X', ['export']],
    ['/UI/x', ['live']],
    ['/ui/X', []],
    ['/front/X', ['live']],
    // Whichever of the two rules the resource comes from.
    ['/LIST', ['live', 'history']],
  ])('%s: %j', (path, needs) => {
    expect(new Set(resolvedOf(path, 'GET', resolveRows).needs)).toEqual(new Set(needs));
  });

  test('is by the method of a rule', () => {
    const sent: AccessRule = { methods: ['POST'], path: '/past/x', level: 'any', may: 'export' };
    const resolveSent = prepareRules([sent, ...rows])(knownCameras);
    expect(resolvedOf('/past/x', 'POST', resolveSent).needs).toEqual(['export']);
    expect(resolvedOf('/past/x', 'GET', resolveSent).needs).toEqual(['history']);
  });

  test('is never less than in lower case', () => {
    const paths = table.map(({ path }) => path.replaceAll('*', 'x').replace(/:\w+/, 'front'));
    const upper = fc.array(fc.boolean(), { minLength: 40, maxLength: 40 });
    assertCases(
      fc.property(fc.constantFrom(...paths), upper, (path, isUpper) => {
        const spelt = [...path]
          .map((letter, i) => (isUpper[i] === true ? letter.toUpperCase() : letter))
          .join('');
        const needs = new Set(resolvedOf(spelt).needs);
        expect(needs.isSupersetOf(new Set(resolvedOf(path).needs)), spelt).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
