import { expect, test } from 'vitest';
import type { ToldRecord } from '../../../../../src/api/audit/audit.ts';
import { questionsOf } from '../../../../../src/web/pages/why/record-questions.ts';

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
