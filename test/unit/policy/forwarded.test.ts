import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostName, belowBasePath, withSlash } from '../../../src/policy/forwarded.ts';
import { assertCases } from '../../support/assert-cases.ts';

const port = fc.option(fc.integer({ min: 0, max: 65_535 }), { nil: undefined });
const name = fc.oneof(
  fc.domain(),
  fc.ipV4(),
  fc.ipV6().map((address) => `[${address}]`),
  fc.constantFrom('localhost', 'gateway_internal', 'Gate.Test', 'nvr-2'),
);

test('accepts names and addresses, with any port', () => {
  assertCases(
    fc.property(name, port, (said, number) => {
      const end = number === undefined ? '' : `:${number}`;
      expect(hostName(`${said}${end}`)).toBe(said.toLowerCase());
      if (!said.startsWith('[')) expect(hostName(`${said}.${end}`)).toBe(said.toLowerCase());
    }),
  );
});

test('an accepted host is never more than a host in a URL', () => {
  const parts = fc.oneof(
    fc.constantFrom(
      'a',
      'Z',
      '0',
      '1.2.3.4',
      '256',
      'xn--',
      '80',
      '65536',
      '000080',
      '::1',
      '%2e',
      'ë',
      '。',
    ),
    fc.constantFrom(...'_-.:[]@/\\?#, \t\n;&*"<\u0000'),
  );
  const almostOne = fc
    .tuple(fc.constantFrom('gate', '1.2.3.4', '[::1]', 'a.b', 'Z_'), fc.array(parts, { maxLength: 2 }))
    .map(([host, rest]) => host + rest.join(''));
  const text = fc.oneof(
    almostOne,
    fc.array(parts, { maxLength: 7 }).map((all) => all.join('')),
    fc.string(),
  );
  assertCases(
    fc.property(text, (host) => {
      if (hostName(host) === undefined) return;
      const url = new URL(`https://${host}`);
      expect([url.username, url.password, url.pathname, url.search, url.hash]).toEqual(['', '', '/', '', '']);
      expect(url.href).toBe(new URL(`https://${host}/`).href);
      expect(host).toMatch(/^[\w.:[\]-]+$/);
      expect(hostName(host)).toMatch(/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$|^\[[0-9a-f:.]+\]$/);
    }),
    { numRuns: 3_000, reaching: 0.1 },
  );
});

describe('rejects', () => {
  test.each([
    '',
    '.',
    '..',
    '.test',
    'a..b',
    'gate.test..',
    'gate.test:',
    ':443',
    'gate.test:443:443',
    'gate.test:65536',
    'gate.test:000443',
    '256.0.0.1',
    '1.2.3.4.5',
    '[:::]',
    '[1.2.3.4]',
    '[]',
    '::1',
    '[::1].',
    '[fe80::1%25eth0]',
    'a@gate.test',
    'gate.test/x',
    'gate.test\\x',
    'gate.test?x',
    'gate.test#x',
    'gate.test,x',
    'gate test',
    'gate.test\n',
    'gäte.test',
    'gate%2etest',
  ])('%j', (host) => {
    expect(hostName(host)).toBeUndefined();
  });
});

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
