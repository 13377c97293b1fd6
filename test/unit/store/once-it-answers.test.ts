import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { onceItAnswers } from '../../../src/store/once-it-answers.ts';

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
