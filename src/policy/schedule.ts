/** When a custom role is active, as configured: dates and times are in the gate's time zone. */
export interface Schedule {
  /** `2026-12-20`, from the start of the day, or `2026-12-20T18:00`. Absent when there is no start. */
  readonly from?: string | undefined;
  /** As `from`; a day is included. Absent when there is no end. */
  readonly until?: string | undefined;
  /** `07:00-19:00`, of each day, or across midnight: the role is active while local time is in between. */
  readonly hours?: string | undefined;
  /** Hides recordings older than `from`. */
  readonly history?: 'from' | undefined;
}

/** For a schedule that cannot be read. */
export const neverOpen: Schedule = { until: '0001-01-01' };

/** A schedule at one moment. Times are milliseconds since the epoch. */
export interface ScheduleState {
  readonly isOpen: boolean;
  /** The state lasts at least until then; infinite: for good. */
  readonly until: number;
  /** Earlier recordings are hidden. Absent when none are. */
  readonly since?: number | undefined;
  /** Closed because the machine's clock is behind, whatever the schedule says. */
  readonly isClockBehind?: true | undefined;
}

/**
 * A local time that a clock change skips or repeats is read so that the role is active for less time: it begins as late as
 * possible, and ends as early.
 * @param now milliseconds since the epoch
 * @param zone name of a time zone
 * @throws RangeError if a date or time of the schedule is invalid
 */
export function scheduleAt(schedule: Schedule, now: number, zone: string): ScheduleState {
  const { from, until, hours, history } = schedule;
  const begins = from === undefined ? Number.NEGATIVE_INFINITY : beginOf(from, zone);
  const ends = until === undefined ? Number.POSITIVE_INFINITY : endOf(until, zone);
  const since = history === undefined ? undefined : begins;
  if (now >= ends) return { isOpen: false, until: Number.POSITIVE_INFINITY, since };
  if (now < begins) return { isOpen: false, until: begins, since };
  if (hours === undefined) return { isOpen: true, until: ends, since };
  const daily = dailyState(readHours(hours), now, zone);
  return { ...daily, until: Math.min(ends, daily.until), since };
}

/** When closed access opens again. Times are milliseconds since the epoch. */
export interface Opening {
  /** Absent when it never opens. */
  readonly opens?: number | undefined;
  /** If it never opens again: since when it has been closed. Absent when it was never open. */
  readonly closedSince?: number | undefined;
}

/** More than two ranges of hours turn in three days, in which they meet if they ever do, also around a clock change. */
const mostTurns = 16;

/**
 * @param schedules all of which have to be open
 * @returns when they are all open, from `now` on
 * @throws as `scheduleAt`
 */
export function nextOpening(schedules: readonly Schedule[], now: number, zone: string): Opening {
  let at = now;
  for (let turns = 0; turns < mostTurns; turns += 1) {
    const closed = schedules
      .map((schedule) => scheduleAt(schedule, at, zone))
      .filter(({ isOpen }) => !isOpen);
    if (closed.length === 0) return { opens: at };
    at = Math.max(...closed.map(({ until }) => until));
    if (at === Number.POSITIVE_INFINITY) break;
  }
  const closedSince = endsAt(schedules, zone);
  return schedules.every(mayOpen) && closedSince > 0 && closedSince <= now ? { closedSince } : {};
}

/** @returns when the first of these schedules ends for good; infinite if none does. @throws as `scheduleAt` */
export function endsAt(schedules: readonly Schedule[], zone: string): number {
  return Math.min(...schedules.flatMap(({ until }) => (until === undefined ? [] : [endOf(until, zone)])));
}

/** @returns whether a schedule is ever open, in any time zone. @throws as `scheduleAt` */
export function mayOpen({ from, until }: Schedule): boolean {
  return from === undefined || until === undefined || beginOf(from, 'UTC') < endOf(until, 'UTC');
}

/** @returns whether a schedule is never open, and shows nothing, where another is closed. In doubt it is not. @throws as `scheduleAt` */
export function isNoWider(next: Schedule = {}, previous: Schedule = {}): boolean {
  const { from, until, hours, history } = previous;
  const beginsEarlier =
    from !== undefined && (next.from === undefined || beginOf(next.from, 'UTC') < beginOf(from, 'UTC'));
  const endsLater =
    until !== undefined && (next.until === undefined || endOf(next.until, 'UTC') > endOf(until, 'UTC'));
  const hasOtherHours = hours !== undefined && next.hours !== hours;
  const showsEarlier = history !== undefined && next.history === undefined;
  return !(beginsEarlier || endsLater || hasOtherHours || showsEarlier);
}

/** @returns whether a text is a day, optionally with a time */
export function isDateTime(text: string): boolean {
  const [, day = '', time] = dateTime.exec(text) ?? [];
  return isOfCalendar(day) && (time === undefined || clockTime.test(time));
}

