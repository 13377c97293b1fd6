import { expect, test } from 'vitest';
import { createMinuteBudget } from '../../../src/telemetry/pacing.ts';

function budgetAt(perClient: number, perMinute: number) {
  const time = { passed: 0 };
  const budget = createMinuteBudget({ perClient, perMinute, elapsed: () => time.passed });
  const taken = (address: string, times: number) =>
    Array.from({ length: times }, () => budget.take(address)).filter(Boolean).length;
  return { time, taken };
}

test('one client gets only its part', () => {
  const { taken } = budgetAt(600, 6_000);
  expect(taken('192.0.2.1', 20_000)).toBe(600);
  expect(taken('192.0.2.2', 10)).toBe(10);
  expect(taken('', 1_000)).toBe(600);
});

test('all clients together get no more than the whole', () => {
  const { taken } = budgetAt(600, 6_000);
  let all = 0;
  for (let i = 0; i < 50_000; i += 1) all += taken(`2001:db8:${i.toString(16)}::/64`, 1);
  expect(all).toBe(6_000);
});

test('each minute has a new budget', () => {
  const { time, taken } = budgetAt(5, 10);
  expect(taken('a', 9)).toBe(5);
  time.passed = 59_999;
  expect(taken('a', 1)).toBe(0);
  time.passed = 60_000;
  expect(taken('a', 9)).toBe(5);
});

test('addresses rarely share a part', () => {
  const { taken } = budgetAt(1, 1_000_000);
  let refused = 0;
  for (let i = 0; i < 200; i += 1) refused += 1 - taken(`192.0.2.${i}`, 1);
  // With 4,096 places and 200 addresses five pairs are to be expected.
  expect(refused).toBeLessThan(25);
});
