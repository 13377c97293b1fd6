import { isGranted, type Grant } from '../policy/grant.ts';
import type { Sliced } from '../round-robin.ts';
import type { EventPlace, EventRange, RecorderDatabase } from './recorder-database.ts';

export interface EventFilter extends EventRange {
  readonly cameras: Grant;
  readonly before: number | undefined;
  readonly limit: number;
}

/** Where the next page starts, in terms of the filter. */
export interface NextPlace {
  readonly before: string;
  readonly beforeId?: string;
}

export interface FoundEvents {
  /** Newest first. */
  readonly ids: readonly string[];
  /** Absent when the list is complete. */
  readonly next?: NextPlace;
}

export const searchLimits = {
  /** Events read in one slice: a fraction of a millisecond. */
  atOnce: 200,
  /** Events read for one list: they cost as much as a response with a hundred of them. */
  inAll: 2_000,
};

/** Events that are read for each that a list of some cameras still lacks. */
const spare = 4;

/**
 * Finds the newest events of a filter. The recorder's file has no index of a camera's events by time, so other cameras'
 * events are read too. After `inAll` of them the list ends early, with the place where to continue.
 */
export function* searchEvents(
  database: Pick<RecorderDatabase, 'cameras' | 'eventsOfFew' | 'newestEvents'>,
  { cameras, labels, after, before, beforeId, limit }: EventFilter,
  { atOnce, inAll } = searchLimits,
): Sliced<FoundEvents> {
  if (cameras !== 'all') {
    // Removes names without events first: a client may send a thousand names.
    const present = database.cameras().filter((camera) => cameras.has(camera));
    const few = database.eventsOfFew(present, { labels, after, before, beforeId }, atOnce);
    if (few !== undefined) return firstOf(few, few.length > limit ? limit : undefined);
    yield;
  }
  const found: EventPlace[] = [];
  let range: EventRange = { labels, after, before, beforeId };
  let newest: EventPlace | undefined;
  for (let looked = 0; ;) {
    const ofEach = Math.ceil(atOnce / (labels?.length ?? 1));
    // A role with most cameras finds few others among them; a role with few finds more in the next slices.
    const wanted = (limit - found.length) * (cameras === 'all' ? 1 : spare);
    const most = Math.min(ofEach, wanted);
    const { places, goesOn, looked: now } = database.newestEvents(range, most);
    found.push(...places.filter(({ camera }) => isGranted(cameras, camera)));
    if (found.length >= limit) return firstOf(found, limit);
    const last = places.at(-1);
    if (last === undefined || !goesOn) return firstOf(found);
    newest ??= places.find(hasTime);
    looked += now;
    const end = minuteAfter(last);
    if (looked >= inAll && newest !== undefined && end <= timeOf(newest)) {
      const ids = found.filter((place) => !(timeOf(place) < end)).map(({ id }) => id);
      return { ids, next: { before: String(end) } };
    }
    range = { labels, after, before: last.startTime, beforeId: last.id };
    yield;
  }
}

/** @param limit given when there may be more events */
function firstOf(found: readonly EventPlace[], limit?: number): FoundEvents {
  const shown = found.slice(0, limit);
  const ids = shown.map(({ id }) => id);
  const last = shown.at(-1);
  if (limit === undefined || last === undefined || !hasTime(last)) return { ids };
  return { ids, next: { before: String(last.startTime), beforeId: last.id } };
}

/**
 * Where a list continues that ended early. The last event read may be of a camera that the client may not see, so its exact
 * time must not leak: the time is rounded up to the minute, and the next list reads the rest of that minute again.
 */
function minuteAfter(place: EventPlace): number {
  return (Math.floor(timeOf(place) / 60) + 1) * 60;
}

function timeOf({ startTime }: EventPlace): number {
  return Number(startTime);
}

/** Values without a time sort before the newest events, as in the recorder's index. */
function hasTime(place: EventPlace): boolean {
  return Number.isFinite(timeOf(place));
}
