import { beforeEach, describe, expect, test } from 'vitest';
import {
  createWindowsInMemory,
  type CountedWindows,
} from '../../../../src/accounts/limits/counted-windows.ts';
import { createWindowsInStore } from '../../../../src/accounts/limits/windows-in-store.ts';
import { emptyDatabase } from '../../../support/postgres.ts';
import { sharedStore } from '../../store/postgres/shared-store.ts';

const twice = { name: 'twice', most: 2, seconds: 60 };
const key = '203.0.113.9';

interface Counter {
  readonly windows: CountedWindows;
  /** Advances the time, in milliseconds. */
  readonly pass: (milliseconds: number) => Promise<void>;
  /** How many windows are kept; undefined: unknown. */
  readonly kept?: () => Promise<number>;
}

function inMemory(): Counter {
  let elapsed = 5_000;
  return {
    windows: createWindowsInMemory(() => elapsed),
    pass: async (milliseconds) => {
      elapsed += milliseconds;
    },
  };
}

/** PostgreSQL has its own clock: the test makes its windows end earlier instead. */
async function inStore(): Promise<Counter> {
  const { counting } = await sharedStore((await emptyDatabase()).url);
  let elapsed = 5_000;
  return {
    windows: createWindowsInStore(counting, () => elapsed),
    pass: async (milliseconds) => {
      elapsed += milliseconds;
      await counting
        .updateTable('failure_windows')
        .set((eb) => ({ ends: eb('ends', '-', milliseconds) }))
        .execute();
    },
    kept: async () => (await counting.selectFrom('failure_windows').selectAll().execute()).length,
  };
}

describe.each<[where: string, make: () => Counter | Promise<Counter>]>([
  ['memory', inMemory],
  ['the store', inStore],
])('places that are counted in %s', (_, make) => {
  let counter: Counter;
  const take = (rule = twice, whose = key) => counter.windows.take(rule, whose);
  const taken = async (count: number, rule = twice, whose = key) => {
    const all = await Promise.all(Array.from({ length: count }, () => take(rule, whose)));
    return all.filter(({ isTaken }) => isTaken).length;
  };
  beforeEach(async () => {
    counter = await make();
  });

  test('are limited by the rule, however many callers ask at once', async () => {
    expect(await taken(50)).toBe(2);
  });

  test('are counted per key and per rule name', async () => {
    expect(await taken(9)).toBe(2);
    expect(await taken(9, twice, '203.0.113.10')).toBe(2);
    expect(await taken(9, { ...twice, name: 'again' })).toBe(2);
  });

  test('are free again when the window of the first one ends', async () => {
    expect(await taken(1)).toBe(1);
    await counter.pass(30_000);
    expect(await taken(9)).toBe(1);
    const { isTaken, wait } = await take();
    expect(isTaken).toBe(false);
    expect(wait).toBeGreaterThan(25_000);
    expect(wait).toBeLessThanOrEqual(30_000);
    await counter.pass(30_001);
    expect(await taken(9)).toBe(2);
  });

  test('are free again when given back, one for each', async () => {
    const { ends } = await take();
    expect(await taken(9)).toBe(1);
    await counter.windows.giveBack(twice, key, ends);
    expect(await taken(9)).toBe(1);
  });

  test('never exceed the rule after all were given back', async () => {
    const { ends } = await take();
    for (let i = 0; i < 5; i += 1) await counter.windows.giveBack(twice, key, ends);
    expect(await taken(9)).toBe(2);
  });

  test('of an expired window do not change the next one', async () => {
    const { ends } = await take();
    await counter.pass(60_001);
    expect(await taken(9)).toBe(2);
    await counter.windows.giveBack(twice, key, ends);
    expect(await taken(9)).toBe(0);
  });

  test('are forgotten after their window', async () => {
    await take();
    await take({ ...twice, name: 'long', seconds: 3_600 });
    await counter.pass(60_001);
    await counter.windows.prune();
    expect((await counter.kept?.()) ?? 1).toBe(1);
    expect(await taken(9, { ...twice, name: 'long', seconds: 3_600 })).toBe(1);
  });
});
