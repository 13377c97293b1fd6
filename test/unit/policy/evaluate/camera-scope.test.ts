import { ownRules } from '../../../support/every-endpoint.ts';
import { noSchedules, rolesOf } from '../../../support/roles.ts';
import type { Identity } from '../../../../src/policy/identity.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { capabilities } from '../../../../src/policy/capability.ts';
import { evaluate } from '../../../../src/policy/evaluate/evaluate.ts';
import { prepareRules } from '../../../../src/policy/rule-tree.ts';
import { lockedRules, recorderRules } from '../../../../src/policy/recorder/access-rules.ts';
import { filtered, known } from '../known-cameras.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const events = new Map([
  ['1.f', 'front'],
  ['2.g', 'garage'],
]);
const rules = {
  roles: rolesOf([['family', new Set(['front', 'garage'])]]),
  resolveResource: prepareRules([...ownRules, ...lockedRules, ...recorderRules])(known(['front', 'garage'])),
  recorded: {
    camerasOfEvents: (ids: readonly string[]) => new Map([...events].filter(([id]) => ids.includes(id))),
    camerasOfExport: (name: string) => (name.startsWith('exp') ? [name.slice(3)] : []),
    camerasOfReview: (id: string) => (id === '1.r' ? ['front'] : id === '2.r' ? ['garage'] : []),
  },
  internalHosts: new Set<string>(),
  listsAreFiltered: filtered.listsAreFiltered,
  stateOf: noSchedules,
  basePath: '',
};
const identityOf = (role: string, cameras?: readonly string[]): Identity => ({
  user: 'olaf',
  role,
  source: 'api-token',
  groups: '',
  email: '',
  name: '',
  token: { id: 't', cameras: cameras && new Set(cameras) },
});
const isAllowed = (identity: Identity, method: string, uri: string, roles = rules.roles) =>
  evaluate(
    { entryPoint: 'authenticated', method, uri, headers: [], host: undefined, secure: true },
    { identity },
    { ...rules, roles },
  ).outcome === 'allow';

/** Paths for every kind of row, with names, ids and files of both cameras. */
const named = fc.oneof(
  { weight: 2, arbitrary: fc.constant('front') },
  fc.constantFrom('garage', 'all', 'Front', 'attic', '', '%66ront', 'front%2cgarage'),
);
const template = fc.constantFrom(
  (a: string) => `/api/${a}/latest.jpg`,
  (a: string) => `/recordings/2026-11-21/10/${a}/00.00.mp4`,
  (a: string) => `/clips/${a}-1793000276.3-a.jpg`,
  (a: string) => `/vod/${a}/start/1/end/2`,
  (a: string, b: string) => `/live/mse/api/ws?src=${a}&src=${b}`,
  (a: string, b: string) => `/api/events?cameras=${a},${b}`,
  (a: string, b: string) => `/api/events?cameras=${a}&camera=${b}`,
  (a: string, b: string) => `/api/review?cameras=${a};cameras=${b}`,
  (a: string, b: string) => `/api/timeline?camera=${a}&cameras=${b}`,
  (a: string) => `/api/labels?camera=${a}`,
  (a: string) => `/api/exports/exp${a}`,
  (a: string) => `/api/events/explore?cameras=${a}`,
  () => '/api/events',
  () => '/ws',
  () => '/api/stats',
  () => '/',
  () => '/api/event_ids?ids=1.f,2.g',
  () => '/api/event_ids?ids=2.g',
  () => '/api/event_ids?ids=3.x',
  () => '/api/event_ids?ids=1.f',
  () => '/api/events/2.g/snapshot.jpg',
  () => '/api/review/2.r',
  () => '/api/reviews/viewed',
);
const uris = fc.tuple(template, named, named).map(([make, a, b]) => make(a, b));
const methods = fc.oneof(
  { weight: 4, arbitrary: fc.constant('GET') },
  fc.constantFrom('HEAD', 'POST', 'PUT', 'DELETE'),
);

test('a camera-scoped token may do nothing that a custom role of its cameras may not', () => {
  const asRole = new Map([
    ...rules.roles,
    ...rolesOf([['front_alone', ['front']]], { front_alone: { may: capabilities } }),
  ]);
  assertCases(
    fc.property(methods, uris, fc.constantFrom('viewer', 'family'), (method, uri, role) => {
      if (!isAllowed(identityOf(role, ['front']), method, uri)) return;
      expect(isAllowed(identityOf('front_alone'), method, uri, asRole), uri).toBe(true);
    }),
    { numRuns: 5_000, reaching: 0.1 },
  );
});

test('only passes requests that name front and nothing else', () => {
  assertCases(
    fc.property(methods, uris, (method, uri) => {
      if (!isAllowed(identityOf('viewer', ['front']), method, uri)) return;
      const text = decodeURIComponent(uri);
      expect(text).toMatch(/front|1\.f/);
      expect(text).not.toMatch(/garage|2\.|attic|all\b/);
    }),
    { numRuns: 5_000, reaching: 0.1 },
  );
});

test('a token loses a camera with its role', () => {
  const smaller = rolesOf([['family', ['garage']]]);
  const token = identityOf('family', ['front']);
  expect(isAllowed(token, 'GET', '/api/front/latest.jpg')).toBe(true);
  expect(isAllowed(token, 'GET', '/api/front/latest.jpg', smaller)).toBe(false);
  expect(isAllowed(token, 'GET', '/api/garage/latest.jpg', smaller)).toBe(false);
});

test('refuses a request without a URI', () => {
  const evaluation = evaluate(
    {
      entryPoint: 'authenticated',
      method: undefined,
      uri: undefined,
      headers: [],
      host: undefined,
      secure: true,
    },
    { identity: identityOf('viewer', ['front']) },
    rules,
  );
  expect(evaluation).toMatchObject({ outcome: 'forbidden', reason: 'uri_missing' });
});

test.each<[method: string, uri: string, expected: boolean]>([
  ['DELETE', '/api/review/1.r/viewed', true],
  ['DELETE', '/api/review/2.r/viewed', false],
  ['DELETE', '/api/review/3.r/viewed', false],
  // No one reads the offer.
  ['POST', '/api/go2rtc/webrtc?src=front', false],
  ['POST', '/api/go2rtc/webrtc?src=garage', false],
  ['POST', '/api/export/front/start/1/end/2', false],
  ['POST', '/api/reviews/viewed', false],
  ['POST', '/api/logout', true],
])('%s %s by a camera-scoped token of viewer: %s', (method, uri, expected) => {
  expect(isAllowed(identityOf('viewer', ['front']), method, uri)).toBe(expected);
});
