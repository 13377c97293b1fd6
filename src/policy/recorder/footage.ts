/** Times of recordings, in seconds since the epoch. */
export interface Footage {
  readonly from: number;
  readonly to: number;
}

/** Seconds of one segment, in the recorder's own web server. */
const segmentLength = 10;

const seconds = String.raw`(\d{9,10}(?:\.\d{1,9})?)`;
const period = new RegExp(`/start/${seconds}/end/${seconds}(?:/|$)`);
const day = /\/(\d{4})-(\d{2})[/-](\d{2})\/(\d{2})\//;
const minute = /\/(\d{2})\.(\d{2})\.mp4$/;
const hourOfZone = /\/\d{4}-\d{2}\/\d{2}\/\d{2}\/[^/]+\/([A-Za-z_,/+-]+?)(?:\/|$)/;
const segment = /\/seg-(\d{1,6})(?:-|\.)/;
/** Ids of events and names of files begin with a time. */
const moment = new RegExp(`[/-]${seconds}(?:-|\\.|/|$)`);

/**
 * Which time of the recordings a path shows: of a segment its own seconds, otherwise the whole period that the path names.
 * @param path of a rule with `watch: 'recorded'`
 * @returns undefined if the path has no time
 */
export function footageOf(path: string): Footage | undefined {
  const whole = periodOf(path) ?? hourOf(path);
  if (whole === undefined) {
    const [, found] = moment.exec(path) ?? [];
    return found === undefined ? undefined : { from: Number(found), to: Number(found) };
  }
  const [, number] = segment.exec(path) ?? [];
  if (number === undefined) return whole;
  const from = Math.min(whole.from + (Math.max(1, Number(number)) - 1) * segmentLength, whole.to);
  return { from, to: Math.min(from + segmentLength, whole.to) };
}

function periodOf(path: string): Footage | undefined {
  const [, from, to] = period.exec(path) ?? [];
  if (from === undefined || to === undefined) return undefined;
  return { from: Number(from), to: Math.max(Number(from), Number(to)) };
}

/** An hour of the recorder's clock, or one file of it. */
function hourOf(path: string): Footage | undefined {
  const [, year, month, date, hour] = day.exec(path) ?? [];
  if (year === undefined) return undefined;
  const local = `${year}-${month}-${date}T${hour}:00`;
  const from = momentIn(local, hourOfZone.exec(path)?.[1]?.replace(',', '/') ?? 'UTC');
  if (from === undefined) return undefined;
  const [, min, sec] = minute.exec(path) ?? [];
  if (min === undefined) return { from, to: from + 3_600 };
  const begin = from + Number(min) * 60 + Number(sec);
  return { from: begin, to: begin + segmentLength };
}

function momentIn(local: string, zone: string): number | undefined {
  try {
    return Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds / 1_000;
  } catch {
    return zone === 'UTC' ? undefined : momentIn(local, 'UTC');
  }
}
