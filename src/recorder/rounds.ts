import type { Timers } from '../clock.ts';

/** Milliseconds until the next round: `early` when one was requested meanwhile. */
export interface Pauses {
  readonly regular: number;
  readonly early: number;
}

/** Repeats a task, never twice at once. */
export interface Rounds {
  /** @param gap milliseconds required between the end of the last round and the next */
  soon(gap: number): void;
  /** As `soon`. @returns settles at the end of the next round that begins, or when there will be none */
  next(gap: number): Promise<void>;
  /** Until a round is requested. */
  stop(): void;
}

/** @param round returns `undefined` if there is nothing to do; it resolves to the pauses, or to `undefined` to wait for a request */
export function createRounds(timers: Timers, round: () => Promise<Pauses | undefined> | undefined): Rounds {
  let isRunning = false;
  let isWanted = false;
  let endedAt = Number.NEGATIVE_INFINITY;
  let due = Number.POSITIVE_INFINITY;
  let callOff = () => {};
  /** Callers that wait for the end of a round that has not begun. */
  let waiting: Array<() => void> = [];

  const settle = () => {
    for (const end of waiting.splice(0)) end();
  };
  const plan = (delay: number) => {
    callOff();
    due = timers.elapsed() + delay;
    callOff = timers.after(delay, () => void run());
  };
  const run = async () => {
    due = Number.POSITIVE_INFINITY;
    const running = round();
    if (running === undefined) return settle();
    const ending = waiting.splice(0);
    isRunning = true;
    const pauses = await running;
    isRunning = false;
    endedAt = timers.elapsed();
    for (const end of ending) end();
    if (pauses === undefined) return;
    plan(isWanted ? pauses.early : pauses.regular);
    isWanted = false;
  };
  const soon = (gap: number) => {
    if (isRunning) {
      isWanted = true;
      return;
    }
    const delay = Math.max(0, endedAt + gap - timers.elapsed());
    if (timers.elapsed() + delay < due) plan(delay);
  };
  return {
    soon,
    next: (gap) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        soon(gap);
      }),
    stop: () => {
      callOff();
      settle();
    },
  };
}
