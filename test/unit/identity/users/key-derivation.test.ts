import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createKeyDerivation } from '../../../../src/identity/users/key-derivation.ts';

const job = { password: 'secret', salt: 'salt', iterations: 1, keyLength: 32 };

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('ends a thread after half a minute without work, and starts another when needed', async () => {
  const begin = vi.spyOn(Worker.prototype, 'postMessage');
  const end = vi.spyOn(Worker.prototype, 'terminate');
  const { derive } = createKeyDerivation();
  const key = await derive(job);
  // Threads that other tests have left behind end in their own time.
  const ended = () => end.mock.contexts.filter((worker) => worker === begin.mock.contexts[0]).length;
  vi.advanceTimersByTime(29_999);
  await derive(job);
  vi.advanceTimersByTime(29_999);
  expect(ended()).toBe(0);
  vi.advanceTimersByTime(1);
  expect(ended()).toBe(1);
  expect(await derive(job)).toEqual(key);
});
