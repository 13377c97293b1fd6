/** Timeouts by a monotonic clock of milliseconds. */
export interface Timers {
  /** @returns milliseconds since an arbitrary moment */
  readonly elapsed: () => number;
  /** @returns cancels it */
  readonly after: (milliseconds: number, run: () => void) => () => void;
}

/** They keep no process alive. */
export const systemTimers: Timers = {
  elapsed: () => performance.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};
