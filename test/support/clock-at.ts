import type { Clock } from '../../src/clock.ts';

/** A clock that has stopped. @param time milliseconds since the epoch */
export const clockAt = (time: number): Clock => ({ now: () => time });
