import { instantOf, wallTime } from '../../ui/time-text.ts';

/** @param at milliseconds since the epoch. @returns the day there, such as `2026-11-28` */
export function dayOf(at: number, zone: string): string {
  return wallTime(at, zone).slice(0, 10);
}

/** @returns the day that follows, or the one `count` days later */
export function dayAfter(day: string, count = 1): string {
  return new Date(Date.parse(`${day}T12:00Z`) + count * 86_400_000).toISOString().slice(0, 10);
}

/** @returns seconds since the epoch at which a day begins there */
export function beginOf(day: string, zone: string): number {
  return instantOf(`${day}T00:00`, zone) / 1_000;
}
