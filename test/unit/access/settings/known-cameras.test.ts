import { describe, expect, test } from 'vitest';
import { camerasOfStream } from '../../../../src/policy/cameras.ts';
import { cameraGaps, knownCameras } from '../../../../src/access/settings/known-cameras.ts';

const setOf = (...names: string[]) => new Set(names);
const declared = {
  cameras: undefined,
  streams: new Map<string, readonly string[]>(),
  auth: { roles: new Map<string, ReadonlySet<string>>() },
};
const learnt = (cameras: Readonly<Record<string, readonly string[]>>, restreams: readonly string[] = []) => ({
  cameras: new Map(Object.entries(cameras).map(([name, streams]) => [name, new Set(streams)])),
  restreams: new Set(restreams),
});

describe('a camera is known', () => {
  const names = (...given: Parameters<typeof knownCameras>) => [...knownCameras(...given).names].sort();

  test('that the recorder has, and one that a role has', () => {
    const auth = { roles: new Map([['guest', setOf('porch')]]) };
    expect(names({ ...declared, auth }, learnt({ front: [] }))).toEqual(['front', 'porch']);
  });

  test('that config.yml declares: then the recorder is not believed to have others', () => {
    expect(names({ ...declared, cameras: ['front'] }, learnt({ garage: [] }))).toEqual(['front']);
  });

  test('by a name that recorders give alone', () => {
    const odd = { 'a/b': [], '..': [], '': [], birdseye: [], ['x'.repeat(129)]: [], 'front-2': [] };
    expect(names(declared, learnt(odd))).toEqual(['front-2']);
  });

  test('and the list of all of them is complete when config.yml has it', () => {
    expect(knownCameras(declared, learnt({ front: [] })).complete).toBe(false);
    expect(knownCameras({ ...declared, cameras: [] }, undefined).complete).toBe(true);
  });
});

describe('a live stream shows', () => {
  const shown = (stream: string, ...given: Parameters<typeof knownCameras>) =>
    [...camerasOfStream(stream, knownCameras(...given))].sort();

  test('the camera that lists it at the recorder', () => {
    expect(shown('front_sub', declared, learnt({ front: ['front', 'front_sub'] }))).toEqual(['front']);
  });

  test('every camera that lists it', () => {
    expect(shown('both', declared, learnt({ front: ['both'], garage: ['both'] }))).toEqual([
      'front',
      'garage',
    ]);
  });

  test('a camera whose name nobody can be granted, too', () => {
    expect(shown('both', declared, learnt({ front: ['both'], 'a/b': ['both'] }))).toEqual(['a/b', 'front']);
  });

  test('the camera of its own name, whoever else lists it', () => {
    expect(shown('garage', declared, learnt({ front: ['garage'], garage: [] }))).toEqual(['front', 'garage']);
  });

  test('nothing that anybody is granted, when no camera lists it', () => {
    expect(shown('attic', declared, learnt({ front: ['front'] }, ['attic']))).toEqual(['attic']);
  });

  test('all cameras, when it is birdseye: nobody gets it by a camera that lists it', () => {
    expect(shown('birdseye', declared, learnt({ front: ['birdseye'] }))).toEqual(['birdseye']);
    const streams = new Map([['birdseye', ['front']]]);
    expect(shown('birdseye', { ...declared, streams }, undefined)).toEqual(['birdseye']);
  });

  describe('what config.yml says, which wins', () => {
    const streams = new Map([['front_sub', ['front']]]);
    test('of a stream', () => {
      expect(shown('front_sub', { ...declared, streams }, learnt({ garage: ['front_sub'] }))).toEqual([
        'front',
      ]);
    });
    test('of the streams of a camera', () => {
      expect(shown('front_hd', { ...declared, streams }, learnt({ front: ['front_hd'] }))).toEqual([
        'front_hd',
      ]);
    });
    test('and nothing of the streams of others', () => {
      expect(shown('garage_sub', { ...declared, streams }, learnt({ garage: ['garage_sub'] }))).toEqual([
        'garage',
      ]);
    });
  });
});

describe('what does not fit together', () => {
  test('are restreams that no camera lists, and that have the name of none', () => {
    const recorder = learnt({ front: ['front_sub'] }, ['front', 'front_sub', 'attic', 'birdseye']);
    expect(cameraGaps(declared, recorder)).toEqual({
      unknownCameras: [],
      unlistedStreams: ['attic', 'birdseye'],
    });
  });

  test('are cameras that only the gate knows: declared ones, and those of roles', () => {
    const auth = { roles: new Map([['guest', setOf('porch', 'front')]]) };
    const recorder = learnt({ front: [], garage: [] });
    expect(cameraGaps({ ...declared, auth }, recorder).unknownCameras).toEqual(['porch']);
    expect(cameraGaps({ ...declared, cameras: ['front', 'old'] }, recorder).unknownCameras).toEqual(['old']);
  });

  test('is nothing while the recorder has not said anything', () => {
    const auth = { roles: new Map([['guest', setOf('porch')]]) };
    expect(cameraGaps({ ...declared, auth }, undefined)).toEqual({ unknownCameras: [], unlistedStreams: [] });
  });
});
