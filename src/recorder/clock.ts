/** Milliseconds that never go back, and what happens after some of them. */
export interface Clock {
  readonly now: () => number;
  /** @returns calls it off */
  readonly after: (milliseconds: number, run: () => void) => () => void;
}

/** It keeps no process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};
