import type { Schedule } from '../roles/schedule.ts';
import { dayAfter } from '../days.ts';
import { instantOf, wallTime } from '../time-text.ts';

/** The choices for the time of an invitation. */
export type When = 'weekend' | 'week' | 'always' | 'dates';

interface WhenFields {
  readonly when: When;
  /** `2026-12-20T18:00`, or empty; only `dates` needs both. */
  readonly from: string;
  readonly until: string;
}

// Milliseconds.
const day = 86_400_000;

/**
 * The weekend that is under way, or comes next: from Friday at six in the evening to Sunday at ten.
 * @param now milliseconds since the epoch
 * @param zone in which the schedule is
 */
export function weekendFrom(now: number, zone: string): Required<Pick<Schedule, 'from' | 'until'>> {
  const wall = wallTime(now, zone);
  const today = wall.slice(0, 10);
  const toSunday = (7 - new Date(`${today}Z`).getUTCDay()) % 7;
  // Sunday night belongs to the week.
  const sunday = `${dayAfter(today, toSunday)}T22:00` <= wall ? toSunday + 7 : toSunday;
  return { from: `${dayAfter(today, sunday - 2)}T18:00`, until: `${dayAfter(today, sunday)}T22:00` };
}

/**
 * @param showsRecordings whether the role may see recordings: then earlier ones are hidden
 * @param now milliseconds since the epoch
 * @param zone in which the schedule is
 * @returns the schedule of the role, `undefined` if it is always active, or null if dates are missing or in the wrong order
 */
export function scheduleFor(
  { when, from, until }: WhenFields,
  showsRecordings: boolean,
  now: number,
  zone: string,
): Schedule | undefined | null {
  if (when === 'always') return undefined;
  const history = showsRecordings ? ({ history: 'from' } as const) : {};
  if (when === 'weekend') return { ...weekendFrom(now, zone), ...history };
  if (when === 'week') return { from: wallTime(now, zone), until: wallTime(now + 7 * day, zone), ...history };
  return from === '' || until === '' || until <= from ? null : { from, until, ...history };
}

/** Seconds: the longest that Postern allows, and its default without an end. */
const longest = 2_592_000;
const usual = 604_800;

/** @returns for how many seconds the link is valid: no longer than the access itself */
export function linkLife(schedule: Schedule | undefined, now: number, zone: string): number {
  if (schedule?.until === undefined) return usual;
  const left = Math.floor((instantOf(schedule.until, zone) - now) / 1000);
  return Math.max(60, Math.min(longest, left));
}
