import type { OpenStream } from './streams-api.ts';
import { nameText } from '../event-text.ts';
import { listText } from '../list-text.ts';
import { text } from '../../text.ts';
import { clockText, momentText } from '../time-text.ts';
import { hasWords } from '../lists/word-search.ts';

const replayed =
  /^\/(?:api\/)?(?:vod|recordings|clips|exports)\/|^\/api\/(?:events\/)?[^/]+\/(?:start\/|clip\.mp4)/;
const watched = /^\/live\/|^\/api\/(?:go2rtc|birdseye)(?:\/|$)/;

/** @returns an open stream as text, such as "watching Driveway" */
export function doingText({ kind, resource: { path, cameras } }: OpenStream): string {
  const words = text.exchanges;
  // The path of shared media is the share's path followed by the recorder's own.
  const own = path.replace(/^\/postern\/share\/[^/]+\/media(?=\/)/, '');
  const [camera] = cameras;
  // For users who may see all cameras, the gate does not determine which one it is.
  const what = camera === undefined ? undefined : listText(cameras.map(nameText));
  if (kind === 'websocket' && own.startsWith('/ws')) return words.updates;
  if (watched.test(own) || (camera !== undefined && own === `/api/${camera}`))
    return words.watching(what ?? (own.includes('birdseye') ? words.allCameras : words.livePictures));
  return replayed.test(own) ? words.replaying(what) : words.loading(path);
}

/** Whether it belongs to a visitor with a share link. */
export function isOfShare({ source }: OpenStream): boolean {
  return source === 'share';
}

/** @returns who is watching */
export function userText(stream: OpenStream): string {
  return isOfShare(stream) ? text.exchanges.share : stream.user || text.exchanges.nobody;
}

/** @returns since when: the time, with the day unless it is today */
export function sinceText({ since }: Pick<OpenStream, 'since'>, now = Date.now() / 1000): string {
  const isToday = new Date(since * 1000).toDateString() === new Date(now * 1000).toDateString();
  return text.exchanges.since(isToday ? clockText(since) : momentText(since, true));
}

// Seconds: a stream that lasts longer is not a mere picture of a page.
const brief = 2;

/**
 * Leaves out responses that end at once, which no one could watch.
 * @param before ids of what was open in the last response
 * @param now in seconds since the epoch, by the browser's clock, which may differ from the gate's
 */
export function lasting(
  all: readonly OpenStream[],
  before: ReadonlySet<string>,
  now = Date.now() / 1000,
): OpenStream[] {
  return all.filter(({ id, kind, since }) => kind === 'websocket' || before.has(id) || now - since >= brief);
}

/** @param search words, each part of the user, the address or a camera */
export function matchesSearch({ user, address, resource }: OpenStream, search: string): boolean {
  return hasWords(search, [user, address, ...resource.cameras]);
}
