import { describe, expect, test } from 'vitest';
import { camerasOfStream } from '../../../../src/policy/cameras.ts';
import {
  cameraGaps,
  groupsOfRecorder,
  inRecorderOrder,
  knownCameras,
} from '../../../../src/access/settings/known-cameras.ts';
import { rolesOf } from '../../../support/roles.ts';

const declared = {
  cameras: undefined,
  streams: new Map<string, readonly string[]>(),
  auth: { roles: rolesOf() },
};
const learnt = (cameras: Readonly<Record<string, readonly string[]>>, restreams: readonly string[] = []) => ({
  cameras: new Map(Object.entries(cameras).map(([name, streams]) => [name, new Set(streams)])),
  restreams: new Set(restreams),
});

describe('known cameras are', () => {
  const names = (...given: Parameters<typeof knownCameras>) => [...knownCameras(...given).names].sort();

  test('those of the recorder and of roles', () => {
    const auth = { roles: rolesOf([['guest', ['porch']]]) };
    expect(names({ ...declared, auth }, learnt({ front: [] }))).toEqual(['front', 'porch']);
  });

  test('only those that config.yml declares, if it does', () => {
    expect(names({ ...declared, cameras: ['front'] }, learnt({ garage: [] }))).toEqual(['front']);
  });

  test('only those with a valid name of a recorder', () => {
    const odd = { 'a/b': [], '..': [], '': [], birdseye: [], ['x'.repeat(129)]: [], 'front-2': [] };
    expect(names(declared, learnt(odd))).toEqual(['front-2']);
  });

  test('complete if config.yml lists them', () => {
    expect(knownCameras(declared, learnt({ front: [] })).complete).toBe(false);
    expect(knownCameras({ ...declared, cameras: [] }, undefined).complete).toBe(true);
  });
});

test.each<[what: string, recorder: string[] | undefined, order: string[]]>([
  ['as written before the recorder has answered', undefined, ['yard', 'front', 'porch']],
  ['as the recorder has them', ['front', 'porch', 'yard'], ['front', 'porch', 'yard']],
  ['those that the recorder does not have last', ['porch'], ['porch', 'yard', 'front']],
])('cameras of config.yml are %s', (_, recorder, order) => {
  const known = recorder && learnt(Object.fromEntries(recorder.map((name) => [name, []])));
  expect(inRecorderOrder(['yard', 'front', 'porch'], known)).toEqual(order);
});

describe('groups of the recorder', () => {
  const grouped = (groups: Readonly<Record<string, readonly string[]>>) => ({
    ...learnt({ front: [], yard: [], birdseye: [], 'a/b': [] }),
    groups: new Map(Object.entries(groups).map(([name, cameras]) => [name, new Set(cameras)])),
  });

  test.each<[groups: Record<string, string[]>, offered: Record<string, string[]>]>([
    [{ outside: ['yard', 'front'] }, { outside: ['yard', 'front'] }],
    [{ all: ['birdseye', 'front'] }, { all: ['front'] }],
    [{ former: ['removed', 'front', 'a/b'] }, { former: ['front'] }],
    [{ birdseye: ['birdseye'], empty: [] }, {}],
  ])('%j have the cameras that a role can have: %j', (groups, offered) => {
    expect(Object.fromEntries(groupsOfRecorder(grouped(groups)))).toEqual(offered);
  });

  test('are none before it has answered', () => {
    expect([...groupsOfRecorder(undefined)]).toEqual([]);
  });
});

describe('a live stream shows', () => {
  const shown = (stream: string, ...given: Parameters<typeof knownCameras>) =>
    [...camerasOfStream(stream, knownCameras(...given))].sort();

  test('the camera that lists it in the recorder', () => {
    expect(shown('front_sub', declared, learnt({ front: ['front', 'front_sub'] }))).toEqual(['front']);
  });

  test('every camera that lists it', () => {
    expect(shown('both', declared, learnt({ front: ['both'], garage: ['both'] }))).toEqual([
      'front',
      'garage',
    ]);
  });

  test('a camera whose name cannot be granted, too', () => {
    expect(shown('both', declared, learnt({ front: ['both'], 'a/b': ['both'] }))).toEqual(['a/b', 'front']);
  });

  test('the camera of its own name, even if others list it', () => {
    expect(shown('garage', declared, learnt({ front: ['garage'], garage: [] }))).toEqual(['front', 'garage']);
  });

  test('no granted camera if none lists it', () => {
    expect(shown('attic', declared, learnt({ front: ['front'] }, ['attic']))).toEqual(['attic']);
  });

  test('all cameras if it is birdseye, even if a camera lists it', () => {
    expect(shown('birdseye', declared, learnt({ front: ['birdseye'] }))).toEqual(['birdseye']);
    const streams = new Map([['birdseye', ['front']]]);
    expect(shown('birdseye', { ...declared, streams }, undefined)).toEqual(['birdseye']);
  });

  describe('config.yml takes precedence', () => {
    const streams = new Map([['front_sub', ['front']]]);
    test('for a stream', () => {
      expect(shown('front_sub', { ...declared, streams }, learnt({ garage: ['front_sub'] }))).toEqual([
        'front',
      ]);
    });
    test('for the streams of a camera', () => {
      expect(shown('front_hd', { ...declared, streams }, learnt({ front: ['front_hd'] }))).toEqual([
        'front_hd',
      ]);
    });
    test('but not for the streams of others', () => {
      expect(shown('garage_sub', { ...declared, streams }, learnt({ garage: ['garage_sub'] }))).toEqual([
        'garage',
      ]);
    });
  });
});

describe('differences', () => {
  test('are restreams without a camera of their name, or one that lists them', () => {
    const recorder = learnt({ front: ['front_sub'] }, ['front', 'front_sub', 'attic', 'birdseye']);
    expect(cameraGaps(declared, recorder)).toEqual({
      unknownCameras: [],
      unlistedStreams: ['attic', 'birdseye'],
    });
  });

  test('are declared cameras, and those of roles, that the recorder lacks', () => {
    const auth = { roles: rolesOf([['guest', ['porch', 'front']]]) };
    const recorder = learnt({ front: [], garage: [] });
    expect(cameraGaps({ ...declared, auth }, recorder).unknownCameras).toEqual(['porch']);
    expect(cameraGaps({ ...declared, cameras: ['front', 'old'] }, recorder).unknownCameras).toEqual(['old']);
  });

  test('are none until the recorder has answered', () => {
    const auth = { roles: rolesOf([['guest', ['porch']]]) };
    expect(cameraGaps({ ...declared, auth }, undefined)).toEqual({ unknownCameras: [], unlistedStreams: [] });
  });
});
