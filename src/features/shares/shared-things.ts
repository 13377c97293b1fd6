import type { Identity } from '../../policy/identity.ts';
import type { Rules } from '../../policy/evaluate/rules.ts';
import { decideForCreator } from '../../policy/evaluate/share-access.ts';
import { sharedPaths, type SharedMedia, type SharedPaths } from '../../policy/share-scope.ts';
import type { Share } from './shares.ts';

/** Reads shared events and exports from the recorder's database. @throws AppError `events_unavailable` */
export interface RecordedThings {
  eventById(id: string): RecordedEvent | undefined;
  exportById(id: string): RecordedExport | undefined;
}

/** Times are milliseconds since the epoch. */
interface RecordedEvent {
  readonly camera: string;
  readonly startTime: number;
  /** Absent until it is over. */
  readonly endTime: number | undefined;
  readonly hasClip: boolean;
}

interface RecordedExport {
  readonly camera: string;
  /** Start of the recording. */
  readonly startTime: number;
  /** Names of its files. */
  readonly video: string;
  readonly thumbnail: string;
}

/** Thing that a user shares, and its time, if given. */
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

/** @returns the media that a share shows; `undefined` if nothing of them is left, or they are of another camera */
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
 * Checks each part of what is shared, because a rule may close one of them. Only the live picture of a camera may be missing: a creator
 * who sees only recordings shares those.
 * @param now milliseconds since the epoch
 * @returns the part of it that an identity may share; `undefined` if there is none
 */
export function shareableBy(
  identity: Identity,
  { media, camera }: Pick<Thing, 'camera'> & { readonly media: SharedMedia },
  rules: Rules,
  now: number,
): SharedMedia | undefined {
  const decide = (path: string) =>
    decideForCreator({ target: `/${path}`, method: 'GET', camera }, identity, rules);
  const { live, ...recorded } = partsOf(media, now);
  if (Object.values(recorded).some((path) => decide(path).outcome !== 'allow')) return undefined;
  const decision = live === undefined ? undefined : decide(live);
  if (decision === undefined || decision.outcome === 'allow') return media;
  const isMissingAlone = media.kind === 'camera' && decision.reason === 'role_may_not';
  return isMissingAlone ? { ...media, hasLive: false } : undefined;
}

/** Parts of a camera that are still to come count too: recordings from its whole time, and its live picture. */
function partsOf(media: SharedMedia, now: number): SharedPaths {
  const parts = sharedPaths(media, now);
  if (media.kind !== 'camera') return parts;
  const { live } = sharedPaths(media, Math.max(media.from, Math.min(now, media.until)));
  const recorded = parts.video === undefined ? sharedPaths(media, media.until) : parts;
  return { ...recorded, ...(live === undefined ? {} : { live }) };
}
