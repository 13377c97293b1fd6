import type { Timers } from './timers.ts';

/** Milliseconds until the next round: `early` when somebody has asked for it meanwhile. */
export interface Pauses {
  readonly regular: number;
  readonly early: number;
}

/** Does something again and again, never twice at once. */
export interface Rounds {
  /** @param gap milliseconds that have to be between the end of the last round and the next */
  soon(gap: number): void;
  /** The same. @returns settles at the end of the next round that begins, or when there will be none */
  next(gap: number): Promise<void>;
  /** Until somebody asks for a round. */
  stop(): void;
}

/** @param round undefined: there is nothing to do; its answer: when to go on, or undefined: not until somebody asks */
export function createRounds(timers: Timers, round: () => Promise<Pauses | undefined> | undefined): Rounds {
  let isRunning = false;
  let isWanted = false;
  let endedAt = Number.NEGATIVE_INFINITY;
  let due = Number.POSITIVE_INFINITY;
  let callOff = () => {};
  /** Who waits for the end of a round that has not begun. */
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
