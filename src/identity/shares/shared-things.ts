import type { Identity } from '../../policy/identity.ts';
import type { Rules } from '../../policy/evaluate/rules.ts';
import { decideForCreator } from '../../policy/evaluate/share-access.ts';
import { sharedPaths, type SharedMedia } from '../../policy/share-scope.ts';
import type { Share } from './shares.ts';

/** Reads from the recorder's database what is shared. @throws AppError `events_unavailable` */
export interface RecordedThings {
  eventById(id: string): RecordedEvent | undefined;
  exportById(id: string): RecordedExport | undefined;
}

/** Times are milliseconds since the epoch. */
interface RecordedEvent {
  readonly camera: string;
  readonly startTime: number;
  /** Undefined: still going on. */
  readonly endTime: number | undefined;
  readonly hasClip: boolean;
}

interface RecordedExport {
  readonly camera: string;
  /** Of the recording. */
  readonly startTime: number;
  /** Names of its files. */
  readonly video: string;
  readonly thumbnail: string;
}

/** What a user wants to share, and its time, if given. */
export type Wanted =
  | { readonly kind: 'event' | 'export'; readonly object: string }
  | { readonly kind: 'camera'; readonly camera: string; readonly from: number; readonly until: number };

type Thing = Pick<Share, 'kind' | 'object' | 'camera' | 'from' | 'until'>;

/** @param now milliseconds since the epoch. @returns undefined when it does not exist */
export function findThing(wanted: Wanted, recorded: RecordedThings, now: number): Thing | undefined {
  if (wanted.kind === 'camera') return { ...wanted, object: undefined };
  const { kind, object } = wanted;
  const found = kind === 'event' ? recorded.eventById(object) : recorded.exportById(object);
  if (found === undefined) return undefined;
  const { camera, startTime } = found;
  // A recorder may write times in another form; no decision uses this one.
  const from = Number.isFinite(startTime) ? startTime : now;
  const endTime = 'endTime' in found ? (found.endTime ?? now) : from;
  return { kind, object, camera, from, until: Math.max(from, endTime || 0) };
}

/** @returns what a share shows; undefined when nothing of it is left, or it is of another camera */
export function mediaOf(thing: Thing, recorded: RecordedThings): SharedMedia | undefined {
  const { kind, object = '', camera, from, until } = thing;
  if (kind === 'camera') return { kind, camera, from, until };
  if (kind === 'event') {
    const event = recorded.eventById(object);
    return event?.camera === camera ? { kind, id: object, hasClip: event.hasClip } : undefined;
  }
  const found = recorded.exportById(object);
  return found?.camera === camera ? { kind, video: found.video, thumbnail: found.thumbnail } : undefined;
}

/**
 * Whether an identity may see all of what is shared: each part is checked, since a rule may close one of them.
 * @param now milliseconds since the epoch
 */
export function maySee(
  identity: Identity,
  media: SharedMedia,
  { camera }: Pick<Thing, 'camera'>,
  rules: Rules,
  now: number,
): boolean {
  return partsOf(media, now).every(
    (path) => decideForCreator(`/${path}`, 'GET', camera, identity, rules).outcome === 'allow',
  );
}

/** A camera whose start time is still to come has a live picture from then on. */
function partsOf(media: SharedMedia, now: number): readonly string[] {
  const parts = Object.values(sharedPaths(media, now));
  return parts.length > 0 || media.kind !== 'camera'
    ? parts
    : Object.values(sharedPaths(media, Math.max(media.from, Math.min(now, media.until))));
}
