import type { EventRecord } from '../../events/event-record.ts';
import { text } from '../text.ts';
import { nameText } from './name-text.ts';
import { secondsText } from './time-text.ts';

// Seconds. A recorder that stopped in the middle never wrote the end.
const longestRunning = 3_600;

/** @returns whether an event without an end can still be happening. @param now seconds since the epoch */
export function isRunning(
  { start_time: start, end_time: end }: Pick<EventRecord, 'start_time' | 'end_time'>,
  now = Date.now() / 1000,
): boolean {
  return end === null && now - start < longestRunning;
}

/** @returns undefined when its length is unknown */
export function durationText(
  event: Pick<EventRecord, 'start_time' | 'end_time'>,
  now = Date.now() / 1000,
): string | undefined {
  const { start_time: start, end_time: end } = event;
  if (end === null) return isRunning(event, now) ? text.events.stillRunning : undefined;
  return secondsText(Math.max(0, Math.round(end - start)));
}

export function titleOf({ label, sub_label: subLabel }: EventRecord): string {
  return subLabel === null || subLabel === '' ? nameText(label) : `${nameText(label)}: ${subLabel}`;
}
