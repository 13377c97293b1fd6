import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { belowBasePath, withSlash } from '../../../src/policy/base-path.ts';
import { assertCases } from '../../support/assert-cases.ts';

test.each<[path: string, basePath: string, below: string]>([
  ['/api/users', '', '/api/users'],
  ['/cameras/api/users', '/cameras', '/api/users'],
  ['/cameras/', '/cameras', '/'],
  ['/cameras/?a=b', '/cameras', '/?a=b'],
  // Without a slash it is sent to the one with it.
  ['/cameras', '/cameras', '/cameras'],
  // A front that removes the prefix.
  ['/api/users', '/cameras', '/api/users'],
  // Other paths that begin with the same letters.
  ['/cameras2/api/users', '/cameras', '/cameras2/api/users'],
  ['/Cameras/api/users', '/cameras', '/Cameras/api/users'],
  // Byte for byte, and once: what is left is refused.
  ['/%63ameras/api/users', '/cameras', '/%63ameras/api/users'],
  ['//cameras/api/users', '/cameras', '//cameras/api/users'],
  ['/cameras/cameras/api/users', '/cameras', '/cameras/api/users'],
  ['/home/cameras/api/users', '/home/cameras', '/api/users'],
])('%s below "%s" is %s', (path, basePath, below) => {
  expect(belowBasePath(path, basePath)).toBe(below);
});

test('finds any path below a prefix', () => {
  assertCases(
    fc.property(fc.string(), (rest) => {
      expect(belowBasePath(`/cameras/${rest}`, '/cameras')).toBe(`/${rest}`);
    }),
  );
});

test.each<[target: string, basePath: string, slashed: string | undefined]>([
  ['/cameras', '/cameras', '/cameras/'],
  ['/cameras?a=b', '/cameras', '/cameras/?a=b'],
  ['/cameras/', '/cameras', undefined],
  ['/cameras2', '/cameras', undefined],
  ['/', '', undefined],
  ['', '', undefined],
  ['?a', '', undefined],
])('redirects %s below "%s" to %s', (target, basePath, slashed) => {
  expect(withSlash(target, basePath)).toBe(slashed);
});
