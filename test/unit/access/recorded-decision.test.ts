import { expect, test } from 'vitest';
import { explain } from '../../../src/access/explain.ts';
import { recordedDecision } from '../../../src/access/recorded-decision.ts';
import type { AuditRecord } from '../../../src/audit/audit-query.ts';

const record: AuditRecord = {
  id: 1,
  time: '2026-11-22T12:00:00.000Z',
  event: 'refused',
  result: 'failure',
  user: 'olaf',
  role: 'family',
  source: 'proxy',
  address: '192.0.2.1',
  object: '/api/garage/latest.jpg',
  reason: 'camera_not_granted',
  decision: '5f0c2a7e-1x',
  detail: { verdict: 'forbidden', entry_point: 'authenticated', front: 'auth-request', method: 'GET' },
};
const who = ['trust: the authenticated entry point', 'identity: olaf, by proxy', 'role: family'];

test.each<[written: string | undefined, missing: string | undefined]>([
  ['history', 'history'],
  ['everything', undefined],
  [undefined, undefined],
])('what the role may not do is %j in the record, and in the decision %j', (written, missing) => {
  const detail = { ...record.detail, ...(written !== undefined && { missing: written }) };
  expect(recordedDecision({ ...record, reason: 'role_may_not', detail })?.decision).toMatchObject({
    reason: 'role_may_not',
    missing,
  });
});

test.each<[what: string, differs: Partial<AuditRecord>, steps: readonly string[]]>([
  [
    'identity, target and reason',
    {},
    [
      ...who,
      'uri: GET /api/garage/latest.jpg',
      'verdict: forbidden: camera_not_granted, the role doesn’t include a camera that this is about',
    ],
  ],
  [
    'an API token',
    { source: 'api-token', detail: { ...record.detail, token_id: 'id' } },
    [
      'trust: the authenticated entry point',
      'identity: olaf, by the API token id',
      'role: family',
      'uri: GET /api/garage/latest.jpg',
      'verdict: forbidden: camera_not_granted, the role doesn’t include a camera that this is about',
    ],
  ],
  [
    'no identity, at the internal entry point',
    {
      user: null,
      role: null,
      source: null,
      reason: 'uri_dot_segment',
      detail: { verdict: 'forbidden', entry_point: 'internal', method: 'GET' },
    },
    [
      'trust: the internal entry point: anonymous, as admin; identity headers are ignored',
      'identity: no one was identified',
      'uri: /api/garage/latest.jpg can’t be read safely',
      'verdict: forbidden: uri_dot_segment, the path has a dot segment',
    ],
  ],
  [
    'a faulty front',
    {
      user: null,
      role: null,
      source: null,
      object: null,
      reason: 'front_header_missing',
      detail: { ...record.detail, header: 'x-forwarded-uri' },
    },
    [
      'trust: the authenticated entry point',
      'identity: no one was identified',
      'uri: the authorization request of auth-request can’t be read: x-forwarded-uri',
      'verdict: forbidden: front_header_missing, the front didn’t send a header that its adapter needs',
    ],
  ],
])('explains a refusal by its record: %s', (_, differs, steps) => {
  const { request, decision } = recordedDecision({ ...record, ...differs }) ?? fail();
  expect(explain(request, decision).map(({ step, says }) => `${step}: ${says}`)).toEqual(steps);
});

test.each<[what: string, differs: Partial<AuditRecord>]>([
  ['another event', { event: 'login' }],
  ['a login with a password that failed', { event: 'login_failed', reason: 'wrong_password' }],
  ['a reason of another release', { reason: 'no_such_reason' }],
  ['no reason', { reason: null }],
  ['no verdict', { detail: {} }],
])('explains no other record: %s', (_, differs) => {
  expect(recordedDecision({ ...record, ...differs })).toBe(undefined);
});

function fail(): never {
  throw new Error('it tells nothing');
}

test.each(['user', 'role', 'source'] as const)('identifies no one by a record without %s', (missing) => {
  expect(recordedDecision(record)?.decision.identity).toMatchObject({ user: 'olaf', role: 'family' });
  expect(recordedDecision({ ...record, [missing]: null })?.decision.identity).toBeUndefined();
});
