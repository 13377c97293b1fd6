/** What time it is. Whoever needs it is given one, so that a test can set it. */
export interface Clock {
  /** @returns milliseconds since the epoch; it may go back, since someone can set the clock of a machine */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** @returns whole seconds, which formats and columns hold, of milliseconds */
export function wholeSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** Calls something later. @returns calls it off */
type After = (milliseconds: number, run: () => void) => () => void;

const afterByClock: After = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};

/** @returns what comes of the work; undefined when it takes longer, and goes on */
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
