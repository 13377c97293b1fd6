import { beforeEach, expect, test } from 'vitest';
import { createStateWatch, type WatchedState } from '../../../../src/features/alerts/state-watch.ts';

let now = 0;
let observed: string[];
let look: (changes?: Partial<WatchedState>) => Promise<void>;
let namesOf: (roles: readonly string[]) => Promise<readonly string[]>;
beforeEach(() => {
  now = Date.parse('2026-11-24T18:00:00Z');
  observed = [];
  const watch = createStateWatch(
    { observe: (event, { object }) => observed.push(object === undefined ? event : `${event} ${object}`) },
    { now: () => now },
    (roles) => namesOf(roles),
  );
  namesOf = async (roles) => roles;
  look = (changes = {}) =>
    watch({ recorderFault: undefined, certificateEnds: undefined, unverifiedRoles: [], ...changes });
});
const minute = 60_000;
const day = 24 * 60 * minute;

test.each<[what: string, state: Partial<WatchedState>, before: number, alert: string]>([
  ['a recorder that is away for a minute', { recorderFault: 'no_answer' }, minute, 'recorder_away'],
  [
    'roles that stay unverified for ten',
    { unverifiedRoles: ['a', 'b'] },
    10 * minute,
    'role_unverified a, b',
  ],
])('%s', async (_, state, before, alert) => {
  await look(state);
  now += before - 1;
  await look(state);
  expect(observed).toEqual([]);
  now += 1;
  await look(state);
  expect(observed).toEqual([alert]);
});

test('what recovers in between begins again', async () => {
  await look({ recorderFault: 'no_answer', unverifiedRoles: ['a'] });
  now += 11 * minute;
  await look();
  await look({ recorderFault: 'no_answer' });
  await look({ unverifiedRoles: ['a'] });
  expect(observed).toEqual([]);
});

test('roles that a recorder cannot confirm while it is away are no news of their own', async () => {
  for (let i = 0; i < 30; i += 1) {
    await look({ recorderFault: 'no_answer', unverifiedRoles: ['a'] });
    now += minute;
  }
  expect(new Set(observed)).toEqual(new Set(['recorder_away']));
});

test.each([
  [11, []],
  [10, ['certificate_expiring 2026-12-04']],
  [-1, ['certificate_expiring 2026-11-23']],
])('a certificate that expires in %d days', async (days, alerts) => {
  await look({ certificateEnds: now + days * day });
  expect(observed).toEqual(alerts);
});

test('names of roles are read once the roles have stayed unverified, and again after the store was away', async () => {
  const asked: Array<readonly string[]> = [];
  let isAway = true;
  namesOf = async (roles) => {
    asked.push(roles);
    if (isAway) throw new Error('the store is away');
    return ['rosa'];
  };
  const state = { unverifiedRoles: ['guest_0123456789ab'] };
  await look(state);
  now += 9 * minute;
  await look(state);
  expect(asked).toEqual([]);
  now += minute;
  await look(state);
  expect(observed).toEqual([]);
  isAway = false;
  await look(state);
  expect(observed).toEqual(['role_unverified rosa']);
  expect(asked).toHaveLength(2);
});
