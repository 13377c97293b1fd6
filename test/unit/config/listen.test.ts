import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLoopback, parseListenAddress, type ListenAddress } from '../../../src/config/listen.ts';
import { anyCodePoint } from '../../support/any-code-point.ts';
import { assertCases } from '../../support/assert-cases.ts';

const longestSocket = `/${'s'.repeat(106)}`;

test.each<[value: string | number, address: ListenAddress]>([
  [8971, { host: undefined, port: 8971 }],
  [0, { host: undefined, port: 0 }],
  ['8971', { host: undefined, port: 8971 }],
  ['65535', { host: undefined, port: 65_535 }],
  ['127.0.0.1:5000', { host: '127.0.0.1', port: 5000 }],
  ['gate.test:0', { host: 'gate.test', port: 0 }],
  ['[::1]:5000', { host: '::1', port: 5000 }],
  ['[::ffff:127.0.0.1]:80', { host: '::ffff:127.0.0.1', port: 80 }],
  ['unix:/run/postern/a.sock', { path: '/run/postern/a.sock' }],
  [`unix:${longestSocket}`, { path: longestSocket }],
])('%j is an address', (value, address) => {
  expect(parseListenAddress(value)).toEqual(address);
});

test.each<[value: string]>([
  [''],
  ['off'],
  ['localhost'],
  [':5000'],
  ['127.0.0.1:'],
  ['65536'],
  ['127.0.0.1:65536'],
  ['-1'],
  ['80.5'],
  ['0x50'],
  ['::1:5000'],
  ['[localhost]:80'],
  ['http://127.0.0.1:80'],
  ['127.0.0.1 :80'],
  ['127.0.0.1:80\n'],
  ['a:b:80'],
  ['unix:'],
  ['unix:run/a.sock'],
  [`unix:${longestSocket}s`],
  [`unix:/${'ü'.repeat(54)}`],
])('%j is none', (value) => {
  expect(parseListenAddress(value)).toBeUndefined();
});

test('returns a usable address or undefined for any text', () => {
  const almostOne = fc
    .tuple(
      fc.constantFrom('', '127.0.0.1:', 'gate.test:', '[::1]:', '::1:', '[a b]:', 'unix:', 'unix:/run/'),
      fc.oneof(
        { weight: 3, arbitrary: fc.nat({ max: 99_999 }).map(String) },
        fc.string({ unit: anyCodePoint, maxLength: 3 }),
      ),
    )
    .map((parts) => parts.join(''));
  const anyText = fc.oneof(
    { weight: 3, arbitrary: almostOne },
    fc.string({ unit: anyCodePoint }),
    fc
      .array(fc.constantFrom('unix:', '/', 'a', '127.0.0.1', ':', '[', ']', '::1', '8', '99999', '.', ' '))
      .map((parts) => parts.join('')),
  );
  assertCases(
    fc.property(anyText, (value) => {
      const address = parseListenAddress(value);
      if (address === undefined) return;
      if ('path' in address) {
        expect(`unix:${address.path}`).toBe(value);
        return;
      }
      expect(Number.isInteger(address.port) && address.port >= 0 && address.port <= 65_535).toBe(true);
      if (address.host !== undefined) expect(address.host).toMatch(/^[^\s/[\]]+$/);
    }),
    { numRuns: 2_000, reaching: 0.1 },
  );
});

test('returns host and port as written', () => {
  assertCases(
    fc.property(fc.ipV6(), fc.ipV4(), fc.nat({ max: 65_535 }), (v6, v4, port) => {
      expect(parseListenAddress(`[${v6}]:${port}`)).toEqual({ host: v6, port });
      expect(parseListenAddress(`${v4}:${port}`)).toEqual({ host: v4, port });
    }),
  );
});

test.each<[value: string, loopback: boolean]>([
  ['unix:/run/a.sock', true],
  ['127.0.0.1:80', true],
  ['127.255.0.3:80', true],
  ['[::1]:80', true],
  ['localhost:80', true],
  ['80', false],
  ['0.0.0.0:80', false],
  ['[::]:80', false],
  ['192.168.1.1:80', false],
  ['127.0.0.1.evil.test:80', false],
  ['localhost.evil.test:80', false],
])('other machines cannot reach %s: %j', (value, loopback) => {
  const address = parseListenAddress(value);
  expect(address !== undefined && isLoopback(address)).toBe(loopback);
});
