import { assert, jsonValue, property } from 'fast-check';
import { expect, test } from 'vitest';
import {
  readConfigurationAnswer,
  type RecorderConfiguration,
} from '../../../src/recorder/configuration-answer.ts';

const read = (document: unknown, status = 200) =>
  readConfigurationAnswer({ status, body: JSON.stringify(document) });

test('reads cameras with their live streams, restreams, roles and groups', () => {
  const document = {
    mqtt: { password: 'secret' },
    cameras: {
      front_door: { enabled: true, live: { height: 720, streams: { Main: 'front_door', Sub: 'front_sub' } } },
      garage: { enabled: false, live: { streams: [] } },
      yard: {},
    },
    go2rtc: { streams: { front_door: ['rtsp://…'], front_sub: null }, api: { password: 'secret' } },
    auth: { enabled: false, roles: { admin: [], viewer: [], neighbour: ['front_door'] } },
    camera_groups: { outside: { order: 1, icon: 'LuCar', cameras: ['birdseye', 'yard'] } },
  };
  expect(read(document)).toEqual({
    configuration: {
      cameras: new Map([
        ['front_door', new Set(['front_door', 'front_sub'])],
        ['garage', new Set()],
        ['yard', new Set()],
      ]),
      friendlyNames: new Map(),
      restreams: new Set(['front_door', 'front_sub']),
      roles: new Map([
        ['admin', new Set()],
        ['viewer', new Set()],
        ['neighbour', new Set(['front_door'])],
      ]),
      groups: new Map([['outside', new Set(['birdseye', 'yard'])]]),
    },
  });
});

test('reads the names, and the order, of the recorder’s own pages', () => {
  const document = {
    cameras: {
      garage: { friendly_name: ' Workshop ', ui: { order: 2 } },
      front: { friendly_name: '', ui: { order: 1 } },
      side: { friendly_name: null, ui: { order: 'first' } },
      yard: { friendly_name: 7, ui: null },
    },
    camera_groups: { inside: { order: 1, cameras: ['garage'] }, outside: { cameras: ['front'] } },
  };
  const { configuration } = read(document) as { configuration: RecorderConfiguration };
  expect([...configuration.cameras.keys()]).toEqual(['side', 'yard', 'front', 'garage']);
  expect([...configuration.groups.keys()]).toEqual(['outside', 'inside']);
  expect(configuration.friendlyNames).toEqual(new Map([['garage', 'Workshop']]));
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

test.each<[what: string, groups: unknown]>([
  ['null', null],
  ['a list', ['front']],
  ['groups that are no map', { outside: ['front'] }],
  ['cameras that are no list of names', { outside: { cameras: 'front' }, inside: { cameras: [1, ''] } }],
])('reads the cameras without the groups when these are %s', (_, groups) => {
  const { configuration } = read({ cameras: { front: {} }, camera_groups: groups }) as {
    configuration: RecorderConfiguration;
  };
  expect([...configuration.cameras.keys()]).toEqual(['front']);
  for (const cameras of configuration.groups.values()) expect(cameras.size).toBe(0);
});

test.each(['cameras', 'camera_groups'])('rejects a configuration with too many %s', (key) => {
  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`name_${i}`, {}]));
  expect(read({ cameras: { front: {} }, [key]: many })).toEqual({ fault: 'too_large' });
});

test('returns a result for any response', () => {
  assert(
    property(jsonValue(), jsonValue(), (cameras, live) => {
      expect(read({ cameras })).toBeDefined();
      expect(read({ cameras: { front: { live } } })).toBeDefined();
    }),
  );
});
