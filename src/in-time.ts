/** Waits for work, and no longer than that. @param patience milliseconds @returns undefined when the time is over; the work goes on */
export async function inTime<T>(work: Promise<T>, patience: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, patience, undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
