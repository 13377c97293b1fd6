import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import { createWindowsInMemory } from '../../../../src/accounts/limits/counted-windows.ts';
import {
  addressKey,
  createFailureLimit as createOn,
  type FailureLimit,
} from '../../../../src/accounts/limits/failure-limit.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const client = '203.0.113.9';
beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => void vi.useRealTimers());

const createFailureLimit = (rules: string | undefined) => createOn(rules, createWindowsInMemory());

/** @returns the seconds to wait after each attempt, 0 if it was let through */
async function attempts(limit: FailureLimit, count: number, address = client): Promise<number[]> {
  const all = await Promise.all(Array.from({ length: count }, () => limit.reserve(address)));
  return all.map((attempt) => ('retryAfterSeconds' in attempt ? attempt.retryAfterSeconds : 0));
}
const passed = (waits: readonly number[]) => waits.filter((wait) => wait === 0).length;

describe('rules', () => {
  test.each<[rules: string | undefined, atOnce: number]>([
    ['1/second', 1],
    ['5/minute', 5],
    ['20/hour', 20],
    ['5/minute;20/hour', 5],
    ['20/hour;5/minute', 5],
    [' 7/minute ; 3/hour ', 3],
    ['1/second;5/minute;20/hour', 1],
    ['', 50],
    [undefined, 50],
  ])('%j lets %i of 50 parallel attempts through', async (rules, atOnce) => {
    expect(passed(await attempts(createFailureLimit(rules), 50))).toBe(atOnce);
  });

  test('each address has its own places', async () => {
    const limit = createFailureLimit('2/minute');
    expect(passed(await attempts(limit, 9))).toBe(2);
    expect(passed(await attempts(limit, 9, '203.0.113.10'))).toBe(2);
  });

  test.each<[rules: string, wait: number]>([
    ['1/second', 1],
    ['1/minute', 60],
    ['1/hour', 3_600],
    ['5/minute;1/hour', 3_600],
    ['1/minute;5/hour', 60],
  ])('%s returns when to retry', async (rules, wait) => {
    const limit = createFailureLimit(rules);
    await limit.reserve(client);
    expect(await limit.reserve(client)).toEqual({ retryAfterSeconds: wait });
    await vi.advanceTimersByTimeAsync(wait * 1000 - 1);
    expect(await limit.reserve(client)).toEqual({ retryAfterSeconds: 1 });
    await vi.advanceTimersByTimeAsync(1);
    expect(passed(await attempts(limit, 9))).toBe(1);
  });

  test('each rule of 1/second;5/minute;20/hour applies', async () => {
    const limit = createFailureLimit('1/second;5/minute;20/hour');
    let through = 0;
    const counts: number[] = [];
    for (let minute = 0; minute < 6; minute += 1) {
      for (let second = 0; second < 60; second += 1) {
        through += passed(await attempts(limit, 3));
        await vi.advanceTimersByTimeAsync(1_000);
      }
      counts.push(through);
    }
    expect(counts).toEqual([5, 10, 15, 20, 20, 20]);
  });
});

describe('a successful attempt', () => {
  test('gives back its own place and no other', async () => {
    const limit = createFailureLimit('3/minute;9/hour');
    await limit.reserve(client);
    for (let i = 0; i < 20; i += 1) {
      const attempt = await limit.reserve(client);
      if ('giveBack' in attempt) await attempt.giveBack();
      else throw new Error('a success was counted');
    }
    expect(passed(await attempts(limit, 9))).toBe(2);
  });

  test('after its window does not change the next window', async () => {
    const limit = createFailureLimit('2/second');
    const attempt = await limit.reserve(client);
    await vi.advanceTimersByTimeAsync(1_500);
    if ('giveBack' in attempt) await attempt.giveBack();
    expect(passed(await attempts(limit, 9))).toBe(2);
  });

  test('after its window removes no failures of the next window', async () => {
    const limit = createFailureLimit('2/second');
    const attempt = await limit.reserve(client);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(passed(await attempts(limit, 2))).toBe(2);
    if ('giveBack' in attempt) await attempt.giveBack();
    expect(passed(await attempts(limit, 9))).toBe(0);
  });
});

test('an attempt rejected by one rule takes no place of another', async () => {
  const limit = createFailureLimit('10/minute;2/second');
  for (let second = 0; second < 4; second += 1) {
    expect(passed(await attempts(limit, 9))).toBe(2);
    await vi.advanceTimersByTimeAsync(1_000);
  }
});

