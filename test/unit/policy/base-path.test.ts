import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { belowBasePath } from '../../../src/policy/base-path.ts';

test.each<[path: string, basePath: string, below: string]>([
  ['/api/users', '', '/api/users'],
  ['/cameras/api/users', '/cameras', '/api/users'],
  ['/cameras/', '/cameras', '/'],
  ['/cameras', '/cameras', '/'],
  ['/cameras?a=b', '/cameras', '/?a=b'],
  // A front that takes the prefix away.
  ['/api/users', '/cameras', '/api/users'],
  // Other paths that begin with the same letters.
  ['/cameras2/api/users', '/cameras', '/cameras2/api/users'],
  ['/Cameras/api/users', '/cameras', '/Cameras/api/users'],
  // Once.
  ['/cameras/cameras/api/users', '/cameras', '/cameras/api/users'],
  ['/home/cameras/api/users', '/home/cameras', '/api/users'],
])('%s below "%s" is %s', (path, basePath, below) => {
  expect(belowBasePath(path, basePath)).toBe(below);
});

test('what stands below a prefix is found again, whatever it is', () => {
  fc.assert(
    fc.property(fc.string(), (rest) => {
      expect(belowBasePath(`/cameras/${rest}`, '/cameras')).toBe(`/${rest}`);
    }),
  );
});
