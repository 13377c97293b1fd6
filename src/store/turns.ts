import pLimit from 'p-limit';
import { AppError } from '../errors.ts';

/** Runs what is asked at once, or when it is its turn. @throws AppError `store_unavailable` when that comes too late, and what `ask` throws */
export type InTurn = <T>(ask: () => Promise<T>) => Promise<T>;

// Milliseconds: as long as a decision may wait for an answer.
const patience = 800;

// Whoever would wait behind so many gets no answer in time anyway.
const mostWaiting = 1_000;

/** @param most how many may ask at the same time */
export function createTurns(most: number, elapsed: () => number = () => performance.now()): InTurn {
  const turns = pLimit(most);
  return async (ask) => {
    const began = elapsed();
    if (turns.pendingCount >= mostWaiting) throw new AppError('store_unavailable');
    return turns(() => {
      if (elapsed() - began > patience) throw new AppError('store_unavailable');
      return ask();
    });
  };
}
