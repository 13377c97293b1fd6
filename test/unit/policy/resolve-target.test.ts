import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prepareTargets } from '../../../src/policy/resolve-target.ts';
import { targetTable, type Row } from '../../../src/policy/target-table.ts';

const knownCameras = new Set(['front', 'front_door', 'back-yard', 'config', 'events']);
const resolve = prepareTargets(targetTable, knownCameras);
const targetOf = (uri: string, method = 'GET', resolveTarget = resolve) => {
  const [path = '', query = ''] = uri.split('?', 2);
  return resolveTarget({ path, query }, method);
};

describe('kinds of paths', () => {
  test.each<[kind: string, uris: readonly string[]]>([
    ['own-account', ['/auth', '/logout', '/api/logout', '/api/profile', '/api/users/olaf/password']],
    ['admin-only', ['/api/users', '/api/users/', '/api/users/olaf', '/api/users/olaf/role']],
    ['admin-only', ['/api/users/olaf/password/x', '/api/config', '/api/config/save', '/api/config/']],
    ['admin-only', ['/api/restart', '/api/logs', '/api/logs/nginx', '/api/config/latest.jpg']],
    ['unresolved', ['/clips', '/clips/', '/exports', '/exports/', '/recordings', '/recordings/']],
    ['unresolved', ['/recordings/2026-11-21/', '/recordings/2026-11-21/10/', '/vod/', '/vod/event/1.a']],
    ['unresolved', ['/live/', '/live/webrtc/api/ws', '/api/go2rtc/streams', '/api/events/1.a/clip.mp4']],
    ['unresolved', ['/api/export/', '/api/preview/garage/start/1', '/api/unknown/anything']],
    ['neutral', ['/', '/api/events', '/api/event_ids', '/api/version', '/api/stats', '/api/roles', '/ws']],
    ['neutral', ['/loginx', '/login/x', '/apix/config', '/configuration']],
  ])('%s', (kind, uris) => {
    for (const uri of uris) expect(targetOf(uri), uri).toEqual({ kind });
  });
});

describe('paths that name cameras', () => {
  test.each<[uri: string, cameras: readonly string[]]>([
    ['/live/jsmpeg/garage', ['garage']],
    ['/live/webrtc/api/ws?src=front', ['front']],
    ['/live/mse/api/ws?src=front&media=video&src=garage', ['front', 'garage']],
    ['/live/mse/api/ws?sr%63=garage', ['garage']],
    ['/live/mse/api/ws?src=', ['']],
    ['/api/go2rtc/streams/garage', ['garage']],
    ['/api/go2rtc/api/streams?src=front', ['front']],
    ['/recordings/2026-11-21/10/garage/00.00.mp4', ['garage']],
    ['/recordings/2026-11-21/10/garage/', ['garage']],
    ['/vod/garage/start/1/end/2/index.m3u8', ['garage']],
    ['/vod/clip/garage/start/1/end/2', ['garage']],
    ['/vod/2026-11/21/10/garage/UTC/index.m3u8', ['garage']],
    ['/api/export/garage/start/1/end/2', ['garage']],
    ['/api/front', ['front']],
    ['/api/front_door', ['front_door']],
    ['/api/back-yard/anything/at/all', ['back-yard']],
    ['/api/garage/latest.jpg', ['garage']],
    ['/api/garage/latest.webp?h=300', ['garage']],
    ['/api/garage/recordings', ['garage']],
    ['/api/garage/recordings/summary', ['garage']],
    ['/api/garage/start/1/end/2/clip.mp4', ['garage']],
  ])('%s', (uri, cameras) => {
    expect(targetOf(uri)).toEqual({ kind: 'cameras', cameras });
  });

  test('the login is public to log in and for nothing else', () => {
    expect(targetOf('/api/login', 'POST')).toEqual({ kind: 'public' });
    for (const method of ['GET', 'PUT', 'DELETE', 'post']) {
      expect(targetOf('/api/login', method)).toEqual({ kind: 'unresolved' });
    }
  });

  test('a name is one segment and exact: neither a prefix nor another case', () => {
    expect(targetOf('/api/front_door2/latest.jpg')).toEqual({ kind: 'cameras', cameras: ['front_door2'] });
    expect(targetOf('/api/Front/latest.jpg')).toEqual({ kind: 'cameras', cameras: ['Front'] });
    expect(targetOf('/live/jsmpeg/front?src=garage')).toEqual({ kind: 'cameras', cameras: ['front'] });
  });

  test('the live picture of a camera that the configuration does not mention is not open to everybody', () => {
    expect(prepareTargets(targetTable, new Set())({ path: '/api/garage', query: '' }, 'GET').kind).not.toBe(
      'neutral',
    );
  });

  test('only the path is looked at, but for the streams of src', () => {
    expect(targetOf('/api/config?path=/api/front')).toEqual({ kind: 'admin-only' });
    expect(targetOf('/api/version?x=/api/config')).toEqual({ kind: 'neutral' });
    expect(targetOf('/recordings/a/b/garage/x?src=front')).toEqual({ kind: 'cameras', cameras: ['garage'] });
  });
});

describe('patterns', () => {
  const rows: readonly Row[] = [
    { path: '/a/*', requirement: 'neutral' },
    { path: '/a/**', requirement: 'admin-only' },
    { path: '/b/x*y', requirement: 'neutral' },
    { path: '/b/**', requirement: 'unresolved' },
    { path: '/c/:camera/**', requirement: 'camera-in-path' },
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
    ['/no/row/matches', 'unresolved'],
  ])('the first row that matches %s says %s', (path, kind) => {
    expect(targetOf(path, 'GET', prepareTargets(rows, knownCameras)).kind).toBe(kind);
  });

  test('x*x does not match a single x', () => {
    const overlap = prepareTargets([{ path: '/x*x', requirement: 'neutral' }], knownCameras);
    expect(targetOf('/x', 'GET', overlap).kind).toBe('unresolved');
    expect(targetOf('/xx', 'GET', overlap).kind).toBe('neutral');
  });
});

test('whatever stands below an admin-only path is admin-only, whatever cameras are called', () => {
  const rest = fc.array(fc.constantFrom('front', 'config', 'events', 'latest.jpg', 'start', '', 'x'));
  const root = fc.constantFrom('/api/config', '/api/restart', '/api/logs');
  fc.assert(
    fc.property(root, rest, (path, segments) => {
      expect(targetOf([path, ...segments].join('/'))).toEqual({ kind: 'admin-only' });
    }),
  );
});
