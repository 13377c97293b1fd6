import type { Schedule } from './schedule.ts';
import { fill, locale, text } from '../../text.ts';
import { inZone } from '../zones.ts';

/**
 * @param showsRecordings whether the role may see recordings at all
 * @param zone of the schedule; it is named where the browser's is another
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
 * Times are in the gate's time zone, and are not converted to the browser's.
 * @param moment `2026-12-20`, or `2026-12-20T18:00`
 */
function momentOf(moment: string, now: Date): string {
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
