import { expect, test } from 'vitest';
import { inSlices } from '../../../src/store/in-slices.ts';

test('others run between two slices, and it ends with the first empty one, or when it is stopped', async () => {
  const order: string[] = [];
  const removing = (counts: number[]) => async () => {
    order.push('slice');
    setImmediate(() => order.push('other'));
    return counts.shift() ?? 0;
  };
  await inSlices(removing([250, 250]));
  expect(order.slice(0, 5)).toEqual(['slice', 'other', 'slice', 'other', 'slice']);
  const stop = new AbortController();
  let slices = 0;
  await inSlices(async () => {
    slices += 1;
    if (slices === 2) stop.abort();
    return 250;
  }, stop.signal);
  expect(slices).toBe(2);
});
