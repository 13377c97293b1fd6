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
