/** What time it is. Whoever needs it is given one, so that a test can set it. */
export interface Clock {
  /** @returns milliseconds since the epoch; it may go back, since somebody can set the clock of a machine */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** @returns whole seconds, which formats and columns hold, of milliseconds */
export function wholeSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
