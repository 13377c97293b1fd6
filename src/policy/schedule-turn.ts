import { scheduleAt, type Schedule } from './schedule.ts';

/** More than the begins, ends and clock changes of two days. */
const mostSteps = 24;

/**
 * When an open schedule closes, or a closed one opens.
 * @param now milliseconds since the epoch
 * @param zone name of a time zone
 * @returns milliseconds since the epoch; undefined: it stays as it is
 * @throws as `scheduleAt`
 */
export function turnOf(schedule: Schedule, now: number, zone: string): number | undefined {
  const { isOpen, until } = scheduleAt(schedule, now, zone);
  let next = until;
  for (let step = 0; step < mostSteps && Number.isFinite(next); step += 1) {
    const state = scheduleAt(schedule, next, zone);
    if (state.isOpen !== isOpen) return next;
    next = state.until;
  }
  return undefined;
}
