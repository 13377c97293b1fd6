import { beforeEach, expect, test } from 'vitest';
import { createStateWatch, type WatchedState } from '../../../../src/features/alerts/state-watch.ts';

let now = 0;
let observed: string[];
let look: (changes?: Partial<WatchedState>) => void;
beforeEach(() => {
  now = Date.parse('2026-11-24T18:00:00Z');
  observed = [];
  const watch = createStateWatch(
    { observe: (event, { object }) => observed.push(object === undefined ? event : `${event} ${object}`) },
    { now: () => now },
  );
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
])('%s', (_, state, before, alert) => {
  look(state);
  now += before - 1;
  look(state);
  expect(observed).toEqual([]);
  now += 1;
  look(state);
  expect(observed).toEqual([alert]);
});

test('what recovers in between begins again', () => {
  look({ recorderFault: 'no_answer', unverifiedRoles: ['a'] });
  now += 11 * minute;
  look();
  look({ recorderFault: 'no_answer' });
  look({ unverifiedRoles: ['a'] });
  expect(observed).toEqual([]);
});

test('roles that a recorder cannot confirm while it is away are no news of their own', () => {
  for (let i = 0; i < 30; i += 1) {
    look({ recorderFault: 'no_answer', unverifiedRoles: ['a'] });
    now += minute;
  }
  expect(new Set(observed)).toEqual(new Set(['recorder_away']));
});

test.each([
  [11, []],
  [10, ['certificate_expiring 2026-12-04']],
  [-1, ['certificate_expiring 2026-11-23']],
])('a certificate that expires in %d days', (days, alerts) => {
  look({ certificateEnds: now + days * day });
  expect(observed).toEqual(alerts);
});
