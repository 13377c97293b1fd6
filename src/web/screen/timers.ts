/** A clock and timers, so that tests don't wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** @returns cancels it */
  after(milliseconds: number, work: () => void): () => void;
}

export const browserClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, work) => {
    // A longer wait than 2^31 ms would end at once.
    const timer = setTimeout(work, Math.min(milliseconds, 2_000_000_000));
    return () => clearTimeout(timer);
  },
};
