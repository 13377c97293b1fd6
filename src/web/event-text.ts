import type { EventRecord } from '../events/event-record.ts';

const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** @param seconds since the epoch */
export function timeText(seconds: number): string {
  return dateAndTime.format(dateOf(seconds));
}

const dateAlone = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** @param seconds since the epoch */
export function dateText(seconds: number): string {
  return dateAlone.format(dateOf(seconds));
}

/** As `datetime` of a `time` element. */
export function machineTime(seconds: number): string {
  return dateOf(seconds).toISOString();
}

/** What no date can hold becomes the last that one can: a broken record must not take the list along. */
function dateOf(seconds: number): Date {
  const last = 8.64e15;
  return new Date(Math.max(-last, Math.min(last, seconds * 1000)));
}

export function durationText({ start_time: start, end_time: end }: EventRecord): string {
  if (end === null) return 'still running';
  return secondsText(Math.max(0, Math.round(end - start)));
}

export function secondsText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `front_door` as people write it. */
export function nameText(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

export function titleOf({ label, sub_label: subLabel }: EventRecord): string {
  return subLabel === null || subLabel === '' ? nameText(label) : `${nameText(label)}: ${subLabel}`;
}
