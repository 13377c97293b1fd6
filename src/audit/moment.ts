/** Milliseconds. */
const units: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const duration = /^(\d{1,6})([smhdw])$/;
const isoTime =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * Reads a moment: an ISO 8601 date or time, local unless it has an offset, or an age (`30m`, `2h`, `7d`).
 * @param now milliseconds since the epoch
 * @returns milliseconds since the epoch; undefined for anything else, including impossible dates
 */
export function parseMoment(text: string, now: number): number | undefined {
  const ago = duration.exec(text);
  if (ago !== null) return now - Number(ago[1]) * (units[ago[2] ?? ''] ?? 0);
  const parts = isoTime.exec(text);
  if (parts === null) return undefined;
  const [, year = '', month = '', day = '', hour] = parts;
  if (Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()) return undefined;
  // Without a time, `Date.parse` would assume UTC.
  const time = Date.parse(hour === undefined ? `${text}T00:00` : text.replace(' ', 'T').toUpperCase());
  return Number.isNaN(time) ? undefined : time;
}
