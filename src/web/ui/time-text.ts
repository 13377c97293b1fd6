import { fill, locale, text } from '../text.ts';

/** @param seconds since the epoch */
export function timeText(seconds: number): string {
  return format({ dateStyle: 'medium', timeStyle: 'medium' }).format(dateOf(seconds));
}

/** @param seconds since the epoch */
export function dateText(seconds: number): string {
  return format({ dateStyle: 'medium' }).format(dateOf(seconds));
}

/** @param withTime to the minute; else only the day */
export function momentText(seconds: number, withTime: boolean): string {
  return format({ dateStyle: 'medium', ...(withTime ? { timeStyle: 'short' } : {}) }).format(dateOf(seconds));
}

/** The time of a day, to the minute. */
export function clockText(seconds: number): string {
  return format({ timeStyle: 'short' }).format(dateOf(seconds));
}

/** The time of a day in a time zone. @param options further ones, such as seconds */
export function clockIn(seconds: number, zone: string, options: Intl.DateTimeFormatOptions = {}): string {
  return format({ hour: '2-digit', minute: '2-digit', timeZone: zone, ...options }).format(dateOf(seconds));
}

/** A day such as `2026-11-28`, as text. */
export function dayText(day: string, options: Intl.DateTimeFormatOptions): string {
  return format({ timeZone: 'UTC', ...options }).format(Date.parse(`${day}T12:00Z`));
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Cached: creating one takes longer than using it a hundred times. */
function format(options: Intl.DateTimeFormatOptions, language = locale): Intl.DateTimeFormat {
  const key = language + JSON.stringify(options);
  const made = formats.get(key) ?? new Intl.DateTimeFormat(language, options);
  formats.set(key, made);
  return made;
}

/** The `datetime` of a `time` element. */
export function machineTime(seconds: number): string {
  return dateOf(seconds).toISOString();
}

/** A time beyond the range of dates becomes the last valid one: a broken record must not break the list. */
function dateOf(seconds: number): Date {
  const last = 8.64e15;
  return new Date(Math.max(-last, Math.min(last, seconds * 1000)));
}

export function secondsText(seconds: number): string {
  if (seconds < 60) return fill(text.time.seconds, { seconds });
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? fill(text.time.minutes, { minutes, seconds: seconds % 60 })
    : fill(text.time.hours, { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** @param seconds that have passed, less than a minute */
export function secondsAgoText(seconds: number): string {
  return new Intl.RelativeTimeFormat(locale).format(-Math.round(seconds), 'second');
}

// Cached: a list has hundreds of them.
let words: Intl.RelativeTimeFormat | undefined;

/** @param seconds that have passed; the clocks of two machines may differ a little */
export function agoText(seconds: number): string {
  const unit = units.find(([, length]) => seconds >= length);
  if (unit === undefined) return text.time.justNow;
  words ??= new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return words.format(-Math.floor(seconds / unit[1]), unit[0]);
}

/** @returns a moment as the value of a field for a date and time, in the browser's time zone */
export function localTime(milliseconds: number): string {
  const offset = new Date(milliseconds).getTimezoneOffset() * 60_000;
  return new Date(milliseconds - offset).toISOString().slice(0, 16);
}

let ownZone: string | undefined;

/** Time zone of the browser. */
export function browserZone(): string {
  ownZone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return ownZone;
}

/** Time zone of all schedules, an IANA name that the server puts into the page. */
export function gateZone(): string {
  return document.body.dataset['zone'] ?? 'UTC';
}

/** @returns whether clocks in the zone may show another time than the browser's */
export function isForeign(zone: string, here = browserZone()): boolean {
  return usualName(zone) !== usualName(here);
}

/** @returns a time of a schedule, with its zone unless that is the browser's */
export function inZone(time: string, zone: string, here?: string): string {
  return isForeign(zone, here) ? `${time} (${zone})` : time;
}

/** @param at milliseconds since the epoch. @returns the time that clocks show there, such as `2026-12-20T18:00` */
export function wallTime(at: number, zone: string): string {
  // Swedish is written like ISO 8601.
  const written = format({ dateStyle: 'short', timeStyle: 'short', timeZone: zone }, 'sv-SE');
  return written.format(at).replace(' ', 'T');
}

const hour = 3_600_000;

/**
 * @param wall such as `2026-12-20T18:00`
 * @returns milliseconds since the epoch: the first moment if clocks show the time twice, a moment beside it if they skip it
 */
export function instantOf(wall: string, zone: string): number {
  const asUtc = Date.parse(`${wall}Z`);
  const offsetAt = (moment: number) => Date.parse(`${wallTime(moment, zone)}Z`) - moment;
  // A change of the clock lies between these two offsets.
  const [before, after] = [offsetAt(asUtc - 26 * hour), offsetAt(asUtc + 26 * hour)];
  const found = [before, after].map((offset) => asUtc - offset).filter((at) => wallTime(at, zone) === wall);
  return found.length === 0 ? asUtc - before : Math.min(...found);
}

function usualName(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return zone;
  }
}
