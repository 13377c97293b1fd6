import type { EventRecord } from '../../events/event-record.ts';
import { text } from '../text.ts';
import { secondsText } from './time-text.ts';

export function durationText({ start_time: start, end_time: end }: EventRecord): string {
  if (end === null) return text.events.stillRunning;
  return secondsText(Math.max(0, Math.round(end - start)));
}

/** `front_door` as text. */
export function nameText(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

export function titleOf({ label, sub_label: subLabel }: EventRecord): string {
  return subLabel === null || subLabel === '' ? nameText(label) : `${nameText(label)}: ${subLabel}`;
}
