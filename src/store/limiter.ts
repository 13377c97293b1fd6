import pLimit from 'p-limit';
import { AppError } from '../errors.ts';

/**
 * Runs a question at once, or queues it.
 * @param known the answer if it is already known: checked first, and again when the question's turn comes, however late
 * @throws AppError `store_unavailable` when its turn comes too late, and what `ask` throws
 */
export type Limiter = <T>(ask: () => Promise<T>, known?: () => T | undefined) => Promise<T>;

// How long a decision may wait for an answer.
const timeoutMs = 800;

// Behind so many, an answer would come too late anyway, unless it becomes known meanwhile.
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
