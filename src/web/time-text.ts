const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** @param seconds since the epoch */
export function timeText(seconds: number): string {
  return dateAndTime.format(dateOf(seconds));
}

const dateAlone = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** @param seconds since the epoch */
export function dateText(seconds: number): string {
  return dateAlone.format(dateOf(seconds));
}

/** As `datetime` of a `time` element. */
export function machineTime(seconds: number): string {
  return dateOf(seconds).toISOString();
}

/** What no date can hold becomes the last that one can: a broken record must not take the list along. */
function dateOf(seconds: number): Date {
  const last = 8.64e15;
  return new Date(Math.max(-last, Math.min(last, seconds * 1000)));
}

export function secondsText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** @param seconds that have passed; the clocks of two machines may differ by some */
export function agoText(seconds: number): string {
  const unit = units.find(([, length]) => seconds >= length);
  return unit === undefined ? 'just now' : words.format(-Math.floor(seconds / unit[1]), unit[0]);
}
