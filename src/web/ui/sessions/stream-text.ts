import type { OpenStream } from './streams-api.ts';
import { cameraText } from '../cameras/camera-names.ts';
import { listText, hasWords } from '../words.ts';
import { fill, plural, text } from '../../text.ts';
import { clockText, momentText } from '../time-text.ts';

/** More names would not be read. */
const mostNames = 6;

function camerasText(cameras: readonly string[]): string {
  return cameras.length > mostNames
    ? plural(text.lists.cameras, cameras.length)
    : listText(cameras.map(cameraText));
}

/** @returns an open stream as text, such as "watching Driveway" */
export function doingText({ kind, page, resource: { path, cameras } }: OpenStream): string {
  const words = text.streams;
  if (page === 'updates') return words.updates;
  // Postern does not determine the camera for users who may see all of them.
  const what = cameras.length === 0 ? undefined : camerasText(cameras);
  if (page === 'recording') return what === undefined ? words.replaying : fill(words.replayingOf, { what });
  if (page === 'other' && kind !== 'pictures') return fill(words.loading, { path });
  const shown = what ?? (path.includes('birdseye') ? words.allCameras : words.livePictures);
  return page === 'home' ? fill(words.onHome, { what: shown }) : fill(words.watching, { what: shown });
}

/** Whether it belongs to a visitor with a share link. */
function isOfShare({ source }: OpenStream): boolean {
  return source === 'share';
}

/** @returns who is watching */
export function userText(stream: OpenStream): string {
  if (stream.source === 'display') return text.streams.display;
  return isOfShare(stream) ? text.streams.share : stream.user || text.streams.noUser;
}

/** @returns since when: the time, with the day unless it is today */
export function sinceText({ since }: Pick<OpenStream, 'since'>, now = Date.now() / 1000): string {
  const isToday = new Date(since * 1000).toDateString() === new Date(now * 1000).toDateString();
  return fill(text.streams.since, { clock: isToday ? clockText(since) : momentText(since, true) });
}

// Seconds. A stream that lasts longer is not a mere picture of a page.
const brief = 2;

/**
 * Leaves out responses that end at once, which no one could watch.
 * @param before ids of what was open in the last response
 * @param now seconds since the epoch by the browser's clock, which may differ from Postern's
 */
export function lasting(
  all: readonly OpenStream[],
  before: ReadonlySet<string>,
  now = Date.now() / 1000,
): OpenStream[] {
  return all.filter(({ id, kind, since }) => kind !== 'answer' || before.has(id) || now - since >= brief);
}

/** @param search words, each part of the user, the address or a camera */
export function matchesSearch({ user, address, resource }: OpenStream, search: string): boolean {
  return hasWords(search, [user, address, ...resource.cameras]);
}

/** Someone who watches, with everything that is open in the same session, by the same API token or the same share. */
export interface Watcher {
  readonly key: string;
  /** Their open streams, the oldest first. */
  readonly streams: readonly [OpenStream, ...OpenStream[]];
  /** Only cameras that Postern could determine. */
  readonly cameras: readonly string[];
  /** Seconds since the epoch. */
  readonly since: number;
}

/**
 * @returns who else watches cameras or recordings, the newest last, without the user's own devices. Updates of the
 *   recorder's pages show no picture
 */
export function watchersOf(streams: readonly OpenStream[]): Watcher[] {
  const groups = new Map<string, [OpenStream, ...OpenStream[]]>();
  for (const stream of streams.toSorted((one, other) => one.since - other.since)) {
    if (stream.own) continue;
    if (stream.page === 'updates' || (stream.page === 'other' && stream.kind !== 'pictures')) continue;
    const { source, user, session, address } = stream;
    const key = JSON.stringify([source, user, session ?? address]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [stream]);
    else group.push(stream);
  }
  return [...groups].map(([key, group]) => ({
    key,
    streams: group,
    cameras: [...new Set(group.flatMap(({ resource }) => resource.cameras))],
    since: group[0].since,
  }));
}

const phones = /iPhone|Android.*Mobile/;
const tablets = /iPad|Android/;

/** @param agent `User-Agent`, which a client can forge */
export function deviceOf(agent: string | null): 'phone' | 'tablet' | 'computer' | 'program' {
  if (agent === null || !agent.startsWith('Mozilla/')) return 'program';
  if (phones.test(agent)) return 'phone';
  return tablets.test(agent) ? 'tablet' : 'computer';
}
