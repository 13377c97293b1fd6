import { array, assert, constantFrom, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { takeApart } from '../../../../../src/web/pages/why/take-apart.ts';
import { anyCodePoint } from '../../../../support/any-code-point.ts';

const root = { origin: 'https://cams.example', prefix: '' };
const below = { origin: 'https://home.example:8443', prefix: '/cams' };

test.each<[typed: string, place: typeof root, uri: string]>([
  ['/api/events?limit=5', root, '/api/events?limit=5'],
  ['  /api/config ', root, '/api/config'],
  ['api/config', root, '/api/config'],
  ['?x=1', root, '/?x=1'],
  ['/a/../b', root, '/a/../b'],
  ['//api/config', root, '//api/config'],
  [String.raw`/a\b`, root, String.raw`/a\b`],
  ['/api/%2e%2e/config', root, '/api/%2e%2e/config'],
  ['/api/Küche eins/latest.jpg#now', root, '/api/K%C3%BCche%20eins/latest.jpg'],
  ['https://cams.example/api/garage/latest.jpg?h=2#x', root, '/api/garage/latest.jpg?h=2'],
  ['HTTPS://CAMS.example:443/', root, '/'],
  ['https://cams.example', root, '/'],
  ['wss://cams.example/live/mse/api/ws?src=garage', root, '/live/mse/api/ws?src=garage'],
  ['cams.example/api/config', root, '/api/config'],
  ['https://somebody:s3cret@cams.example/api/config', root, '/api/config'],
  ['https://home.example:8443/cams/api/config', below, '/api/config'],
  ['home.example:8443/cams', below, '/'],
  ['/cams/api/config', below, '/api/config'],
  ['/cams?x=1', below, '/?x=1'],
  ['/camscape', below, '/camscape'],
])('%s at %o is %s', (typed, place, uri) => {
  expect(takeApart(typed, place)).toEqual({ kind: 'here', uri });
});

test.each<[typed: string, place: typeof root, site: string]>([
  ['https://elsewhere.example/api/config', root, 'https://elsewhere.example'],
  ['http://cams.example/api/config', root, 'http://cams.example'],
  ['https://cams.example:8443/', root, 'https://cams.example:8443'],
  ['https://cams.example.evil.example/', root, 'https://cams.example.evil.example'],
  ['https://cams.example@evil.example/api', root, 'https://evil.example'],
  ['https://home.example:8443/other', below, 'https://home.example:8443'],
  ['ftp://cams.example/x', root, 'ftp://cams.example'],
  ['https://[/', root, 'https://[/'],
])('%s at %o is of %s', (typed, place, site) => {
  expect(takeApart(typed, place)).toEqual({ kind: 'elsewhere', site });
});

test('accepts an empty field', () => {
  expect(takeApart('  ', root)).toEqual({ kind: 'nothing' });
});

test('returns a valid request target for any input, and for an address what a browser would send', () => {
  const target = /^\/[\x21-\x22\x24-\x7e]*$/;
  assert(
    property(string({ unit: anyCodePoint }), constantFrom(root, below), (typed, place) => {
      const taken = takeApart(typed, place);
      if (taken.kind === 'here') expect(taken.uri).toMatch(target);
    }),
    { numRuns: 2_000 },
  );
  const part = array(constantFrom(...'ab./%2e?&=ü _~:@!;'), { maxLength: 12 }).map(
    (all) => `/${all.join('')}`,
  );
  assert(
    property(part, constantFrom(root, below), (path, place) => {
      const typed = place.origin + place.prefix + path;
      const { pathname, search } = new URL(typed);
      // Dots may lead out of the prefix, to another site.
      if (!`${pathname}/`.startsWith(`${place.prefix}/`)) return;
      const expected = (pathname + search).slice(place.prefix.length);
      expect(takeApart(typed, place)).toEqual({
        kind: 'here',
        uri: expected.startsWith('/') ? expected : `/${expected}`,
      });
    }),
    { numRuns: 2_000 },
  );
});
