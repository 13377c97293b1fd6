import { describe, expect, test } from 'vitest';
import { liveStreams } from '../../../../src/access/settings/live-streams.ts';
import { rolesOf } from '../../../support/roles.ts';

const declared = {
  cameras: undefined,
  streams: new Map<string, readonly string[]>(),
  auth: { roles: rolesOf() },
};
const learnt = (cameras: Readonly<Record<string, readonly string[]>>, restreams: readonly string[]) => ({
  cameras: new Map(Object.entries(cameras).map(([name, streams]) => [name, new Set(streams)])),
  restreams: new Set(restreams),
});
const everyone = () => true;

describe('live streams are', () => {
  test('those that the recorder lists for a camera, in its order', () => {
    const known = learnt({ front: ['front', 'front_sub'], garage: [] }, ['front', 'front_sub', 'garage']);
    expect(liveStreams(['front', 'garage'], declared, known, everyone)).toEqual([
      { camera: 'front', streams: ['front', 'front_sub'] },
      { camera: 'garage', streams: ['garage'] },
    ]);
  });

  test('those that config.yml gives a camera', () => {
    const streams = new Map([['hall_hd', ['front']]]);
    const known = learnt({ front: ['front'] }, ['front', 'hall_hd']);
    expect(liveStreams(['front'], { ...declared, streams }, known, everyone)).toEqual([
      { camera: 'front', streams: ['hall_hd'] },
    ]);
  });

  test('only those that the recorder restreams', () => {
    expect(liveStreams(['front'], declared, learnt({ front: ['front'] }, []), everyone)).toEqual([
      { camera: 'front', streams: [] },
    ]);
  });

  test('one of the camera’s name, until the recorder has answered', () => {
    expect(liveStreams(['front'], declared, undefined, everyone)).toEqual([
      { camera: 'front', streams: ['front'] },
    ]);
  });

  test('none with a camera that may not be seen, nor one of its name', () => {
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
    expect(liveStreams(['front'], declared, known, everyone)[0]?.streams).toEqual(['front']);
  });
});
