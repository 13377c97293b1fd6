import { beforeEach, expect, test } from 'vitest';
import { cameraText, inOrder, keepCameras } from '../../../../../src/web/ui/cameras/camera-names.ts';

beforeEach(() =>
  keepCameras({
    allowed_cameras: ['side_gate', 'front_door', 'garage'],
    camera_names: { garage: 'Workshop' },
  }),
);

test.each([
  ['garage', 'Workshop'],
  ['front_door', 'Front door'],
  ['of_another_user', 'Of another user'],
  ['constructor', 'Constructor'],
])('%s is called %s', (camera, name) => {
  expect(cameraText(camera)).toBe(name);
});

test.each([
  [
    ['front_door', 'garage', 'side_gate'],
    ['side_gate', 'front_door', 'garage'],
  ],
  [
    ['yard', 'attic', 'garage'],
    ['garage', 'attic', 'yard'],
  ],
  [[], []],
])('%j are shown as %j', (cameras, order) => {
  expect(inOrder(cameras)).toEqual(order);
});

test('names of another profile replace those of the former one', () => {
  keepCameras({ allowed_cameras: ['garage'] });
  expect(cameraText('garage')).toBe('Garage');
});
