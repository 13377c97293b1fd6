import type { EventRecord } from '../../../events/event-record.ts';
import { fitsInPath } from './event-address.ts';
import { pathTo } from '../../path-prefix.ts';

// A recorder that is away, or keeps no thumbnails, is not asked for one for each card of a long list.
const mostFailures = 6;

let areServed = true;
let failures = 0;

/** The events app says with its answers that it has nothing but what is in the recorder's database. */
export function noteWhoAnswered(headers: Headers): void {
  areServed = headers.get('x-postern-media') !== 'none';
}

/** Whether there may be files of an event: who answered for events did not say otherwise. */
export function mayHaveFiles({ id }: EventRecord): boolean {
  return areServed && fitsInPath(id);
}

/** Whether nobody stands behind the gate who has files of events. */
export function areNoFilesServed(): boolean {
  return !areServed;
}

export function noteThumbnail(isShown: boolean): void {
  failures = isShown ? 0 : failures + 1;
}

/** Somebody wants to see whether they are there by now. */
export function tryThumbnailsAgain(): void {
  failures = 0;
}

/** @returns what to show of an event in a list; undefined: there is nothing. Recorders from 0.16 on keep thumbnails as files */
export function thumbnailOf(event: EventRecord): string | undefined {
  if (event.thumbnail) return `data:image/jpeg;base64,${event.thumbnail}`;
  return mayHaveFiles(event) && failures < mostFailures ? fileOf(event, 'thumbnail.jpg') : undefined;
}

export function fileOf({ id }: EventRecord, name: 'thumbnail.jpg' | 'snapshot.jpg' | 'clip.mp4'): string {
  return pathTo(`/api/events/${encodeURIComponent(id)}/${name}`);
}

/** The same clip in parts, for browsers that play no file unless it can be read from any place on, as Safari. */
export function playlistOf({ id }: EventRecord): string {
  return pathTo(`/vod/event/${encodeURIComponent(id)}/master.m3u8`);
}
