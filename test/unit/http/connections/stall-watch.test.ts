import { expect, test } from 'vitest';
import { createStallWatch, slowest } from '../../../../src/http/connections/stall-watch.ts';

/** Looks once a second, for as long as there are samples. @returns after how many seconds it was stalled */
function stalledAfter(samples: ReadonlyArray<readonly [isWaiting: boolean, moved: number]>, limit = 3_000) {
  const watch = createStallWatch();
  const second = samples.findIndex(([isWaiting, moved], at) =>
    watch.isStalled(isWaiting, moved, at * 1_000, limit),
  );
  return second === -1 ? undefined : second;
}

const seconds = (count: number, sample: (second: number) => readonly [boolean, number]) =>
  Array.from({ length: count }, (_, second) => sample(second));

test.each<[name: string, Parameters<typeof stalledAfter>[0], after: number | undefined]>([
  ['nothing moves', seconds(9, () => [true, 100]), 3],
  ['not waited for', seconds(9, () => [false, 100]), undefined],
  ['a byte now and then', seconds(9, (second) => [true, second]), 3],
  ['slow, but moving', seconds(9, (second) => [true, second * slowest]), undefined],
  ['a little too slow', seconds(9, (second) => [true, second * (slowest - 1)]), 3],
  ['waited for again', seconds(9, (second) => [second !== 2, 100]), 6],
  ['went on, then stopped', seconds(9, (second) => [true, Math.min(second, 4) * 10_000]), 7],
])('%s', (_, samples, after) => {
  expect(stalledAfter(samples)).toBe(after);
});
