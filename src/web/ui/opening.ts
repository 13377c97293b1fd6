import { dayAndTime, timeOf } from '../../language/opening-text.ts';
import { codeIn } from '../api-client.ts';
import { fill, language, text } from '../text.ts';
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
    return fill(text.refused.stoppedUntil, { clock: timeOf(opens * 1000, browserZone, language) });
  const shown = (at: number) => inZone(dayAndTime(at * 1000, now, zone, language), zone);
  if (opens !== null) return fill(text.refused.opens, { when: shown(opens) });
  return since === null ? undefined : fill(text.refused.closedSince, { when: shown(since) });
}
