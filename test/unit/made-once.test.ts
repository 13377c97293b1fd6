import { expect, test, vi } from 'vitest';
import { madeOnce } from '../../src/made-once.ts';

test('makes something at the first call, and returns it at each', async () => {
  const make = vi.fn(async () => ({}));
  const made = madeOnce(make);
  expect(make).not.toHaveBeenCalled();
  const [first, second] = await Promise.all([made(), made()]);
  expect(second).toBe(first);
  expect(await made()).toBe(first);
  expect(make).toHaveBeenCalledTimes(1);
});

test('tries again at the call after a failure', async () => {
  const make = vi.fn(async () => 'made').mockRejectedValueOnce(new Error('EMFILE'));
  const made = madeOnce(make);
  const failed = [made(), made()];
  for (const each of failed) await expect(each).rejects.toThrow('EMFILE');
  expect(await made()).toBe('made');
  expect(make).toHaveBeenCalledTimes(2);
});