/** @returns whether a text is a range of hours that is not empty */
export function isHours(text: string): boolean {
  const [begin = '', end = '', ...rest] = text.split('-');
  const isRange = clockTime.test(begin) && (clockTime.test(end) || end === midnight) && rest.length === 0;
  return isRange && begin !== end;
}

/** @returns the state of a schedule at this moment, which is computed again when it ends */
export type ScheduleStates = (schedule: Schedule) => ScheduleState;

/** @returns when schedules are next open together, in the time zone of the gate */
export type OpeningOf = (schedules: readonly Schedule[]) => Opening;

/** @param clock while it is behind, no schedule is open: the hour and the day are unknown */
export function prepareSchedules(
  clock: { now(): number; readonly isBehind?: () => boolean },
  zone: () => string,
): ScheduleStates {
  const here = zone();
  const found = new WeakMap<Schedule, { readonly at: number; readonly state: ScheduleState }>();
  return (schedule) => {
    const now = clock.now();
    if (clock.isBehind?.() === true)
      return { ...scheduleAt(schedule, now, here), isOpen: false, until: now, isClockBehind: true };
    const last = found.get(schedule);
    // A clock that was set back makes the cached state invalid too.
    if (last !== undefined && now >= last.at && now < last.state.until) return last.state;
    const state = scheduleAt(schedule, now, here);
    found.set(schedule, { at: now, state });
    return state;
  };
}

/** @returns the state in which both are open */
export function bothStates(one: ScheduleState, other: ScheduleState): ScheduleState {
  const since = [one.since, other.since].filter((time) => time !== undefined);
  return {
    isOpen: one.isOpen && other.isOpen,
    until: Math.min(one.until, other.until),
    ...((one.isClockBehind ?? other.isClockBehind) && { isClockBehind: true as const }),
    ...(since.length === 0 ? {} : { since: Math.max(...since) }),
  };
}

/** Minutes of a day. */
interface Daily {
  readonly begin: number;
  readonly end: number;
}

const dateTime = /^(\d{4}-\d{2}-\d{2})(?:T(.+))?$/;
const clockTime = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const midnight = '24:00';

function isOfCalendar(day: string): boolean {
  try {
    Temporal.PlainDate.from(day, { overflow: 'reject' });
    return true;
  } catch {
    return false;
  }
}

function beginOf(text: string, zone: string): number {
  if (!text.includes('T')) return startOf(Temporal.PlainDate.from(text), zone);
  return Temporal.PlainDateTime.from(text).toZonedDateTime(zone, { disambiguation: 'later' })
    .epochMilliseconds;
}

function endOf(text: string, zone: string): number {
  if (!text.includes('T')) return startOf(Temporal.PlainDate.from(text).add({ days: 1 }), zone);
  return Temporal.PlainDateTime.from(text).toZonedDateTime(zone, { disambiguation: 'earlier' })
    .epochMilliseconds;
}

function readHours(text: string): Daily {
  const [begin = 0, end = 0] = text.split('-').map((time) => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    return hours * 60 + minutes;
  });
  return { begin, end };
}

/** Days around a moment: the night before reaches into it, and a clock change can leave out the next one's hours. */
const nearbyDays = [-1, 0, 1, 2, 3] as const;

/** Each date opens from its begin to its end; a date whose hours a clock change leaves out opens not at all. */
function dailyState(daily: Daily, now: number, zone: string): Pick<ScheduleState, 'isOpen' | 'until'> {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate();
  for (const days of nearbyDays) {
    const { begin, end } = hoursOf(today.add({ days }), daily, zone);
    if (begin >= end || end <= now) continue;
    return begin <= now ? { isOpen: true, until: end } : { isOpen: false, until: begin };
  }
  throw new RangeError(`no hours in ${nearbyDays.length} days`);
}

/** As `from` and `until` of that date: of two instants the later one begins, and the earlier one ends. */
function hoursOf(
  date: Temporal.PlainDate,
  { begin, end }: Daily,
  zone: string,
): { readonly begin: number; readonly end: number } {
  const last = end > begin ? date : date.add({ days: 1 });
  return {
    begin: atMinute(date, begin, zone, 'later'),
    end: end === dayMinutes ? startOf(last.add({ days: 1 }), zone) : atMinute(last, end, zone, 'earlier'),
  };
}

const dayMinutes = 24 * 60;

function atMinute(
  date: Temporal.PlainDate,
  minutes: number,
  zone: string,
  disambiguation: 'earlier' | 'later',
): number {
  return date.toPlainDateTime().add({ minutes }).toZonedDateTime(zone, { disambiguation }).epochMilliseconds;
}

function startOf(date: Temporal.PlainDate, zone: string): number {
  return date.toZonedDateTime(zone).epochMilliseconds;
}

/** More than the begins, ends and clock changes of two days. */
const mostSteps = 24;

/**
 * When an open schedule closes, or a closed one opens.
 * @param now milliseconds since the epoch
 * @param zone name of a time zone
 * @returns milliseconds since the epoch; `undefined` if it stays as it is
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
