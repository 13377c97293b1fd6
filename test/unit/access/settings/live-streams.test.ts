import { describe, expect, test } from 'vitest';
import { liveStreams } from '../../../../src/access/settings/live-streams.ts';

const declared = {
  cameras: undefined,
  streams: new Map<string, readonly string[]>(),
  auth: { roles: new Map<string, ReadonlySet<string>>() },
};
const learnt = (cameras: Readonly<Record<string, readonly string[]>>, restreams: readonly string[]) => ({
  cameras: new Map(Object.entries(cameras).map(([name, streams]) => [name, new Set(streams)])),
  restreams: new Set(restreams),
});
const everybody = () => true;

describe('to look at, there are', () => {
  test('the streams that the recorder lists for a camera, in its order', () => {
    const known = learnt({ front: ['front', 'front_sub'], garage: [] }, ['front', 'front_sub', 'garage']);
    expect(liveStreams(['front', 'garage'], declared, known, everybody)).toEqual([
      { camera: 'front', streams: ['front', 'front_sub'] },
      { camera: 'garage', streams: ['garage'] },
    ]);
  });

  test('those that config.yml gives to a camera', () => {
    const streams = new Map([['hall_hd', ['front']]]);
    const known = learnt({ front: ['front'] }, ['front', 'hall_hd']);
    expect(liveStreams(['front'], { ...declared, streams }, known, everybody)).toEqual([
      { camera: 'front', streams: ['hall_hd'] },
    ]);
  });

  test('none that the recorder does not restream', () => {
    expect(liveStreams(['front'], declared, learnt({ front: ['front'] }, []), everybody)).toEqual([
      { camera: 'front', streams: [] },
    ]);
  });

  test('one of the camera’s name, while the recorder has not said anything', () => {
    expect(liveStreams(['front'], declared, undefined, everybody)).toEqual([
      { camera: 'front', streams: ['front'] },
    ]);
  });

  test('none that shows a camera which may not be seen, nor one of its name', () => {
    const known = learnt({ front: ['both', 'garage', 'front'], garage: ['both'] }, [
      'both',
      'garage',
      'front',
    ]);
    expect(liveStreams(['front'], declared, known, (camera) => camera === 'front')).toEqual([
      { camera: 'front', streams: ['front'] },
    ]);
  });

  test('never the picture of all cameras', () => {
    const known = learnt({ front: ['birdseye', 'front'] }, ['birdseye', 'front']);
    expect(liveStreams(['front'], declared, known, everybody)[0]?.streams).toEqual(['front']);
  });
});
