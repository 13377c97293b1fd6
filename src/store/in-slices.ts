import { setTimeout as pause } from 'node:timers/promises';

// Each blocks the thread for about three milliseconds in SQLite.
export const mostInSlice = 250;

/**
 * Deletes a few rows at a time, so that others can run in between.
 * @param removeSome at most `mostInSlice`. @returns how many there were
 */
export async function inSlices(removeSome: () => Promise<number>, signal?: AbortSignal): Promise<void> {
  const isStopped = () => signal?.aborted === true;
  while (!isStopped() && (await removeSome()) > 0) await pause(10);
}
