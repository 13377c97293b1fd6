/** The time. It is a parameter, so that a test can set it. Times are milliseconds since the epoch. */
export interface Clock {
  /** @returns the time by which everything is made and expires; it may go back, since someone can set the clock of a machine */
  now(): number;
  /** Whether the machine's clock shows a time that has surely passed. Absent: unknown. */
  readonly isBehind?: () => boolean;
  /** @returns the latest time that has surely passed; while the clock is behind it stands still. Absent: as `now` */
  readonly certain?: () => number;
  /** @returns what the machine's clock shows. Absent: as `now` */
  readonly machine?: () => number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** @returns whole seconds, which formats and columns hold, of milliseconds */
export function wholeSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

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

const afterByClock: Timers['after'] = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};

/** @returns the result of the work; undefined if it takes longer: then it continues unobserved */
export async function withTimeout<T>(
  work: Promise<T>,
  timeoutMs: number,
  after = afterByClock,
): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const callOff = after(timeoutMs, () => resolve(undefined));
  try {
    return await Promise.race([work, late]);
  } finally {
    callOff();
  }
}
