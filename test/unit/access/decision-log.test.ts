import { mayByDefault, mayEverything } from '../../../src/policy/capability.ts';
import type { RequestContext } from '../../../src/policy/request-context.ts';
import type { Decision } from '../../../src/policy/decision.ts';
import type { Resource } from '../../../src/policy/resource.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDecisionLog } from '../../../src/access/decision-log.ts';
import { assertCases } from '../../support/assert-cases.ts';
import { heapInUse } from '../../support/heap-in-use.ts';

const at = 1_793_000_000_500;
const decision = { outcome: 'forbidden', reason: 'read_only', identity: undefined } as const;
const request = (uri: string): RequestContext => ({
  entryPoint: 'authenticated',
  method: 'PUT',
  uri,
  headers: ['Cookie', 's3cret'],
  host: 'gate.test',
  secure: true,
});

test('finds a decision by its id, without headers and query', () => {
  const decisions = createDecisionLog();
  const id = decisions.keep(request('/a?token=s3cret'), { ...decision, path: '/a' }, at);
  expect(id).toMatch(/^[a-z0-9-]+$/);
  expect(decisions.find(id)).toEqual({
    id,
    at: new Date(1_793_000_000_500),
    decision: { ...decision, path: '/a' },
    request: { entryPoint: 'authenticated', method: 'PUT', uri: '/a' },
  });
});

test('keeps the last 10,000: the 10,001st replaces the first', () => {
  const decisions = createDecisionLog();
  const keep = (i: number) => decisions.keep(request(`/${i}`), decision, at);
  const ids = Array.from({ length: 10_000 }, (_, i) => keep(i));
  expect(new Set(ids).size).toBe(10_000);
  for (const [i, id] of ids.entries()) expect(decisions.find(id)?.request.uri).toBe(`/${i}`);
  const last = keep(10_000);
  expect(ids).not.toContain(last);
  expect(decisions.find(ids[0] ?? '')).toBeUndefined();
  expect(decisions.find(ids[1] ?? '')?.request.uri).toBe('/1');
  expect(decisions.find(last)?.request.uri).toBe('/10000');
});

test('finds nothing by an id of another run, or an invalid one', () => {
  const [one, other] = [createDecisionLog(), createDecisionLog()];
  const id = one.keep(request('/a'), decision, at);
  other.keep(request('/a'), decision, at);
  expect(other.find(id)).toBeUndefined();
  for (const none of [
    '',
    '-',
    '0',
    `${id}0`,
    `${id}-0`,
    ` ${id}`,
    id.toUpperCase(),
    '__proto__-length',
    '-1',
  ]) {
    if (none !== id) expect(one.find(none), none).toBeUndefined();
  }
});

test('keeps copies, so that the rest of a long URI is freed', () => {
  const decisions = createDecisionLog();
  const count = 300;
  const keepLong = (i: number) => {
    const uri = `/${i}?${'x'.repeat(60_000)}${i}`;
    decisions.keep(request(uri), { ...decision, path: uri.slice(0, 10) }, at);
  };
  keepLong(0);
  const before = heapInUse();
  for (let i = 0; i < count; i += 1) keepLong(i);
  expect((heapInUse() - before) / count).toBeLessThan(10_000);
});

/** The target of a decision. */
const name = fc.oneof(fc.constantFrom('front', 'garten süd', '摄像头', ''), fc.string({ maxLength: 200 }));
const names = fc.array(name, { maxLength: 3 });
const resource: fc.Arbitrary<Resource | undefined> = fc.oneof(
  fc.constantFrom(undefined, { kind: 'neutral' } as const, { kind: 'unresolved' } as const),
  fc.record({ kind: fc.constant('cameras' as const), cameras: names }),
  fc.record({
    kind: fc.constant('recorded' as const),
    in: fc.constant('events' as const),
    ids: names,
    cameras: fc.oneof(fc.constant([]), names),
    allThere: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('recorded' as const),
    in: fc.constantFrom('exports' as const, 'reviews' as const),
    ids: names,
  }),
);
const identity = {
  user: 'olaf',
  role: 'family',
  source: 'proxy',
  groups: 'kin',
  email: '',
  name: '',
} as const;
const basis = {
  path: fc.constantFrom(undefined, '/a', '/b', '/garten süd', `/${'long'.repeat(120)}`),
  rule: fc.constantFrom(undefined, { path: '/**', level: 'any', may: 'shell' } as const),
  identity: fc.constantFrom(undefined, identity),
  resource,
};
const anyDecision: fc.Arbitrary<Decision> = fc.oneof(
  fc.record({
    ...basis,
    outcome: fc.constantFrom('forbidden' as const, 'unauthenticated' as const),
    reason: fc.constant('role_may_not' as const),
    missing: fc.constantFrom(undefined, 'history' as const),
  }),
  fc.record({
    ...basis,
    outcome: fc.constant('forbidden' as const),
    reason: fc.constant('role_may_not' as const),
    missing: fc.constantFrom('live' as const, 'history' as const, 'export' as const),
  }),
  fc.record({
    ...basis,
    outcome: fc.constant('allow' as const),
    reason: fc.constant('allowed' as const),
    grant: fc.constantFrom('all' as const, new Set(['front'])),
    may: fc.constantFrom(mayEverything, mayByDefault),
  }),
);
const anyRequest = fc.record({
  entryPoint: fc.constantFrom('authenticated' as const, 'internal' as const),
  front: fc.constantFrom(undefined, 'embedded' as const, 'auth-request' as const),
  fault: fc.constantFrom(undefined, { reason: 'front_header_repeated', header: 'x' } as const),
  method: fc.constantFrom('GET', 'POST', 'get', 'PROPFIND', '', undefined),
  uri: fc.constantFrom(
    '/a',
    '/a?b',
    '/a/',
    '/garten süd',
    '/b',
    '/%62',
    `/${'long'.repeat(120)}?x`,
    undefined,
  ),
});

test('finds any decision unchanged, even in the place of another', () => {
  assertCases(
    fc.property(fc.array(fc.tuple(anyRequest, anyDecision), { minLength: 1, maxLength: 6 }), (made) => {
      const decisions = createDecisionLog(2);
      for (const [asked, decided] of made) {
        const id = decisions.keep({ ...request(''), ...asked }, decided, at);
        const found = decisions.find(id);
        expect(found).toEqual({
          id,
          at: new Date(at),
          request: { ...asked, uri: asked.uri?.split('?', 1)[0] },
          decision: decided,
        });
      }
    }),
    { numRuns: 3_000 },
  );
});
