import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFairShare, type FairShare } from '../../../../src/http/reverse-proxy/fair-share.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const stays = new AbortController().signal;

/** Asks for many places at once. @returns functions for the places given by now, and the results of the others */
async function ask(share: FairShare, client: string, times: number, left: AbortSignal = stays) {
  const given: Array<() => void> = [];
  const waited: boolean[] = [];
  const refused: unknown[] = [];
  const take = async () => {
    const { giveBack, hasWaited } = await share.take(client, { hasLeft: left.aborted, signal: () => left });
    given.push(giveBack);
    waited.push(hasWaited);
  };
  for (let i = 0; i < times; i += 1) void take().catch((error: unknown) => refused.push(error));
  await vi.advanceTimersByTimeAsync(0);
  return { given, waited, refused };
}

describe('a client that wants everything', () => {
  test.each([
    [1, 1],
    [2, 1],
    [8, 4],
    [256, 128],
  ])('of %i places gets %i', async (places, most) => {
    const { given } = await ask(createFairShare(places, 1_000), 'greedy', places);
    expect(given).toHaveLength(most);
  });

  test('leaves some to the next, which does the same', async () => {
    const share = createFairShare(256, 1_000);
    const counts: number[] = [];
    for (const client of ['first', 'second', 'third', 'fourth'])
      counts.push((await ask(share, client, 256)).given.length);
    expect(counts).toEqual([128, 64, 32, 16]);
    expect((await ask(share, 'late', 1)).given).toHaveLength(1);
  });
});

describe('a waiting client', () => {
  test('gets the place that is given back', async () => {
    const share = createFairShare(1, 1_000);
    const first = await ask(share, 'one', 1);
    const second = await ask(share, 'other', 1);
    expect(second.given).toEqual([]);
    first.given[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(second.given).toHaveLength(1);
    expect([first.waited, second.waited]).toEqual([[false], [true]]);
  });

  test('comes first when it holds fewer', async () => {
    const share = createFairShare(2, 1_000);
    const greedy = await ask(share, 'greedy', 1);
    const other = await ask(share, 'other', 1);
    // Before the newcomer.
    const more = await ask(share, 'greedy', 1);
    const newcomer = await ask(share, 'newcomer', 1);
    other.given[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect([more.given.length, newcomer.given.length]).toEqual([0, 1]);
    greedy.given[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(more.given).toHaveLength(1);
  });

  test('gets an error if no place is free in time', async () => {
    const busy: string[] = [];
    const share = createFairShare(1, 1_000, (client) => busy.push(client));
    await ask(share, 'one', 1);
    const { refused } = await ask(share, 'other', 1);
    await vi.advanceTimersByTimeAsync(999);
    expect(refused).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(refused).toEqual([expect.objectContaining({ code: 'upstream_busy', retryAfterSeconds: 5 })]);
    expect(busy).toEqual(['other']);
  });

  test('gets an error immediately if too many wait, and one client cannot fill the queue', async () => {
    const share = createFairShare(8, 1_000);
    const greedy = await ask(share, 'greedy', 100);
    expect([greedy.given.length, greedy.refused.length]).toEqual([4, 92]);
    for (const client of ['a', 'b', 'c']) await ask(share, client, 2);
    const last = await ask(share, 'last', 1);
    expect(last.refused).toEqual([]);
  });

  test('that leaves gets none, and frees its place in the queue', async () => {
    const share = createFairShare(1, 1_000);
    const first = await ask(share, 'one', 1);
    const left = new AbortController();
    const leaving = await ask(share, 'other', 1, left.signal);
    left.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(leaving.refused).toHaveLength(1);
    const next = await ask(share, 'next', 1);
    expect(next.refused).toEqual([]);
    first.given[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect([leaving.given.length, next.given.length]).toEqual([0, 1]);
  });
});

test('a place is given back once, however often it is called', async () => {
  const share = createFairShare(2, 1_000);
  const { given } = await ask(share, 'one', 1);
  given[0]?.();
  given[0]?.();
  expect((await ask(share, 'one', 2)).given).toHaveLength(1);
});

test('a client that has left takes no place', async () => {
  const share = createFairShare(1, 1_000);
  expect((await ask(share, 'one', 1, AbortSignal.abort())).refused).toHaveLength(1);
  expect((await ask(share, 'other', 1)).given).toHaveLength(1);
});
