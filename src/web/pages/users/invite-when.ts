import { localTime } from '../../ui/time-text.ts';
import type { Schedule } from '../../ui/roles/schedule.ts';

/** The choices for the time of an invitation. */
export type When = 'weekend' | 'week' | 'always' | 'dates';

// Milliseconds.
const day = 86_400_000;

/**
 * The weekend that is under way, or comes next: from Friday at six in the evening to Sunday at ten.
 * @param now milliseconds since the epoch
 */
export function weekendFrom(now: number): Required<Pick<Schedule, 'from' | 'until'>> {
  const date = new Date(now);
  const sunday = new Date(
    date.getFullYear(),
    date.getMonth(),
    date.getDate() + ((7 - date.getDay()) % 7),
    22,
  );
  // Sunday night belongs to the week.
  const end = sunday.getTime() <= now ? new Date(sunday.getTime() + 7 * day) : sunday;
  const begin = new Date(end.getFullYear(), end.getMonth(), end.getDate() - 2, 18);
  return { from: localTime(begin.getTime()), until: localTime(end.getTime()) };
}

/**
 * @param now milliseconds since the epoch
 * @param dates as the fields have them
 * @param showsRecordings earlier ones are hidden
 * @returns the schedule of the role; undefined: always. Null: the dates are missing or turned around
 */
export function scheduleFor(
  when: When,
  now: number,
  dates: { readonly from: string; readonly until: string },
  showsRecordings: boolean,
): Schedule | undefined | null {
  if (when === 'always') return undefined;
  const history = showsRecordings ? ({ history: 'from' } as const) : {};
  if (when === 'weekend') return { ...weekendFrom(now), ...history };
  if (when === 'week') return { from: localTime(now), until: localTime(now + 7 * day), ...history };
  const { from, until } = dates;
  return from === '' || until === '' || until <= from ? null : { from, until, ...history };
}

/** Seconds: the longest that the gate allows, and what it takes without an end. */
const longest = 2_592_000;
const usual = 604_800;

/** @returns for how many seconds the link is valid: no longer than the access itself */
export function linkLife(schedule: Schedule | undefined, now: number): number {
  if (schedule?.until === undefined) return usual;
  const left = Math.floor((new Date(schedule.until).getTime() - now) / 1000);
  return Math.max(60, Math.min(longest, left));
}
