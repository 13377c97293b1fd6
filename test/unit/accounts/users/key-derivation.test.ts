import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createKeyDerivation } from '../../../../src/accounts/users/key-derivation.ts';

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

test('its threads give way to decisions, but not to every other program of the machine', async () => {
  await createKeyDerivation().derive(job);
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  expect(Math.max(...threadPriorities())).toBe(Math.max(getPriority(), PRIORITY_BELOW_NORMAL));
});

/** Nice values: the 19th field of proc_pid_stat(5). The second one, in parentheses, may have spaces. */
function threadPriorities(): number[] {
  return readdirSync('/proc/self/task').flatMap((id) => {
    try {
      const [, fields = ''] = readFileSync(`/proc/self/task/${id}/stat`, 'utf8').split(') ');
      return [Number(fields.split(' ')[16])];
    } catch {
      // The thread has ended since.
      return [];
    }
  });
}
