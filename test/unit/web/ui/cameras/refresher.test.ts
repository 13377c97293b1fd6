import { beforeEach, describe, expect, test } from 'vitest';
import { createRefresher, type Timers } from '../../../../../src/web/ui/cameras/refresher.ts';

let now = 0;
let waiting: Array<{ at: number; work: () => void }> = [];
const timers: Timers = {
  now: () => now,
  after: (milliseconds, work) => {
    const entry = { at: now + milliseconds, work };
    waiting.push(entry);
    return () => void (waiting = waiting.filter((other) => other !== entry));
  },
};

/** Lets settled promises run their callbacks. */
const settle = async () => {
  for (let i = 0; i < 10; i += 1) await Promise.resolve();
};
async function pass(milliseconds: number): Promise<void> {
  const end = now + milliseconds;
  for (;;) {
    const next = waiting.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
    if (next === undefined) break;
    waiting = waiting.filter((other) => other !== next);
    now = next.at;
    next.work();
    await settle();
  }
  now = end;
}

interface Begun {
  readonly key: string;
  readonly at: number;
  readonly signal: AbortSignal;
  readonly end: (failure?: Error) => Promise<void>;
}
let begun: Begun[] = [];
const loadOf = (key: string) => (signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const end = async (failure?: Error) => {
      if (failure === undefined) resolve();
      else reject(failure);
      await settle();
    };
    signal.addEventListener('abort', () => reject(new Error('given up')));
    begun.push({ key, at: now, signal, end });
  });
const last = () => begun.at(-1) as Begun;
const keys = () => begun.map(({ key }) => key);
const refused = new Error('forbidden');
const refresher = () =>
  createRefresher({
    every: 1_000,
    worst: 60_000,
    parallel: 2,
    isFinal: (error) => error === refused,
    timers,
  });

beforeEach(() => {
  now = 0;
  waiting = [];
  begun = [];
});

describe('what is in view', () => {
  test('is loaded at once, and again some time after the former load', async () => {
    refresher().show('a', loadOf('a'));
    expect(begun).toHaveLength(1);
    await pass(10_000);
    expect(begun).toHaveLength(1);
    await last().end();
    await pass(999);
    expect(begun).toHaveLength(1);
    await pass(1);
    expect(begun).toHaveLength(2);
  });

  test('is loaded a few at a time, each in its turn', async () => {
    const all = refresher();
    const names = Array.from({ length: 100 }, (_, i) => String(i));
    for (const name of names) all.show(name, loadOf(name));
    expect(keys()).toEqual(['0', '1']);
    for (let i = 0; i < 100; i += 1) await begun[i]?.end();
    expect(keys().slice(0, 100)).toEqual(names);
    // None twice before each was loaded once.
    await pass(1_000);
    expect(keys().slice(100)).toEqual(['0', '1']);
  });

  test('is not loaded sooner by leaving and returning to view', async () => {
    const all = refresher();
    const hide = all.show('a', loadOf('a'));
    await last().end();
    hide();
    await pass(400);
    all.show('a', loadOf('a'));
    expect(begun).toHaveLength(1);
    await pass(600);
    expect(begun).toHaveLength(2);
  });

  test('is loaded again after an abort only once the former load has ended', async () => {
    const all = refresher();
    all.show('a', loadOf('a'))();
    all.show('a', loadOf('a'));
    expect(begun).toHaveLength(1);
    await settle();
    expect(begun).toHaveLength(2);
  });
});

describe('what is out of view', () => {
  test('is aborted, and not loaded again', async () => {
    const hide = refresher().show('a', loadOf('a'));
    hide();
    expect(last().signal.aborted).toBe(true);
    await pass(60_000);
    expect(begun).toHaveLength(1);
  });

  test('frees its place for others', async () => {
    const all = refresher();
    const hide = all.show('a', loadOf('a'));
    for (const key of ['b', 'c']) all.show(key, loadOf(key));
    expect(keys()).toEqual(['a', 'b']);
    hide();
    await settle();
    expect(keys()).toEqual(['a', 'b', 'c']);
  });
});

describe('while the page is hidden', () => {
  test('nothing is loaded, and running loads are aborted', async () => {
    const all = refresher();
    all.show('a', loadOf('a'));
    all.pause();
    expect(last().signal.aborted).toBe(true);
    all.show('b', loadOf('b'));
    await pass(60_000);
    await settle();
    expect(keys()).toEqual(['a']);
    all.resume();
    expect(keys().toSorted()).toEqual(['a', 'a', 'b']);
  });
});

describe('what fails', () => {
  test('waits longer each time, up to a limit, and normally again after a success', async () => {
    refresher().show('a', loadOf('a'));
    const waits: number[] = [];
    for (let i = 0; i < 8; i += 1) {
      await last().end(new Error('no picture'));
      const before = now;
      await pass(120_000);
      waits.push(last().at - before);
    }
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    await last().end();
    const before = now;
    await pass(1_000);
    expect(last().at - before).toBe(1_000);
  });

  test('does not count an abort as a failure', async () => {
    const all = refresher();
    all.show('a', loadOf('a'));
    all.pause();
    await settle();
    all.resume();
    expect(begun).toHaveLength(2);
  });

  test('for good is retried only when the user comes back', async () => {
    const all = refresher();
    all.show('a', loadOf('a'));
    await last().end(refused);
    await pass(600_000);
    expect(begun).toHaveLength(1);
    all.pause();
    all.resume();
    expect(begun).toHaveLength(2);
    await last().end();
    await pass(1_000);
    expect(begun).toHaveLength(3);
  });

  test('is retried at once when the network is back; what succeeded is not', async () => {
    const all = refresher();
    all.show('a', loadOf('a'));
    all.show('b', loadOf('b'));
    await begun[0]?.end(new Error('no network'));
    await begun[1]?.end();
    all.retry();
    expect(keys()).toEqual(['a', 'b', 'a']);
  });
});
