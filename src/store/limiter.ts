import pLimit from 'p-limit';
import { AppError } from '../errors.ts';

/**
 * Runs what is asked at once, or when it is its turn.
 * @param known the answer where it needs no asking: looked at first, and again when it is its turn, however late that comes
 * @throws AppError `store_unavailable` when its turn comes too late, and what `ask` throws
 */
export type Limiter = <T>(ask: () => Promise<T>, known?: () => T | undefined) => Promise<T>;

// Milliseconds: as long as a decision may wait for an answer.
const timeoutMs = 800;

// Whoever would wait behind so many gets no answer in time anyway, unless it becomes known meanwhile.
const mostWaiting = 1_000;

/** @param most how many may ask at the same time */
export function createLimiter(most: number, elapsed: () => number = () => performance.now()): Limiter {
  const turns = pLimit(most);
  return async (ask, known) => {
    const began = elapsed();
    const found = known?.();
    if (found !== undefined) return found;
    if (known === undefined && turns.pendingCount >= mostWaiting) throw new AppError('store_unavailable');
    return turns(() => {
      const foundMeanwhile = known?.();
      if (foundMeanwhile !== undefined) return foundMeanwhile;
      if (elapsed() - began > timeoutMs) throw new AppError('store_unavailable');
      return ask();
    });
  };
}
