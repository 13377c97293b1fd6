/** What happens after a time, by a count of milliseconds that never goes back. */
export interface Timers {
  /** @returns milliseconds since some moment */
  readonly elapsed: () => number;
  /** @returns calls it off */
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
