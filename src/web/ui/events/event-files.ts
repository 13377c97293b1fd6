import type { EventRecord } from '../../../events/event-record.ts';
import { fitsInPath } from './event-address.ts';
import { pathTo } from '../../path-prefix.ts';

// If the recorder is down or keeps no thumbnails, a long list must not request one per card.
const mostFailures = 6;

let areServed = true;
let failures = 0;

/** The events app's responses state that it has only the recorder's database. */
export function noteWhoAnswered(headers: Headers): void {
  areServed = headers.get('x-postern-media') !== 'none';
}

/** Whether an event may have files: true unless the events app denied it. */
export function mayHaveFiles({ id }: EventRecord): boolean {
  return areServed && fitsInPath(id);
}

/** Whether no service behind the gate has files of events. */
export function areNoFilesServed(): boolean {
  return !areServed;
}

export function noteThumbnail(isShown: boolean): void {
  failures = isShown ? 0 : failures + 1;
}

/** A list that is read from its beginning may find them again. */
export function tryThumbnailsAgain(): void {
  failures = 0;
}

/** @returns the picture for an event in a list; undefined: none. Recorders from 0.16 on keep thumbnails as files */
export function thumbnailOf(event: EventRecord): string | undefined {
  if (event.thumbnail) return `data:image/jpeg;base64,${event.thumbnail}`;
  return mayHaveFiles(event) && failures < mostFailures ? fileOf(event, 'thumbnail.jpg') : undefined;
}

export function fileOf({ id }: EventRecord, name: 'thumbnail.jpg' | 'snapshot.jpg' | 'clip.mp4'): string {
  return pathTo(`/api/events/${encodeURIComponent(id)}/${name}`);
}

/** The clip in parts, for browsers such as Safari that play a file only with range requests. */
export function playlistOf({ id }: EventRecord): string {
  return pathTo(`/vod/event/${encodeURIComponent(id)}/master.m3u8`);
}
