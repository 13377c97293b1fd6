import { fieldOf } from '../forms/form-action.ts';
import { FormProblem, type User } from '../../api-client.ts';
import { text, fill, locale, plural } from '../../text.ts';
import { inZone, gateZone, wallTime } from '../time-text.ts';

/** The schedule of a role, in Postern's time zone. */
export interface Schedule {
  /** `2026-12-20`, or `2026-12-20T18:00`. */
  readonly from?: string | undefined;
  /** As `from`; a day is the last one. */
  readonly until?: string | undefined;
  /** `07:00-19:00` */
  readonly hours?: string | undefined;
  /** Recordings older than `from` are hidden. */
  readonly history?: 'from' | undefined;
}

/** Reads the fields of `ScheduleFields`; an empty schedule is always active. @throws FormProblem */
export function scheduleIn(form: FormData): Schedule {
  const words = text.roleDialogs.schedule;
  const moment = (name: string) => {
    const [day, time] = [fieldOf(form, `${name}-day`), fieldOf(form, `${name}-time`)];
    if (day === '' && time !== '') throw new FormProblem(words.timeWithoutDay);
    return time === '' ? day : `${day}T${time.slice(0, 5)}`;
  };
  const [from, until] = [moment('from'), moment('until')];
  const [begin, end] = [fieldOf(form, 'hours-begin'), fieldOf(form, 'hours-end')];
  if ((begin === '') !== (end === '')) throw new FormProblem(words.halfHours);
  if (begin !== '' && begin === end) throw new FormProblem(words.noHours);
  // A day counts to its last minute, so `from` and `until` on the same day make a whole one.
  if (from !== '' && until !== '' && (until.includes('T') ? until : `${until}T24:00`) <= from)
    throw new FormProblem(words.endsFirst);
  return {
    ...(from === '' ? {} : { from }),
    ...(until === '' ? {} : { until }),
    ...(begin === '' ? {} : { hours: `${begin.slice(0, 5)}-${end.slice(0, 5)}` }),
    ...(from !== '' && fieldOf(form, 'history') === 'hidden' ? { history: 'from' as const } : {}),
  };
}

/**
 * @param showsRecordings whether the role may see recordings at all
 * @param zone of the schedule, which the text names where the browser's is another
 * @returns a schedule as text, such as "until 5 January, 07:00 to 19:00"
 */
export function scheduleText(
  { from, until, hours, history }: Schedule,
  showsRecordings: boolean,
  zone: string,
  now = new Date(),
): string {
  const words = text.schedules;
  const [begin, end] = hours?.split('-') ?? [];
  const earlier =
    from && showsRecordings && (history === 'from' ? words.earlierHidden : words.earlierVisible);
  const times = [
    from && fill(words.from, { moment: momentOf(from, now) }),
    until && fill(words.until, { moment: momentOf(until, now) }),
    begin && end && fill(words.hours, { begin: timeOf(begin), end: timeOf(end) }),
  ]
    .filter(Boolean)
    .join(', ');
  return [inZone(times, zone), earlier].filter(Boolean).join(', ');
}

/**
 * Times are in Postern's time zone, and are not converted to the browser's.
 * @param moment `2026-12-20`, or `2026-12-20T18:00`
 */
export function momentOf(moment: string, now: Date): string {
  const [day = '', time] = moment.split('T');
  const isThisYear = day.startsWith(`${now.getFullYear()}-`);
  const date = format(`${day}T00:00`, {
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
  });
  return time === undefined ? date : fill(text.schedules.at, { day: date, time: timeOf(time) });
}

function timeOf(time: string): string {
  return format(`2000-01-01T${time === '24:00' ? '00:00' : time}`, { timeStyle: 'short' });
}

function format(written: string, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(`${written}Z`);
  return Number.isNaN(date.getTime())
    ? written
    : new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(date);
}

/** @returns what a role gives that was made for one person, such as "2 cameras, until 29 November at 22:00" */
export function ownAccessText(
  { cameras, schedule }: NonNullable<User['own_access']>,
  now = Date.now(),
): string {
  const counted = plural(text.lists.cameras, cameras.length);
  if (schedule === null) return counted;
  const { from, ...rest } = schedule;
  const zone = gateZone();
  const isToCome = from !== undefined && from > wallTime(now, zone);
  const when = scheduleText(isToCome ? { from, ...rest } : rest, false, zone);
  return when === '' ? counted : `${counted}, ${when}`;
}

/**
 * @param seconds since the epoch, as `now` is
 * @param zone of all schedules
 * @returns such as "Friday 18:00", with the date and the year if it is far away
 */
export function turnText(seconds: number, now: number, zone: string): string {
  const days = Math.abs(seconds - now) / 86_400;
  const format = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    ...(days < 6 ? {} : ({ day: 'numeric', month: 'long' } as const)),
    ...(days < 300 ? {} : ({ year: 'numeric' } as const)),
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
  });
  return inZone(format.format(seconds * 1000), zone);
}
