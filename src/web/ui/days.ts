import { instantOf, wallTime } from './time-text.ts';

/** A day of a time zone; its end belongs to the next one. Seconds since the epoch. */
export interface DayBounds {
  readonly begin: number;
  readonly end: number;
}

const dayMs = 86_400_000;

/** @returns the day that clocks of a zone show, such as `2026-11-28`. @param seconds since the epoch */
export function dayAt(seconds: number, zone: string): string {
  return wallTime(seconds * 1000, zone).slice(0, 10);
}

/** @returns the day so many days later; before it, when negative */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Days have 23 or 25 hours when clocks change, and begin late where clocks skip midnight. */
export function boundsOf(day: string, zone: string): DayBounds {
  const at = (of: string) => instantOf(`${of}T00:00`, zone) / 1000;
  return { begin: at(day), end: at(dayAfter(day, 1)) };
}

/** @returns the day in an address; the current one if it has none, or one to come */
export function dayIn(written: string | undefined, today: string): string {
  return written !== undefined && isDay(written) && written <= today ? written : today;
}

/** Recorders have nothing from before the epoch. */
function isDay(written: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(written) || written < '1970-01-02') return false;
  const at = Date.parse(`${written}T00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(written);
}
