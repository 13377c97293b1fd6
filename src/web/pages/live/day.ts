import type { EventRecord } from '../../../events/event-record.ts';
import { isRunning } from '../../ui/event-text.ts';
import type { DayBounds } from '../../ui/days.ts';
import { wallTime } from '../../ui/time-text.ts';

/** A full hour on the clocks: one that they show twice is there twice. */
interface Hour {
  readonly at: number;
  readonly hour: number;
}

const quarter = 900;

/** @returns the hours of a day. Offsets of zones are multiples of 15 minutes */
export function hoursOf({ begin, end }: DayBounds, zone: string): readonly Hour[] {
  const hours: Hour[] = [];
  for (let at = begin; at < end; at += quarter) {
    const [hour, minute] = wallTime(at * 1000, zone)
      .slice(11)
      .split(':')
      .map(Number);
    if (minute === 0) hours.push({ at, hour: hour ?? 0 });
  }
  return hours;
}

/** Whether clocks change on this day, so that a time may be there twice. */
export function hasClockChange({ begin, end }: DayBounds): boolean {
  return end - begin !== 86_400;
}

/** The lanes of the strip, from the top. */
export const kinds = ['person', 'vehicle', 'animal', 'other'] as const;
export type Kind = (typeof kinds)[number];

/** Labels of common models, as recorders write them. */
const labels: Readonly<Record<Exclude<Kind, 'other'>, readonly string[]>> = {
  person: ['person', 'face'],
  vehicle: [
    'car',
    'truck',
    'bus',
    'school_bus',
    'van',
    'motorcycle',
    'bicycle',
    'scooter',
    'boat',
    'train',
    'airplane',
    'tractor',
    'license_plate',
    'vehicle',
  ],
  animal: [
    'dog',
    'cat',
    'bird',
    'horse',
    'sheep',
    'cow',
    'bear',
    'elephant',
    'zebra',
    'giraffe',
    'deer',
    'fox',
    'rabbit',
    'raccoon',
    'squirrel',
    'skunk',
    'goat',
    'pig',
    'chicken',
    'duck',
    'mouse',
    'rat',
    'opossum',
    'coyote',
    'wolf',
    'kangaroo',
    'animal',
  ],
};
const families = new Map<string, Kind>(
  kinds.flatMap((kind) => (kind === 'other' ? [] : labels[kind].map((label) => [label, kind] as const))),
);

/** @returns the lane of a label */
export function kindOf(label: string): Kind {
  return families.get(label) ?? families.get(label.toLowerCase().replaceAll(' ', '_')) ?? 'other';
}

type Times = Pick<EventRecord, 'start_time' | 'end_time'>;

/** @returns the end of an event: of one that still runs, now */
function endOf(event: Times, now: number): number {
  return Math.max(event.start_time, event.end_time ?? (isRunning(event, now) ? now : event.start_time));
}

/** A mark on the strip, in pixels from its beginning. */
type Mark = readonly [from: number, to: number];

interface Scale extends DayBounds {
  /** Pixels of the day. */
  readonly width: number;
}

export function xOf(at: number, { begin, end, width }: Scale): number {
  return ((Math.min(Math.max(at, begin), end) - begin) / (end - begin)) * width;
}

export function timeAt(x: number, { begin, end, width }: Scale): number {
  return begin + (Math.min(Math.max(x, 0), width) / width) * (end - begin);
}

/**
 * Marks that touch become one: a thousand events are a few hundred of them.
 * @param least pixels of a mark
 * @returns from left to right
 */
export function marksOf(events: readonly Times[], scale: Scale, least: number, now: number): readonly Mark[] {
  const marks: Array<[number, number]> = [];
  for (const event of events.toSorted((a, b) => a.start_time - b.start_time)) {
    const from = Math.min(xOf(event.start_time, scale), scale.width - least);
    const to = Math.max(from + least, xOf(endOf(event, now), scale));
    const last = marks.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else marks.push([from, to]);
  }
  return marks;
}

/** @returns one path of all marks of a lane. @param top pixels, as `height` is */
export function pathOf(marks: readonly Mark[], top: number, height: number): string {
  return marks
    .map(([from, to]) => `M${from.toFixed(1)} ${top}h${(to - from).toFixed(1)}v${height}H${from.toFixed(1)}z`)
    .join('');
}

interface Sharing extends DayBounds {
  /** Whether the user may see recordings. */
  readonly history: boolean;
  /** Earlier recordings are hidden. Absent when none are. */
  readonly since: number | undefined;
  readonly now: number;
}

/** A part of the day with nothing to see. */
interface Shut {
  readonly from: number;
  readonly to: number;
  readonly why: 'not-shared' | 'to-come';
}

/** @returns the parts of a day that are not shared, or are still to come */
export function shutParts({ begin, end, history, since, now }: Sharing): readonly Shut[] {
  const within = (at: number) => Math.min(Math.max(at, begin), end);
  const opens = history ? within(since ?? begin) : end;
  const comes = within(Math.max(now, opens));
  return [
    { from: begin, to: opens, why: 'not-shared' as const },
    { from: comes, to: end, why: 'to-come' as const },
  ].filter(({ from, to }) => from < to);
}

/**
 * @param events newest first
 * @param slack seconds beside an event that still count
 * @returns the event at a moment: one that was happening, the newest of several; else the nearest
 */
export function eventAt(
  events: readonly EventRecord[],
  at: number,
  slack: number,
  now: number,
): EventRecord | undefined {
  let nearest: EventRecord | undefined;
  let least = slack;
  for (const event of events) {
    if (event.start_time <= at && at <= endOf(event, now)) return event;
    const distance = Math.min(Math.abs(event.start_time - at), Math.abs(endOf(event, now) - at));
    if (distance > least || (distance === least && nearest !== undefined)) continue;
    nearest = event;
    least = distance;
  }
  return nearest;
}

/** @param events newest first. @returns the last event before a moment, and the first after it */
export function around(
  events: readonly EventRecord[],
  at: number,
): { readonly before: EventRecord | undefined; readonly after: EventRecord | undefined } {
  const place = events.findIndex(({ start_time: start }) => start < at);
  const after = events.findLast(({ start_time: start }) => start > at);
  return { before: place === -1 ? undefined : events[place], after };
}

/**
 * @param newest of the day, with all that is known of them by now
 * @param most how many of them were asked for
 * @returns the events with them, the same list when nothing is new; `undefined` when events between may be missing
 */
export function withNews(
  events: readonly EventRecord[],
  newest: readonly EventRecord[],
  most: number,
): readonly EventRecord[] | undefined {
  const news = new Map(newest.map((event) => [event.id, event]));
  const known = new Set(events.map(({ id }) => id));
  const fresh = newest.filter(({ id }) => !known.has(id));
  if (fresh.length === newest.length && newest.length >= most) return undefined;
  const kept = events.map((event) => {
    const next = news.get(event.id);
    return next === undefined || JSON.stringify(next) === JSON.stringify(event) ? event : next;
  });
  const isSame = fresh.length === 0 && kept.every((event, place) => event === events[place]);
  return isSame ? events : [...fresh, ...kept].toSorted((a, b) => b.start_time - a.start_time);
}
