import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../errors.ts';

// Milliseconds.
const answerTimeoutMs = 30_000;
const pauseMs = 500;

/**
 * Reads from a store that is slow for a while, as it is when whole machines start at once.
 * @param read changes nothing
 * @throws what `read` throws: at once, or `store_unavailable` after 30 s
 */
export async function onceItAnswers<T>(read: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + answerTimeoutMs;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      const isAway = error instanceof AppError && error.code === 'store_unavailable';
      if (!isAway || performance.now() > deadline) throw error;
    }
    await wait(pauseMs);
  }
}
