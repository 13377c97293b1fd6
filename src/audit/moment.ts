/** Milliseconds. */
const units: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const duration = /^(\d{1,6})([smhdw])$/;
const isoTime = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * Reads a moment: an ISO 8601 date or time, in the time zone unless it has an offset, or an age (`30m`, `2h`, `7d`).
 * @param now milliseconds since the epoch
 * @returns milliseconds since the epoch; undefined for anything else, including impossible dates
 */
export function parseMoment(text: string, now: number, zone: string): number | undefined {
  const ago = duration.exec(text);
  if (ago !== null) return now - Number(ago[1]) * (units[ago[2] ?? ''] ?? 0);
  const parts = isoTime.exec(text);
  if (parts === null) return undefined;
  const [, year = '', month = '', day = '', offset] = parts;
  if (Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()) return undefined;
  const written = text.replace(' ', 'T').toUpperCase();
  try {
    return offset === undefined
      ? Temporal.PlainDateTime.from(written).toZonedDateTime(zone).epochMilliseconds
      : Temporal.Instant.from(written).epochMilliseconds;
  } catch {
    return undefined;
  }
}
