import { expect, test } from 'vitest';
import { createDecisionTally, durationBounds } from '../../../src/telemetry/decision-tally.ts';

function tallyWithClock() {
  let milliseconds = 0;
  const tally = createDecisionTally(() => milliseconds);
  const decide = (front: string | undefined, verdict: string, reason: string, took: number) => {
    const began = tally.begin();
    milliseconds += took;
    tally.count(front, verdict, reason, began);
  };
  return { tally, decide };
}

test('counts by front, verdict and reason', () => {
  const { tally, decide } = tallyWithClock();
  decide('embedded', 'allow', 'allowed', 1);
  decide('embedded', 'allow', 'allowed', 1);
  decide('embedded', 'forbidden', 'failure', 1);
  decide('embedded', 'unauthenticated', 'failure', 1);
  decide(undefined, 'allow', 'allowed', 1);
  tally.count(undefined, 'forbidden', 'front_unproven', undefined);
  expect([...tally.counted()]).toEqual([
    { front: 'embedded', verdict: 'allow', reason: 'allowed', count: 2 },
    { front: 'embedded', verdict: 'forbidden', reason: 'failure', count: 1 },
    { front: 'embedded', verdict: 'unauthenticated', reason: 'failure', count: 1 },
    { front: 'none', verdict: 'allow', reason: 'allowed', count: 1 },
    { front: 'none', verdict: 'forbidden', reason: 'front_unproven', count: 1 },
  ]);
});

test('counts a duration in its first bucket, and an unmeasured one in none', () => {
  const { tally, decide } = tallyWithClock();
  for (const took of [0, 0.05, 0.051, 1, 5_000, 5_001, 60_000])
    decide('auth-request', 'allow', 'allowed', took);
  tally.count('auth-request', 'forbidden', 'front_unproven', undefined);
  const [measured, ...others] = tally.measured();
  expect(others).toEqual([]);
  expect(measured?.front).toBe('auth-request');
  expect(measured?.seconds).toBeCloseTo(70.002101, 6);
  const by = new Map([...(measured?.counts ?? [])].map((count, place) => [durationBounds[place], count]));
  expect([by.get(0.00005), by.get(0.0001), by.get(0.001), by.get(5), by.get(undefined)]).toEqual([
    2, 1, 1, 1, 2,
  ]);
});

test('expected counters start at zero', () => {
  const { tally, decide } = tallyWithClock();
  tally.expectNone(undefined, 'forbidden', 'failure');
  expect([...tally.counted()]).toEqual([
    { front: 'none', verdict: 'forbidden', reason: 'failure', count: 0 },
  ]);
  decide(undefined, 'forbidden', 'failure', 1);
  expect([...tally.counted()].map(({ count }) => count)).toEqual([1]);
});

test('bounds start at 50 microseconds and grow', () => {
  expect(durationBounds[0]).toBe(0.00005);
  expect(durationBounds).toEqual(durationBounds.toSorted((one, other) => one - other));
});
