import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cameraOfFile, camerasOfStream } from '../../../src/policy/cameras.ts';
import { known } from './known-cameras.ts';
import { assertCases } from '../../support/assert-cases.ts';
import { slowness } from '../../support/patience.ts';

const names = ['front', 'front-door', 'back-yard', 'garage', 'thumb-garage', 'cam-1'];
const id = '1793000276.376447-de8gxd';

describe('the camera of a file', () => {
  test.each<[file: string, camera: string | undefined]>([
    // By the form of the name, whether the camera is known or not.
    [`front-${id}.jpg`, 'front'],
    [`front-door-${id}.jpg`, 'front-door'],
    [`front-door-${id}-clean.png`, 'front-door'],
    [`front-door-2-${id}.jpg`, 'front-door-2'],
    [`cam-1-${id}.mp4`, 'cam-1'],
    [`gone-${id}.webp`, 'gone'],
    [`Front-${id}.jpg`, 'Front'],
    [`a-b-c-d-1793000276-x.jpg`, 'a-b-c-d'],
    [`front-1793000276.376447-garage-${id}.jpg`, 'front-1793000276.376447-garage'],
    [`thumb-front-${id}.webp`, 'front'],
    [`thumb-front-door-${id}.webp`, 'front-door'],
    ['preview_front-1793000276.376447.webp', 'front'],
    ['preview_front-door-1793000276.mp4', 'front-door'],
    ['preview_gone-1793000276.mp4', 'gone'],
    // A camera with such a name.
    [`thumb-garage-${id}.jpg`, 'thumb-garage'],
    // Another form: the longest known name.
    ['front-door-latest.jpg', 'front-door'],
    ['front-doorbell.jpg', 'front'],
    ['front-.jpg', 'front'],
    ['thumb-front-door-x.webp', 'front-door'],
    ['preview_back-yard-x.webp', 'back-yard'],
    // No camera's.
    ['front.jpg', undefined],
    ['frontdoor-x.jpg', undefined],
    ['FRONT-x.jpg', undefined],
    ['gone-x.jpg', undefined],
    [`-${id}.jpg`, undefined],
    [id, undefined],
    ['index.html', undefined],
    ['', undefined],
  ])('%j: %s', (file, camera) => {
    expect(cameraOfFile(file, known(names))).toBe(camera);
  });

  test('is not guessed while there may be unknown cameras', () => {
    const incomplete = known(names, { complete: false });
    expect(cameraOfFile('front-door-latest.jpg', incomplete)).toBeUndefined();
    expect(cameraOfFile('preview_front-x.webp', incomplete)).toBeUndefined();
    expect(cameraOfFile(`front-door-${id}.jpg`, incomplete)).toBe('front-door');
  });

  test('is found by any name', () => {
    const name = fc.stringMatching(/^[a-z0-9_-]{1,20}$/).filter((text) => !/^(?:thumb-|preview_)/.test(text));
    assertCases(
      fc.property(name, fc.array(name), (camera, others) => {
        expect(cameraOfFile(`${camera}-${id}.jpg`, known(others))).toBe(camera);
        expect(cameraOfFile(`thumb-${camera}-${id}.webp`, known(others))).toBe(camera);
      }),
    );
  });

  test('a long name takes no long time', () => {
    const started = process.threadCpuUsage();
    for (const file of ['-'.repeat(8_000), '-1793000276'.repeat(700), `preview_${'1'.repeat(8_000)}`]) {
      cameraOfFile(file, known(names));
    }
    // Microseconds of this thread's own work.
    expect(process.threadCpuUsage(started).user).toBeLessThan(500_000 * slowness);
  });
});

describe('the cameras of a stream', () => {
  const streams = new Map([
    ['front_sub', ['front']],
    ['overview', ['front', 'garage']],
    ['garage', ['garage']],
    ['front', ['back-yard']],
  ]);
  test.each<[stream: string, cameras: readonly string[]]>([
    ['front_sub', ['front']],
    ['overview', ['front', 'garage']],
    ['garage', ['garage']],
    ['back-yard', ['back-yard']],
    ['front', ['front', 'back-yard']],
    ['unknown', ['unknown']],
    ['FRONT_SUB', ['FRONT_SUB']],
    ['', ['']],
  ])('%j: %j', (stream, cameras) => {
    expect(camerasOfStream(stream, known(names, { streams }))).toEqual(cameras);
  });
});
