import { describe, expect, test } from 'vitest';
import { guardedPaths } from '../../../../src/api/doctor/front/guarded-paths.ts';
import { preparePathTree } from '../../../../src/policy/path-tree.ts';
import { lockedRules, recorderRules } from '../../../../src/policy/recorder/access-rules.ts';

const camera = 'back yard';
const paths = guardedPaths(camera);
const find = preparePathTree([...lockedRules, ...recorderRules])(new Set([camera]));
const found = new Map(
  paths.map(({ target }) => [target, find(decodeURIComponent(target), 'GET')?.rule.path] as const),
);

test('every rule about pictures and data of cameras has a path', () => {
  const shown = recorderRules.filter(
    ({ watch, methods, having }) => watch !== undefined && methods === undefined && having === undefined,
  );
  expect(shown.length).toBeGreaterThan(50);
  const asked = new Set(found.values());
  const missing = shown.map(({ path }) => path).filter((path) => !asked.has(path));
  // A camera that the gate knows has the rule with `:known`.
  expect(missing.filter((path) => !asked.has(path.replace(':camera', ':known')))).toEqual([]);
});

test('none of them is a path that anyone may open', () => {
  const open = [...found].filter(([, rule]) => rule === undefined || rule === '/**');
  expect(open).toEqual([]);
});

describe('a front has a location for', () => {
  test.each([
    '/clips/',
    '/recordings/',
    '/exports/',
    '/vod/',
    '/stream/',
    '/live/',
    '/ws',
    '/api/go2rtc/',
    '/api/events/',
    '/api/events',
    '/api/logs/',
    '/api/back%20yard/',
  ])('%s', (place) => {
    expect(paths.map((path) => path.place)).toContain(place);
  });
});

test('folders, pictures, clips and WebSockets are among them', () => {
  const targets = paths.map(({ target, upgrade }) => `${target}${upgrade ? ' upgrade' : ''}`);
  expect(targets).toEqual(
    expect.arrayContaining([
      '/recordings/',
      '/exports/',
      '/clips/back%20yard-1700000000.123456-doctor.jpg',
      '/api/back%20yard/latest.jpg',
      '/api/events/1700000000.123456-doctor/snapshot.jpg',
      '/api/events/1700000000.123456-doctor/clip.mp4',
      '/ws upgrade',
      '/live/jsmpeg/back%20yard upgrade',
    ]),
  );
});
