import { streamOfAllCameras } from '../cameras.ts';
import { canonicalUri } from '../canonical-uri.ts';
import type { Allowed } from '../decision.ts';
import { footageOf, type Footage } from '../recorder/footage.ts';
import { canonicalOf, type RequestContext } from '../request-context.ts';
import { completeResource, type ResolvedResource } from '../resource.ts';
import type { Rules } from './rules.ts';

/** The pictures that a permitted request shows, for the record of who watched. */
export interface Viewed {
  readonly cameras: readonly string[];
  readonly kind: 'live' | 'recorded';
  /** Time of the recordings. Absent when it is unknown, or live. */
  readonly footage?: Footage | undefined;
}

/** Stands for the camera of pictures that cannot be tied to one. */
const unknownCamera = 'unknown';

/** A playlist shows nothing yet: its segments are asked for one by one. */
const playlist = /\.(?:m3u8|mpd)$/i;
const fileOfPictures =
  /(?:\.(?:jpe?g|png|webp|gif|avif|bmp|mjpe?g|mp4|m4[asv]|ts|mkv|mov|webm|h26[45]|aac|mp3|wav|zip)|\/preview)$/i;
const thumbnail = /\/thumbnail\.[a-z]+$/i;

type Lookup = Pick<Rules, 'resolveAsRecorder' | 'recorded' | 'recordedTimes'>;

/**
 * Uses only the recorder's rules, because an operator's say who may see something, not what it shows.
 * @returns `undefined` if it shows no pictures of cameras
 */
export function viewedBy(
  request: RequestContext,
  { identity, onBehalf }: Allowed,
  lookup: Lookup,
): Viewed | undefined {
  if (identity === undefined) return undefined;
  const uri = onBehalf === undefined ? canonicalOf(request) : canonicalUri(onBehalf.target);
  // A front that does not show the target may pass on any.
  if (uri === undefined || 'refused' in uri) return { cameras: [unknownCamera], kind: 'recorded' };
  const { path } = uri;
  const resolved = lookup.resolveAsRecorder?.(uri, request.method);
  const kind = resolved && kindOf(resolved, path);
  if (resolved === undefined || kind === undefined) return undefined;
  const cameras = camerasOf(resolved, lookup);
  if (kind === 'live') return { cameras, kind };
  return { cameras, kind, footage: footageOf(path) ?? footageOfRows(resolved, lookup) };
}

function kindOf({ rule, resource }: ResolvedResource, path: string): Viewed['kind'] | undefined {
  const isFolder = resource.kind === 'unresolved' && path.endsWith('/');
  if (isFolder || playlist.test(path)) return undefined;
  switch (rule.watch) {
    case 'live':
    case 'recorded':
      return rule.watch;
    case 'every-camera':
      return 'live';
    case 'live-files':
    case 'recorded-files':
      if (!fileOfPictures.test(path) || thumbnail.test(path)) return undefined;
      return rule.watch === 'live-files' ? 'live' : 'recorded';
    case 'data':
    case 'thumbnails':
    case undefined:
      break;
  }
  return undefined;
}

/** Rows are looked up for everyone here: a decision about someone who sees all cameras does not need them. */
function camerasOf({ rule, resource }: ResolvedResource, { recorded }: Lookup): readonly string[] {
  if (rule.watch === 'every-camera' || resource.kind === 'every-camera') return [streamOfAllCameras];
  const complete = unlessAway(() => completeResource(resource, recorded));
  return complete?.kind === 'cameras' && complete.cameras.length > 0 ? complete.cameras : [unknownCamera];
}

function footageOfRows({ resource }: ResolvedResource, { recordedTimes }: Lookup): Footage | undefined {
  if (resource.kind !== 'recorded' || resource.in !== 'exports') return undefined;
  const times = unlessAway(() => resource.ids.flatMap((id) => recordedTimes?.startsOfExport(id) ?? []));
  if (times === undefined || times.length === 0) return undefined;
  return { from: Math.min(...times), to: Math.max(...times) };
}

/** The recorder's database may be away: what is shown is recorded all the same. */
function unlessAway<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
