import { expect, test } from 'vitest';
import { array, assert, constantFrom, property, string } from 'fast-check';
import {
  queryOf,
  questionIn,
  valueOf,
  whoOf,
  questionsOf,
  takeApart,
  type Question,
} from '../../../../../src/web/pages/why/question.ts';
import type { Who } from '../../../../../src/web/ui/roles/role-paths.ts';
import type { ToldRecord } from '../../../../../src/api/explain/audit.ts';
import { anyCodePoint } from '../../../../support/any-code-point.ts';

test.each<[query: Record<string, string>, asked: Partial<Question>]>([
  [{}, {}],
  [
    { user: 'nell', camera: 'garage', to: 'live' },
    { who: { user: 'nell' }, camera: 'garage', to: 'live' },
  ],
  [{ role: 'guard', to: 'everything' }, { who: { role: 'guard' } }],
  [{ user: 'nell', role: 'guard' }, { who: { user: 'nell' } }],
  [
    { camera: 'garage', at: '1800000000' },
    { camera: 'garage', at: 1_800_000_000 },
  ],
  [{ at: 'soon' }, {}],
])('%j', (query, asked) => {
  expect(questionIn(query)).toEqual(asked);
});

test.each<[question: Question]>([
  [{ who: { user: 'nell & co' }, camera: 'front door', to: 'ptz' }],
  [{ who: { role: 'guard' }, camera: 'garage', to: 'export', at: 1_800_000_000 }],
])('%j can be read from its address', (question) => {
  expect(questionIn(Object.fromEntries(new URLSearchParams(queryOf(question))))).toEqual(question);
});

test.each<[who: Who]>([[{ user: 'nell' }], [{ role: 'guard' }], [{ user: 'role guard' }]])(
  '%j is a choice',
  (who) => {
    expect(whoOf(valueOf(who))).toEqual(who);
  },
);

const record: ToldRecord = {
  id: 1,
  time: '2026-01-31T18:00:00.250Z',
  event: 'refused',
  result: 'failure',
  user: 'olaf',
  role: 'family',
  source: 'session',
  address: '192.0.2.7',
  object: '/api/garage/latest.jpg',
  reason: 'camera_not_granted',
  reason_meaning: null,
  decision: '5f0c2a7e-1x',
  detail: { entry_point: 'authenticated', method: 'GET' },
};
const asked = { method: 'GET', uri: '/api/garage/latest.jpg', edge: 'authenticated' };

test.each<[what: string, changes: Partial<ToldRecord>, questions: readonly object[]]>([
  [
    'a user of the accounts, and by the role when there is no such user',
    {},
    [
      { ...asked, user: 'olaf' },
      { ...asked, role: 'family' },
    ],
  ],
  ['a user of a proxy', { source: 'proxy' }, [{ ...asked, role: 'family' }]],
  ['an API token', { source: 'api-token' }, [{ ...asked, role: 'family' }]],
  ['no one', { user: null, role: null, source: null }, [asked]],
  [
    'the internal entry point',
    { detail: { entry_point: 'internal', method: 'GET' }, source: 'internal' },
    [{ ...asked, edge: 'internal' }],
  ],
  ['a path that was cut', { object: `/${'x'.repeat(510)}…` }, []],
  ['no path', { object: null }, []],
  ['no method', { detail: {} }, []],
])('%s', (_, changes, questions) => {
  expect(questionsOf({ ...record, ...changes })).toEqual(questions);
});

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
