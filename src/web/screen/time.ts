import { fill } from '../../language/fill.ts';
import { locale } from '../locale.ts';
import { text } from './screen-text.ts';

/** @param at milliseconds since the epoch */
export function clockTime(at: number): string {
  return new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }).format(at);
}

/** @returns a sentence: when access opens */
export function opensText(opens: number | undefined, now: number): string {
  if (opens === undefined) return text.wall.closed;
  const days = dayOf(opens) - dayOf(now);
  const time = clockTime(opens);
  if (days === 0) return fill(text.wall.opensToday, { time });
  if (days === 1) return fill(text.wall.opensTomorrow, { time });
  const day = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' });
  return fill(text.wall.opensOn, { day: day.format(opens), time });
}

/** Days since the epoch, as the screen's own clock counts them. */
function dayOf(at: number): number {
  const date = new Date(at);
  return Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000);
}
