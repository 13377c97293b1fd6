import type { CanonicalUri } from './canonical-uri.ts';

/** The part of the recorder that a share shows. Times are milliseconds since the epoch. */
export type SharedMedia =
  | { readonly kind: 'event'; readonly id: string; readonly hasClip: boolean }
  /** Found by the names of its files. */
  | { readonly kind: 'export'; readonly video: string; readonly thumbnail: string }
  /** The recordings of a camera between two moments, and its live picture meanwhile. */
  | {
      readonly kind: 'camera';
      readonly camera: string;
      readonly from: number;
      readonly until: number;
      /** Absent: its live picture is shown too. */
      readonly hasLive?: false;
    };

/** Milliseconds of recordings in one request: the recorder lists all their segments. */
const longestPart = 86_400_000;

/**
 * Checks whether a target of the recorder is part of a share. The returned target is rebuilt from what was parsed, so that the recorder
 * cannot read anything else in it.
 * @param uri below the path of the share
 * @param now milliseconds since the epoch
 * @returns the target in origin-form; undefined if it is not part of the share
 */
export function sharedTarget(
  media: SharedMedia,
  method: string | undefined,
  { path, query }: CanonicalUri,
  now: number,
): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const segments = path.split('/').slice(1);
  if (isLivePicture(media, segments, now)) {
    const isPlain = query === '' || liveQuery.test(query);
    return isPlain ? `/${written(segments)}${query === '' ? '' : `?${query}`}` : undefined;
  }
  // No other parameter shows less, and some show more: `padding` of a clip, for example.
  return query === '' && isRecorded(media, segments, now) ? `/${written(segments)}` : undefined;
}

/** The paths of the parts of a share that a page shows, relative to the share's own. */
export interface SharedPaths {
  /** A playlist (RFC 8216), or one file. */
  readonly video?: string;
  readonly thumbnail?: string;
  /** The live picture. */
  readonly live?: string;
  /** The video as one file. */
  readonly download?: string;
}

/** @returns each part that exists at the moment; `sharedTarget` accepts all of them */
export function sharedPaths(media: SharedMedia, now: number): SharedPaths {
  if (media.kind === 'event') {
    const at = (...segments: string[]) => written(segments);
    const thumbnail = at('api', 'events', media.id, 'thumbnail.jpg');
    if (!media.hasClip) return { thumbnail };
    const video = at('vod', 'event', media.id, 'master.m3u8');
    return { video, thumbnail, download: at('api', 'events', media.id, 'clip.mp4') };
  }
  if (media.kind === 'export') {
    const video = written(['exports', media.video]);
    return { video, thumbnail: written(['clips', 'export', media.thumbnail]), download: video };
  }
  const { camera, from, until, hasLive = true } = media;
  const live = hasLive && isWithin(now, media) ? { live: written(['api', camera, 'latest.jpg']) } : {};
  const last = Math.min(until, now);
  // The latest part of a longer recording; a page requests other parts by time.
  const start = Math.ceil(Math.max(from, last - longestPart) / 1000);
  // A page that opens it in its first second keeps these paths.
  const end = Math.max(Math.floor(last / 1000), start + 1);
  if (start * 1000 > now || end * 1000 > until) return live;
  const times = ['start', secondsOf(start), 'end', secondsOf(end)];
  return {
    video: written(['vod', camera, ...times, 'master.m3u8']),
    thumbnail: written(['api', camera, 'recordings', secondsOf(start), 'snapshot.jpg']),
    ...live,
    download: written(['api', camera, ...times, 'clip.mp4']),
  };
}

/** Names of a recorder's playlists and segments; a comma would make one URI refer to several files. */
const streamFile = /^(?:master|index|iframes|init|seg)(?:-[a-z0-9]{1,12}){0,8}\.(?:m3u8|ts|m4s|mp4|m4a|aac)$/;

const eventFiles: ReadonlySet<string> = new Set([
  'thumbnail.jpg',
  'thumbnail.webp',
  'snapshot.jpg',
  'preview.gif',
  'clip.mp4',
]);

const livePictures: ReadonlySet<string> = new Set(['latest.jpg', 'latest.webp']);

/** The height, and a number that bypasses caches; each at most once. */
const liveQuery = /^(?:h=\d{1,4}(?:&cache=\d{1,16})?|cache=\d{1,16}(?:&h=\d{1,4})?)$/;

function isLivePicture(media: SharedMedia, segments: readonly string[], now: number): boolean {
  if (media.kind !== 'camera' || segments.length !== 3) return false;
  const [root, camera, file = ''] = segments;
  return root === 'api' && camera === media.camera && livePictures.has(file) && isWithin(now, media);
}

function isRecorded(media: SharedMedia, segments: readonly string[], now: number): boolean {
  if (media.kind === 'event') {
    const [root, kind, id, file = '', ...more] = segments;
    if (id !== media.id || more.length > 0) return false;
    if (root === 'api' && kind === 'events') return eventFiles.has(file);
    return root === 'vod' && kind === 'event' && streamFile.test(file);
  }
  if (media.kind === 'export') {
    const path = segments.join('/');
    return path === `exports/${media.video}` || path === `clips/export/${media.thumbnail}`;
  }
  const [root, camera, ...rest] = segments;
  if (camera !== media.camera) return false;
  if (rest.length === 3 && rest[0] === 'recordings')
    return root === 'api' && isPartOf(media, rest[1], rest[1], now) && rest[2] === 'snapshot.jpg';
  const [start, from, end, until, file = '', ...more] = rest;
  if (start !== 'start' || end !== 'end' || more.length > 0) return false;
  if (!isPartOf(media, from, until, now)) return false;
  return (root === 'vod' && streamFile.test(file)) || (root === 'api' && file === 'clip.mp4');
}

/** Seconds since the epoch, in the one form that every recorder reads alike. */
const momentForm = /^[1-9]\d{0,10}(?:\.\d{1,6})?$/;

/** Whether a period is within the shared one, and short enough. */
function isPartOf(
  window: Pick<SharedMedia & { readonly kind: 'camera' }, 'from' | 'until'>,
  from: string | undefined,
  until: string | undefined,
  now: number,
): boolean {
  if (from === undefined || until === undefined || !momentForm.test(from) || !momentForm.test(until))
    return false;
  const [start, end] = [Number(from) * 1000, Number(until) * 1000];
  const isOrdered = start <= end && end - start <= longestPart;
  return isOrdered && start >= window.from && end <= window.until && start <= now;
}

function isWithin(moment: number, { from, until }: { readonly from: number; readonly until: number }) {
  return moment >= from && moment <= until;
}

function written(segments: readonly string[]): string {
  return segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join('/');
}

function secondsOf(whole: number): string {
  return String(whole);
}
