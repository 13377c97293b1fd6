import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Looks at a counter in each turn of the event loop until the work has come to its end.
 * @returns how much it grew in one turn, at most
 */
export async function mostInOneTurn(work: Promise<unknown>, counter: () => number): Promise<number> {
  const state = { settled: false };
  const settle = () => {
    state.settled = true;
  };
  work.then(settle, settle);
  let most = 0;
  let before = counter();
  while (!state.settled) {
    await nextTurn();
    most = Math.max(most, counter() - before);
    before = counter();
  }
  return most;
}
