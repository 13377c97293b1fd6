import type { Identity } from '../../policy/identity.ts';
import type { Rules } from '../../policy/evaluate/rules.ts';
import { decideForCreator } from '../../policy/evaluate/share-access.ts';
import { sharedPaths, type SharedMedia } from '../../policy/share-scope.ts';
import type { Share } from './shares.ts';

/** What the recorder's database is asked about what is shared. @throws AppError `events_unavailable` */
export interface RecordedThings {
  /** @returns undefined when there is no such event */
  eventById(id: string): RecordedEvent | undefined;
  exportById(id: string): RecordedExport | undefined;
}

/** Times are milliseconds since the epoch. */
interface RecordedEvent {
  readonly camera: string;
  readonly startTime: number;
  /** Undefined: it goes on. */
  readonly endTime: number | undefined;
  readonly hasClip: boolean;
}

interface RecordedExport {
  readonly camera: string;
  /** Of what was recorded. */
  readonly startTime: number;
  /** Names of its files. */
  readonly video: string;
  readonly thumbnail: string;
}

/** What somebody wants to share, and the time that it is of, as far as it says one. */
export type Wanted =
  | { readonly kind: 'event' | 'export'; readonly object: string }
  | { readonly kind: 'camera'; readonly camera: string; readonly from: number; readonly until: number };

type Thing = Pick<Share, 'kind' | 'object' | 'camera' | 'from' | 'until'>;

/** @param now milliseconds since the epoch. @returns undefined when there is no such thing */
export function findThing(wanted: Wanted, recorded: RecordedThings, now: number): Thing | undefined {
  if (wanted.kind === 'camera') return { ...wanted, object: undefined };
  const { kind, object } = wanted;
  const found = kind === 'event' ? recorded.eventById(object) : recorded.exportById(object);
  if (found === undefined) return undefined;
  const { camera, startTime } = found;
  // A recorder may have written a time in another form; it decides nothing.
  const from = Number.isFinite(startTime) ? startTime : now;
  const endTime = 'endTime' in found ? (found.endTime ?? now) : from;
  return { kind, object, camera, from, until: Math.max(from, endTime || 0) };
}

/** @returns what a share shows; undefined when there is nothing of it any more, or it is of another camera */
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
 * Whether somebody may see all of what is shared: each part by itself, since a rule may close one of them.
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

/** Of a camera whose time has not come there is a live picture as soon as it has. */
function partsOf(media: SharedMedia, now: number): readonly string[] {
  const parts = Object.values(sharedPaths(media, now));
  return parts.length > 0 || media.kind !== 'camera'
    ? parts
    : Object.values(sharedPaths(media, Math.max(media.from, Math.min(now, media.until))));
}
