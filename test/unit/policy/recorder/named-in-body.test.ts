import { describe, expect, test } from 'vitest';
import { longestBody, readBody, type NamesInBody } from '../../../../src/policy/recorder/named-in-body.ts';

const json = ['Content-Type', 'application/json'];
const read = (names: NamesInBody, value: unknown, headers: readonly string[] = json) =>
  readBody(names, Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), headers);

const item = { camera: 'front_door', start_time: 1, end_time: 2.5 };
const thumb = '/media/frigate/clips/review/thumb-front_door-1793000933.726501-rvfron.webp';

describe('reads reviews to mark', () => {
  test.each([
    [{ ids: ['1.a', '2.b', '1.a'], reviewed: true }],
    [{ ids: ['1.a', '2.b'] }],
    ['{"ids":["1.a","2.b"],"reviewed":false}'],
  ])('%j', (value) => {
    expect(read('reviews', value)).toEqual({ reviews: ['1.a', '2.b'], cameras: [], images: [], times: [] });
  });

  test.each([
    [{ ids: [] }],
    [{ ids: [''] }],
    [{ ids: [1] }],
    [{ ids: [['1.a']] }],
    [{ ids: '1.a' }],
    [{}],
    [{ ids: ['1.a'], reviewed: 'true' }],
    [{ ids: ['1.a'], reviewed: null }],
    [{ ids: ['1.a'], id: '2.b' }],
    [[{ ids: ['1.a'] }]],
    ['{"ids":["1.a"],"ids":["2.b"]}'],
    ['{"ids":["1.a"],"\\u0069ds":["2.b"]}'],
    ['{"ids":["1.a"],"__proto__":{"ids":["2.b"]}}'],
    ['null'],
    ['ids=1.a'],
    [''],
    [{ ids: Array.from({ length: 1_001 }, (_, i) => `${i}`) }],
  ])('and nothing of %j', (value) => {
    expect(read('reviews', value)).toBeUndefined();
  });
});

describe('reads exports', () => {
  test('cameras and pictures', () => {
    const items = [
      item,
      { ...item, camera: 'garage', image_path: thumb, friendly_name: 'Fox', client_item_id: 'x' },
      { ...item, image_path: null },
    ];
    expect(read('cameras', { items, new_case_name: 'Night', export_case_id: null })).toEqual({
      reviews: [],
      cameras: ['front_door', 'garage'],
      images: ['/clips/review/thumb-front_door-1793000933.726501-rvfron.webp'],
      times: items.flatMap(({ start_time: start, end_time: end }) => [start, end]),
    });
  });

  test.each<readonly [what: string, value: unknown]>([
    ['no item', { items: [] }],
    ['no camera', { items: [{ start_time: 1, end_time: 2 }] }],
    ['a number in a text', { items: [{ ...item, start_time: '1' }] }],
    ['an unknown field', { items: [{ ...item, source: 'x' }] }],
    ['an unknown field beside', { items: [item], cameras: ['garage'] }],
    ['a case of others', { items: [item], export_case_id: 'abc' }],
    ['a list of cameras', { items: [{ ...item, camera: ['front_door'] }] }],
    ...[
      '/etc/passwd',
      '/media/frigate/recordings/x.jpg',
      '/media/frigate/clips/../recordings/x.jpg',
      '/media/frigate/clips/./x.jpg',
      '/media/frigate/clips//x.jpg',
      '/media/frigate/clips\\x.jpg',
      '/media/frigate/clips/x%2fy.jpg',
      '/media/frigate/clips',
      '/media/frigate/clipsx/y.jpg',
      'clips/x.jpg',
      `${thumb}\u0000`,
      `${thumb}\n`,
    ].map(
      (path) => [`the picture ${JSON.stringify(path)}`, { items: [{ ...item, image_path: path }] }] as const,
    ),
  ])('and nothing with %s', (_, value) => {
    expect(read('cameras', value)).toBeUndefined();
  });

  test('rejects an infinite time', () => {
    expect(read('cameras', '{"items":[{"camera":"a","start_time":1,"end_time":1e999}]}')).toBeUndefined();
  });
});

test('requires the type JSON, once, and without a coding', () => {
  const body = { ids: ['1.a'] };
  for (const type of [
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset=utf-8',
  ])
    expect(read('reviews', body, ['content-type', type])).toBeDefined();
  for (const headers of [
    [],
    ['Content-Type', 'text/plain'],
    ['Content-Type', 'application/x-www-form-urlencoded'],
    ['Content-Type', 'application/json; charset=utf-16'],
    ['Content-Type', 'application/json, text/plain'],
    ['Content-Type', 'application/vnd.api+json'],
    [...json, ...json],
    [...json, 'content-type', 'text/plain'],
    [...json, 'Content-Encoding', 'gzip'],
    [...json, 'Content-Encoding', 'identity'],
  ])
    expect(read('reviews', body, headers)).toBeUndefined();
});

test('reads no longer bodies', () => {
  expect(read('reviews', JSON.stringify({ ids: ['1.a'] }).padEnd(longestBody))).toBeDefined();
  expect(read('reviews', JSON.stringify({ ids: ['1.a'] }).padEnd(longestBody + 1))).toBeUndefined();
});

describe('reads an export of the camera in the path', () => {
  test('the picture', () => {
    const named = read('export', { playback: 'realtime', name: 'Fox', image_path: thumb });
    expect(named).toEqual({
      reviews: [],
      cameras: [],
      images: [thumb.replace('/media/frigate', '')],
      times: [],
    });
  });

  test('nothing from an empty body of any type', () => {
    expect(read('export', '', [])).toEqual({ reviews: [], cameras: [], images: [], times: [] });
    expect(read('cameras', '')).toBeUndefined();
  });

  test.each([
    [{ image_path: 1 }],
    [{ image_path: '/config/config.yml' }],
    [{ image_path: '/media/frigate/clips/../../../config/config.yml' }],
    [{ image_path: '/media/frigate/clips/..\\..\\config.yml' }],
    [{ export_case_id: 'abc' }],
    [{ ffmpeg_output_args: '-i /x' }],
    [{ chapters: {} }],
    [[]],
    [' '],
  ])('and refuses %j', (body) => {
    expect(read('export', body)).toBeUndefined();
  });
});
