import { expect, test, vi } from 'vitest';
import { withTimeout } from '../../src/clock.ts';

test('work that is done in time returns its result, and leaves no timer', async () => {
  const callOff = vi.fn<() => void>();
  expect(await withTimeout(Promise.resolve('done'), 1_000, () => callOff)).toBe('done');
  await expect(withTimeout(Promise.reject(new Error('no')), 1_000, () => callOff)).rejects.toThrow('no');
  expect(callOff).toHaveBeenCalledTimes(2);
});

test('work that takes longer returns nothing, and its later failure is no one’s', async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  expect(await withTimeout(promise, 1)).toBeUndefined();
  reject(new Error('too late'));
  await new Promise(setImmediate);
});
