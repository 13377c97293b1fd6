import { expect, test } from 'vitest';
import { isPermittedMove, ptzCommandOf, TurningCameras } from '../../../../src/policy/recorder/ptz.ts';

const written = (topic: unknown, payload: unknown) => JSON.stringify({ topic, payload });

test.each([
  ['STOP', 'stop'],
  ['stop', 'stop'],
  ['MOVE_UP', 'continuous'],
  ['MOVE_DOWN', 'continuous'],
  ['move_left', 'continuous'],
  ['Move_Right', 'continuous'],
  ['ZOOM_IN', 'continuous'],
  ['ZOOM_OUT', 'continuous'],
  ['FOCUS_IN', 'continuous'],
  ['FOCUS_OUT', 'continuous'],
  ['preset_home', 'single'],
  ['move_relative_0.1_-0.2_0', 'single'],
  // A recorder may read these; none makes it turn.
  ['MOVE_UP_', 'single'],
  ['', 'single'],
] as const)('the command %j is %s', (payload, kind) => {
  expect(ptzCommandOf(written('yard/ptz', payload))).toEqual({ camera: 'yard', kind });
});

test('a topic that a recorder takes for one of an admin is one, but only the exact one is permitted to others', () => {
  expect(ptzCommandOf(written('yard/xptz', 'MOVE_UP'))).toEqual({ camera: 'yard', kind: 'continuous' });
  const rights = { grant: 'all', may: new Set(['ptz'] as const) } as const;
  expect(isPermittedMove('yard/ptz', 'MOVE_UP', rights)).toBe(true);
  expect(isPermittedMove('yard/xptz', 'MOVE_UP', rights)).toBe(false);
});

test.each([
  ['a/b/ptz', 'STOP'],
  ['/ptz', 'STOP'],
  ['ptz', 'STOP'],
  ['yard/ptz/set', 'STOP'],
  [`${'x'.repeat(129)}/ptz`, 'STOP'],
  [['yard/ptz'], 'STOP'],
  ['yard/ptz', null],
  ['yard/ptz', { payload: 'STOP' }],
  ['yard/detect/set', 'ON'],
])('%j with %j is none', (topic, payload) => {
  expect(ptzCommandOf(written(topic, payload))).toBeUndefined();
});

test.each(['', 'no JSON', 'null', '[]', '"yard/ptz"'])('%j is none', (text) => {
  expect(ptzCommandOf(text)).toBeUndefined();
});

const command = (camera: string, kind: 'continuous' | 'single' | 'stop') => ({ camera, kind });
const stop = (camera: string) => `{"topic":"${camera}/ptz","payload":"STOP"}`;
const always = () => true;

test('what turns is stopped, once', () => {
  const turning = new TurningCameras();
  expect([turning.any, turning.stop(always)]).toEqual([false, []]);
  turning.note(command('yard', 'continuous'));
  turning.note(command('yard', 'continuous'));
  turning.note(command('garage', 'continuous'));
  turning.note(command('garage', 'stop'));
  turning.note(command('gate', 'single'));
  expect([turning.any, turning.stop(always), turning.any, turning.stop(always)]).toEqual([
    true,
    [stop('yard')],
    false,
    [],
  ]);
});

test('a camera that goes to a place turns until then', () => {
  const turning = new TurningCameras();
  turning.note(command('yard', 'continuous'));
  turning.note(command('yard', 'single'));
  expect(turning.stop(always)).toEqual([stop('yard')]);
});

test('those that are not over continue', () => {
  const turning = new TurningCameras();
  for (const camera of ['yard', 'garage']) turning.note(command(camera, 'continuous'));
  expect(turning.stop((camera) => camera === 'yard')).toEqual([stop('yard')]);
  expect(turning.stop(always)).toEqual([stop('garage')]);
});

test('a camera name of any kind is written as JSON', () => {
  const turning = new TurningCameras();
  turning.note(command('a"b', 'continuous'));
  expect(turning.stop(always).map((text) => JSON.parse(text) as unknown)).toEqual([
    { topic: 'a"b/ptz', payload: 'STOP' },
  ]);
});

test('there is room for 256', () => {
  const turning = new TurningCameras();
  for (let i = 0; i < 256; i += 1) {
    expect(turning.hasRoomFor(command(`camera-${i}`, 'continuous'))).toBe(true);
    turning.note(command(`camera-${i}`, 'continuous'));
  }
  expect(turning.hasRoomFor(command('one-more', 'continuous'))).toBe(false);
  expect(turning.hasRoomFor(command('camera-7', 'continuous'))).toBe(true);
  expect(turning.hasRoomFor(command('one-more', 'single'))).toBe(true);
  expect(turning.hasRoomFor(command('one-more', 'stop'))).toBe(true);
  expect(turning.stop(always)).toHaveLength(256);
});