test('parallel attempts never fail more often than the limit', async () => {
  const step = fc.record({ attempts: fc.integer({ min: 1, max: 12 }), succeed: fc.nat(12) });
  await assertCases(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.array(step, { minLength: 1, maxLength: 8 }),
      async (count, steps) => {
        const limit = createFailureLimit(`${count}/minute;${count + 2}/hour`);
        let failed = 0;
        for (const { attempts: parallel, succeed } of steps) {
          const all = await Promise.all(Array.from({ length: parallel }, () => limit.reserve(client)));
          const open = all.flatMap((attempt) => ('giveBack' in attempt ? [attempt] : []));
          expect(open).toHaveLength(Math.min(parallel, count - failed));
          for (const attempt of open.slice(0, succeed)) await attempt.giveBack();
          failed += Math.max(0, open.length - succeed);
        }
      },
    ),
    { numRuns: 200 },
  );
});

describe('what counts as one client', () => {
  test.each<[one: string, other: string, same: boolean]>([
    ['203.0.113.9', '203.0.113.9', true],
    ['203.0.113.9', '203.0.113.8', false],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['2001:db8::1', '2001:DB8:0000:0000:1::', true],
    ['2001:db8::1', '2001:db8:0:1::1', false],
    ['::', '::1', true],
    ['1::', '::1', false],
    ['fe80::1%eth0', 'fe80::2%eth0', true],
    ['64:ff9b::203.0.113.9', '64:ff9b::cb00:7109', true],
    ['::2:3:4:5:6:203.0.113.9', '0:2:3:4:5:6:203.0.113.9', true],
  ])('%s and %s: %j', async (one, other, same) => {
    expect(addressKey(one) === addressKey(other)).toBe(same);
    const limit = createFailureLimit('1/minute');
    await limit.reserve(one);
    expect(passed(await attempts(limit, 1, other))).toBe(same ? 0 : 1);
  });

  test('the first 64 bits, in any notation', () => {
    const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 });
    assertCases(
      fc.property(groups, groups, fc.nat(8), fc.nat(8), (network, host, from, length) => {
        const zeroed = network.map((group, i) => (i >= from && i < from + length ? 0 : group));
        // That would be an IPv4 address.
        fc.pre(![zeroed[5], host[5]].includes(0xffff));
        const written = zeroed.map((group) => group.toString(16));
        const full = zeroed.map((group) => group.toString(16).padStart(4, '0').toUpperCase());
        const end = Math.min(8, from + length);
        const short = `${written.slice(0, from).join(':')}::${written.slice(end).join(':')}`;
        const other = [...zeroed.slice(0, 4), ...host.slice(4)].map((group) => group.toString(16)).join(':');
        expect(addressKey(full.join(':'))).toBe(addressKey(written.join(':')));
        expect(addressKey(other)).toBe(addressKey(written.join(':')));
        if (end > from) expect(addressKey(short)).toBe(addressKey(written.join(':')));
      }),
      { reaching: 0.9 },
    );
  });
});

test('a clock that goes back lengthens no wait beyond the window', async () => {
  const limit = createFailureLimit('1/minute');
  vi.setSystemTime(Date.parse('2031-11-21T10:00:00Z'));
  await limit.reserve('192.0.2.1');
  vi.setSystemTime(Date.parse('2026-11-21T10:00:00Z'));
  expect(await limit.reserve('192.0.2.1')).toEqual({ retryAfterSeconds: 60 });
});

test('two limits with shared counts pass as many as one; changed rules start counting again', async () => {
  const windows = createWindowsInMemory();
  const [one, other] = [createOn('5/minute', windows), createOn('5/minute', windows)];
  const waits = await Promise.all([attempts(one, 100), attempts(other, 100)]);
  expect(passed(waits.flat())).toBe(5);
  expect(passed(await attempts(createOn('6/minute', windows), 9))).toBe(6);
});

test('lets no one through when the counts are unavailable', async () => {
  const cannot = async () => {
    throw new AppError('store_unavailable');
  };
  const limit = createOn('5/minute', { take: cannot, giveBack: cannot, prune: cannot });
  await expect(limit.reserve(client)).rejects.toMatchObject({ code: 'store_unavailable' });
});
