import { dayAndTime, timeOf } from '../../language/opening-text.ts';
import { codeIn } from '../api-client.ts';
import { language, text } from '../text.ts';
import { browserZone, inZone } from './zones.ts';

/** When the user's own access opens again, as the gate returns it; seconds since the epoch. */
export interface Opening {
  readonly opens: number | null;
  readonly closed_since: number | null;
  /** In which the gate keeps its schedules. */
  readonly zone: string;
}

/** @returns what the body of a refusal has of that; undefined: nothing */
export function openingIn(body: unknown): Opening | undefined {
  if (typeof body !== 'object' || body === null || !('opens' in body) || !('zone' in body)) return undefined;
  return body as Opening;
}

/** @returns when it opens again, as a title; undefined: unknown */
export function openingText(body: unknown, now = Date.now()): string | undefined {
  const opening = openingIn(body);
  if (opening === undefined) return undefined;
  const { opens, closed_since: since, zone } = opening;
  if (opens !== null && codeIn(body) === 'stopped')
    return text.refused.stoppedUntil(timeOf(opens * 1000, browserZone, language));
  const shown = (at: number) => inZone(dayAndTime(at * 1000, now, zone, language), zone);
  if (opens !== null) return text.refused.opens(shown(opens));
  return since === null ? undefined : text.refused.closedSince(shown(since));
}
