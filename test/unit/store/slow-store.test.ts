import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  momentsBy,
  never,
  readInTime,
  readTogether,
  createLimiter,
  askTogether,
  onceItAnswers,
} from '../../../src/store/slow-store.ts';
import { AppError } from '../../../src/errors.ts';

describe('reading in time', () => {
  test.each([
    ['nothing', 0, 0, true],
    ['less than a second', 999, 999, true],
    ['a second', 1_000, 1_000, false],
    ['a second of sleep, in which only one clock goes on', 0, 1_000, false],
    ['a clock that was set back', 0, -1_000, false],
  ])('after %s', (_, elapsedMs, nowMs, isRecent) => {
    let [elapsed, now] = [5, 50_000];
    const moments = momentsBy({ now: () => now }, { elapsed: () => elapsed });
    const moment = moments.present();
    elapsed += elapsedMs;
    now += nowMs;
    expect(moments.isRecent(moment)).toBe(isRecent);
  });

  test('what was never read is not recent', () => {
    expect(momentsBy({ now: () => 0 }, { elapsed: () => 0 }).isRecent(never)).toBe(false);
  });

  const noTimer = { after: () => () => undefined };
  const atOnce = {
    after: (_: number, call: () => void) => {
      call();
      return () => undefined;
    },
  };

  test.each([
    ['a read that fails', async () => Promise.reject(new Error('away')), noTimer],
    ['a read that takes too long', async () => new Promise<object>(() => undefined), atOnce],
  ])('the store is unavailable by %s', async (_, read, timers) => {
    await expect(readInTime<object>(read, timers)).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  test('those who ask by the same key share one read, and the next ones get another', async () => {
    const keys: number[][] = [];
    const read = readTogether(async (version: number, seen: number) => void keys.push([version, seen]));
    await Promise.all([read(1, 0), read(1, 0), read(1, 2), read(1, 2)]);
    await read(1, 2);
    await Promise.all([read(Number.NaN, 0), read(Number.NaN, 0)]);
    expect(keys).toEqual([
      [1, 0],
      [1, 2],
      [1, 2],
      [Number.NaN, 0],
    ]);
  });

  test('all who share a read get its error', async () => {
    const read = readTogether(() => Promise.reject(new Error('away')));
    const [one, other] = await Promise.allSettled([read(), read()]);
    expect([one.status, other.status]).toEqual(['rejected', 'rejected']);
  });
});

describe('in turns', () => {
  const unavailable = { code: 'store_unavailable' };

  /** Runs one at a time; the first slot is taken until the test frees it. */
  async function takenTurns() {
    let elapsed = 0;
    const inTurn = createLimiter(1, () => elapsed);
    const begun = Promise.withResolvers<void>();
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = inTurn(() => {
      begun.resolve();
      return promise;
    });
    await begun.promise;
    return {
      inTurn,
      endAfter: (milliseconds: number) => {
        elapsed += milliseconds;
        resolve('first');
        return first;
      },
    };
  }

  test('a waiting question runs when its turn comes, and is rejected when that is too late', async () => {
    for (const [wait, answer] of [
      [800, 'asked'],
      [801, 'store_unavailable'],
    ] as const) {
      const { inTurn, endAfter } = await takenTurns();
      const waiting = inTurn(async () => 'asked').catch(({ code }: { code: string }) => code);
      await endAfter(wait);
      expect(await waiting, `after ${wait} ms`).toBe(answer);
    }
  });

  test('returns a known answer without asking, even one that becomes known while waiting', async () => {
    const { inTurn, endAfter } = await takenTurns();
    let known: string | undefined = 'known';
    const recall = () => known;
    const ask = () => expect.unreachable();
    expect(await inTurn(ask, recall)).toBe('known');
    known = undefined;
    const waiting = inTurn(ask, recall);
    known = 'known meanwhile';
    await endAfter(801);
    expect(await waiting).toBe('known meanwhile');
  });

  test('lets a thousand wait, and more only for answers that may become known', async () => {
    const { inTurn, endAfter } = await takenTurns();
    const ask = async () => 'asked';
    const waiting = Array.from({ length: 1_000 }, () => inTurn(ask));
    await expect(inTurn(ask)).rejects.toMatchObject(unavailable);
    const hopeful = inTurn(ask, () => undefined);
    await endAfter(0);
    expect(await Promise.all([...waiting, hopeful])).toEqual(Array(1_001).fill('asked'));
  });
});

describe('asking together', () => {
  /** A store that answers when the test lets it. */
  function store() {
    const queries: Array<{
      readonly keys: readonly string[];
      readonly answer: () => void;
      fail: () => void;
    }> = [];
    const ask = askTogether<string, string>(String, (keys) => {
      const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, string>>();
      const known = keys.filter((key) => key !== 'unknown');
      queries.push({
        keys,
        answer: () => resolve(new Map(known.map((key) => [key, `found ${key}`]))),
        fail: () => reject(new Error('away')),
      });
      return promise;
    });
    return { ask, queries };
  }

  test('asks once for all keys requested in one turn, each key once', async () => {
    const { ask, queries } = store();
    const found = Promise.all(['a', 'b', 'a', 'unknown'].map(ask));
    await nextTurn();
    expect(queries.map(({ keys }) => keys)).toEqual([['a', 'b', 'unknown']]);
    queries[0]?.answer();
    expect(await found).toEqual(['found a', 'found b', 'found a', undefined]);
  });

  test('adds keys requested during two queries to the next one, even the same keys', async () => {
    const { ask, queries } = store();
    const found = [ask('a')];
    await nextTurn();
    found.push(ask('b'));
    await nextTurn();
    for (const key of ['a', 'c', 'd']) {
      found.push(ask(key));
      await nextTurn();
    }
    expect(queries.map(({ keys }) => keys)).toEqual([['a'], ['b']]);
    queries[0]?.answer();
    await found[0];
    await nextTurn();
    expect(queries.map(({ keys }) => keys)).toEqual([['a'], ['b'], ['a', 'c', 'd']]);
    for (const { answer } of queries) answer();
    expect(await Promise.all(found)).toEqual(['found a', 'found b', 'found a', 'found c', 'found d']);
  });

  test('asks for at most 500 keys per query', async () => {
    const { ask, queries } = store();
    const found = Promise.all(Array.from({ length: 1_100 }, (_, n) => ask(String(n))));
    for (let asked = 0; asked < 3; asked += 1) {
      while (queries.length <= asked) await nextTurn();
      queries[asked]?.answer();
    }
    expect(queries.map(({ keys }) => keys.length)).toEqual([500, 500, 100]);
    expect((await found).every((text, n) => text === `found ${n}`)).toBe(true);
  });

  test('answers many callers of one key in several turns', async () => {
    const { ask, queries } = store();
    let answered = 0;
    const found = Promise.all(Array.from({ length: 100 }, () => ask('a').then(() => (answered += 1))));
    await nextTurn();
    queries[0]?.answer();
    await nextTurn();
    expect(answered).toBeGreaterThan(0);
    expect(answered).toBeLessThan(100);
    await found;
  });

  test('a failed query rejects only the callers that waited for it', async () => {
    const { ask, queries } = store();
    const failed = Promise.allSettled([ask('a'), ask('b')]);
    await nextTurn();
    queries[0]?.fail();
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const found = ask('a');
    await nextTurn();
    queries[1]?.answer();
    expect(await found).toBe('found a');
  });
});

describe('until it answers', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  test('reads again while the store does not answer', async () => {
    const read = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(new AppError('store_unavailable'))
      .mockResolvedValue('users');
    expect(await onceItAnswers(read)).toBe('users');
    expect(read).toHaveBeenCalledTimes(2);
  });

  test.each([
    ['another error is thrown at once', new AppError('forbidden'), 0],
    ['a store that stays away is an error', new AppError('store_unavailable'), 30_001],
  ])('%s', async (_, error, passedMs) => {
    const read = vi.fn<() => Promise<string>>(() => {
      vi.advanceTimersByTime(passedMs);
      return Promise.reject(error);
    });
    await expect(onceItAnswers(read)).rejects.toBe(error);
    expect(read).toHaveBeenCalledTimes(1);
  });
});
