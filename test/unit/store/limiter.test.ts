import { expect, test } from 'vitest';
import { createLimiter } from '../../../src/store/limiter.ts';

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
