import { assert, jsonValue, property } from 'fast-check';
import { expect, test } from 'vitest';
import { readConfigurationAnswer } from '../../../src/recorder/configuration-answer.ts';

const read = (document: unknown, status = 200) =>
  readConfigurationAnswer({ status, body: JSON.stringify(document) });

test('reads cameras with their live streams, restreams and roles', () => {
  const document = {
    mqtt: { password: 'secret' },
    cameras: {
      front_door: { enabled: true, live: { height: 720, streams: { Main: 'front_door', Sub: 'front_sub' } } },
      garage: { enabled: false, live: { streams: [] } },
      yard: {},
    },
    go2rtc: { streams: { front_door: ['rtsp://…'], front_sub: null }, api: { password: 'secret' } },
    auth: { enabled: false, roles: { admin: [], viewer: [], neighbour: ['front_door'] } },
  };
  expect(read(document)).toEqual({
    configuration: {
      cameras: new Map([
        ['front_door', new Set(['front_door', 'front_sub'])],
        ['garage', new Set()],
        ['yard', new Set()],
      ]),
      restreams: new Set(['front_door', 'front_sub']),
      roles: new Map([
        ['admin', new Set()],
        ['viewer', new Set()],
        ['neighbour', new Set(['front_door'])],
      ]),
    },
  });
});

test.each<[what: string, document: unknown]>([
  ['a list', []],
  ['nothing', null],
  ['a map without cameras', { version: '1' }],
  ['a list of cameras', { cameras: ['front'] }],
  ['no camera, as in safe mode', { cameras: {} }],
  ['a camera that is no map', { cameras: { front: 'rtsp://…' } }],
  ['streams that are no map', { cameras: { front: { live: { streams: 'front' } } } }],
  ['a list of streams that is not empty', { cameras: { front: { live: { streams: ['front'] } } } }],
  ['restreams that are a list', { cameras: { front: {} }, go2rtc: { streams: ['front'] } }],
  ['roles that are a list', { cameras: { front: {} }, auth: { roles: ['guest'] } }],
])('%s is no configuration of a recorder', (_, document) => {
  expect(read(document)).toEqual({ fault: 'no_configuration' });
});

test('rejects errors and anything but JSON', () => {
  expect(readConfigurationAnswer({ status: 200, body: '<title>Recorder</title>' })).toEqual({
    fault: 'no_configuration',
  });
  expect(read({ cameras: { front: {} } }, 500)).toEqual({ fault: 'error_status', detail: '500' });
  expect(read({ cameras: { front: {} } }, 401)).toEqual({ fault: 'asks_for_login', detail: '401' });
});

test('accepts names of properties of JavaScript objects', () => {
  const body = '{"cameras":{"__proto__":{"live":{"streams":{"Main":"hidden"}}},"constructor":{}}}';
  expect(readConfigurationAnswer({ status: 200, body })).toMatchObject({
    configuration: {
      cameras: new Map([
        ['__proto__', new Set(['hidden'])],
        ['constructor', new Set()],
      ]),
    },
  });
});

test('rejects a configuration with too many entries', () => {
  const cameras = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`camera_${i}`, {}]));
  expect(read({ cameras })).toEqual({ fault: 'too_large' });
});

test('returns a result for any response', () => {
  assert(
    property(jsonValue(), jsonValue(), (cameras, live) => {
      expect(read({ cameras })).toBeDefined();
      expect(read({ cameras: { front: { live } } })).toBeDefined();
    }),
  );
});
