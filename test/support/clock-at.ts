import type { Clock } from '../../src/clock.ts';

/** A stopped clock. @param time milliseconds since the epoch */
export const clockAt = (time: number): Clock => ({ now: () => time });
