/** Time zone of the browser. */
export const browserZone: string = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Time zone of all schedules, an IANA name; the page comes with it. */
export function gateZone(): string {
  return document.body.dataset['zone'] ?? 'UTC';
}

/** @returns whether clocks may show another time there than the browser's does */
export function isForeign(zone: string, here = browserZone): boolean {
  return usualName(zone) !== usualName(here);
}

/** @returns a time of schedules, with its zone unless it is that of the browser */
export function inZone(time: string, zone: string, here?: string): string {
  return isForeign(zone, here) ? `${time} (${zone})` : time;
}

/** @param at milliseconds since the epoch. @returns the time that clocks show there, such as `2026-12-20T18:00` */
export function wallTime(at: number, zone: string): string {
  // Swedish is written like ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone: zone,
  })
    .format(at)
    .replace(' ', 'T');
}

const hour = 3_600_000;

/**
 * @param wall such as `2026-12-20T18:00`
 * @returns milliseconds since the epoch; for a time that clocks show twice the first one, for one they skip a moment beside it
 */
export function instantOf(wall: string, zone: string): number {
  const asUtc = Date.parse(`${wall}Z`);
  const offsetAt = (moment: number) => Date.parse(`${wallTime(moment, zone)}Z`) - moment;
  // Offsets before and after: a change of the clock is in between.
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
