import type { Clock, Timers } from '../clock.ts';

/**
 * The machine's clock, compared with the latest time that has surely passed. A machine without a clock battery starts in the past:
 * until its clock is set, time goes on from the latest trusted one, so that nothing that has ended is valid again.
 *
 * Example: Postern last ran on Friday at 18:00, and starts with a clock of 2020. `now` is Friday 18:00 and goes on, `isBehind` is
 * true. At 18:10 the network sets the clock to Saturday: `now` is Saturday, and `isBehind` false.
 */
export interface TrustedClock extends Required<Clock> {
  /** Takes a time that has passed, as another gate knows it. */
  learn(time: number): void;
  /** Forgets the latest time: it was ahead, and this one is right. */
  reset(time: number): void;
  /** @returns the time to save for the next start */
  latest(): number;
  /** Whether the machine's clock was more than a day ahead of the last saved time when this began. */
  readonly beganAhead: boolean;
}

export interface TrustedClockOptions {
  readonly machine: Pick<Clock, 'now'>;
  readonly elapsed: Timers['elapsed'];
  /** The latest time that was saved, in milliseconds since the epoch. Absent: Postern has never run. */
  readonly last: number | undefined;
}

// Milliseconds.
const minute = 60_000;
/** A clock that is set back by less was corrected: time stands still until it has caught up. */
const tolerance = 5 * minute;
const day = 1_440 * minute;
/** Postern may be off for as long as a holiday lasts. */
const longestAbsence = 31 * day;

/** @returns for how long a clock has to stay so far ahead before it is trusted. @param ahead infinite: nothing is known */
function waitFor(ahead: number, isStart: boolean): number {
  if (ahead === Number.POSITIVE_INFINITY) return 0;
  if (ahead > longestAbsence) return day;
  return isStart || ahead <= day ? 0 : minute;
}

export function createTrustedClock({ machine, elapsed, last }: TrustedClockOptions): TrustedClock {
  const beganAhead = last !== undefined && machine.now() - last > day;
  /** The latest trusted time, and when it was that, by the monotonic clock. */
  let latest = { time: last ?? Number.NEGATIVE_INFINITY, at: Math.floor(elapsed()) };
  let isFirst = true;
  /** Since when the machine's clock has been so far ahead that it has to wait. */
  let aheadSince: number | undefined;

  const look = (): { readonly now: number; readonly isBehind: boolean; readonly sure: number } => {
    // The monotonic clock has fractions of a millisecond, which no date takes.
    const [shown, at] = [machine.now(), Math.floor(elapsed())];
    const passed = latest.time + (at - latest.at);
    if (shown < passed - tolerance && shown < latest.time) {
      aheadSince = undefined;
      isFirst = false;
      return { now: passed, isBehind: true, sure: passed };
    }
    // A clock that is ahead by mistake must not close everything afterwards.
    const wait = waitFor(shown - passed, isFirst);
    isFirst = false;
    aheadSince = wait === 0 ? undefined : (aheadSince ?? at);
    if (aheadSince !== undefined && at - aheadSince < wait)
      return { now: shown, isBehind: false, sure: passed };
    aheadSince = undefined;
    latest = { time: Math.max(latest.time, shown), at };
    return { now: latest.time, isBehind: false, sure: latest.time };
  };

  return {
    now: () => look().now,
    isBehind: () => look().isBehind,
    certain: () => {
      const { now, isBehind } = look();
      return isBehind ? latest.time : now;
    },
    machine: () => machine.now(),
    learn: (time) => {
      if (time > look().sure) latest = { time, at: Math.floor(elapsed()) };
    },
    reset: (time) => {
      latest = { time, at: Math.floor(elapsed()) };
      aheadSince = undefined;
    },
    latest: () => look().sure,
    beganAhead,
  };
}
