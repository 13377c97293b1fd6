import { expect, test } from 'vitest';
import { createStills, type Still } from '../../../../src/web/screen/stills.ts';
import { handClock } from './hand-clock.ts';

const second = 1_000;

/** @param takes milliseconds of each load */
function wall(count: number, { takes = 100, fails = false } = {}) {
  const hand = handClock();
  const stills = createStills(hand.clock);
  const loads = Array.from({ length: count }, () => 0);
  const state = { open: 0, most: 0, takes, fails, order: [] as number[] };
  const still = (index: number): Still => ({
    every: 4 * second,
    priority: index === 2 ? 0 : 1,
    load: (signal) =>
      new Promise((resolve, reject) => {
        loads[index] = (loads[index] ?? 0) + 1;
        state.order.push(index);
        state.open += 1;
        state.most = Math.max(state.most, state.open);
        const end = (settle: () => void) => {
          state.open -= 1;
          settle();
        };
        const cancel = hand.clock.after(state.takes, () =>
          end(state.fails ? () => reject(new Error('away')) : resolve),
        );
        signal.addEventListener('abort', () => {
          cancel();
          end(() => reject(new Error('aborted')));
        });
      }),
  });
  stills.show(Array.from({ length: count }, (_, index) => still(index)));
  return { ...hand, stills, loads, state };
}

test('loads four at once, the most important first', async () => {
  const { state, pass } = wall(40);
  await pass(10 * second);
  expect(state.most).toBe(4);
  expect(state.order[0]).toBe(2);
});

test('loads each of forty again and again', async () => {
  const { loads, pass } = wall(40);
  await pass(60 * second);
  expect(Math.min(...loads)).toBeGreaterThanOrEqual(11);
});

test('rests as long as a slow answer took', async () => {
  const { loads, pass } = wall(1, { takes: 10 * second });
  await pass(59 * second);
  expect(loads).toEqual([3]);
});

test('waits longer after each failure, and tries again at once when the network is back', async () => {
  const { loads, state, stills, pass } = wall(1, { fails: true });
  await pass(120 * second);
  expect(loads[0]).toBeLessThan(8);
  state.fails = false;
  const former = loads[0] ?? 0;
  stills.retry();
  await pass(second);
  expect(loads[0]).toBe(former + 1);
});

test('leaves nothing open and no timer when it stops', async () => {
  const { state, stills, pass, waiting } = wall(16);
  await pass(10 * second + 50);
  stills.stop();
  await pass(60 * second);
  expect(state.open).toBe(0);
  expect(waiting()).toBe(0);
});

test('holds the same few timers after an hour, with all cameras away in the middle of it', async () => {
  const { state, pass, waiting } = wall(16);
  await pass(1_200 * second);
  state.fails = true;
  await pass(1_200 * second);
  state.fails = false;
  await pass(1_200 * second);
  // One of its own, and one of each load that is under way here.
  expect(waiting()).toBeLessThanOrEqual(5);
  expect(state.most).toBe(4);
});
