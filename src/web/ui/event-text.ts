import type { EventRecord } from '../../events/event-record.ts';
import { labelName } from '../../language/label-names.ts';
import { text } from '../text.ts';
import { nameText } from './words.ts';
import { secondsText } from './time-text.ts';
import { pathTo, gatePath } from '../path-prefix.ts';

// Seconds. A recorder that stopped in the middle of an event never wrote its end.
const longestRunning = 3_600;

/** @returns whether an event without an end can still be happening. @param now seconds since the epoch */
export function isRunning(
  { start_time: start, end_time: end }: Pick<EventRecord, 'start_time' | 'end_time'>,
  now = Date.now() / 1000,
): boolean {
  return end === null && now - start < longestRunning;
}

/** @returns the length as text, or `undefined` if it is unknown */
export function durationText(
  event: Pick<EventRecord, 'start_time' | 'end_time'>,
  now = Date.now() / 1000,
): string | undefined {
  const { start_time: start, end_time: end } = event;
  if (end === null) return isRunning(event, now) ? text.events.stillRunning : undefined;
  return secondsText(Math.max(0, Math.round(end - start)));
}

/** @returns what pages call a detection, such as `Katze` for `cat` */
export function labelText(label: string): string {
  return nameText(labelName(text, label) ?? label);
}

/** @returns the label that is called so: one of `labels`, or one of Frigate's; otherwise what was typed */
export function labelCalled(typed: string, labels: readonly string[]): string {
  const wanted = nameText(typed).toLowerCase();
  return (
    [...labels, ...Object.keys(text.labels)].find((label) =>
      [labelText(label), nameText(label)].some((name) => name.toLowerCase() === wanted),
    ) ?? typed
  );
}

export function titleOf({ label, sub_label: subLabel }: EventRecord): string {
  return subLabel === null || subLabel === '' ? labelText(label) : `${labelText(label)}: ${subLabel}`;
}

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

/** Whether no service behind Postern has files of events. */
export function areNoFilesServed(): boolean {
  return !areServed;
}

export function noteThumbnail(isShown: boolean): void {
  failures = isShown ? 0 : failures + 1;
}

/** Forgets that thumbnails failed: a list that is read from its beginning tries them again. */
export function tryThumbnailsAgain(): void {
  failures = 0;
}

/** @returns the picture for an event in a list, or `undefined` if it has none. Recorders from 0.16 on keep thumbnails as files */
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

/** @returns the address of an event's page, with the id in the query if it cannot be in a path */
export function eventAddress(id: string): string {
  if (!fitsInPath(id)) return gatePath(`/events?id=${encodeURIComponent(id)}`);
  return gatePath(`/events/${encodeURIComponent(id)}`);
}

/** Whether an id can be a path segment: Postern rejects paths that servers parse differently (`policy/canonical-uri.ts`). */
function fitsInPath(id: string): boolean {
  const isPlain = id.isWellFormed() && !/[\u0000-\u001f\u007f/\\;]|%[0-9a-f]{2}/i.test(id);
  return isPlain && id !== '' && id !== '.' && id !== '..';
}
