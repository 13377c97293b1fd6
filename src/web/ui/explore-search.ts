import type { Profile } from '../api-client.ts';

/** The filters of Explore; an empty one is off. */
export interface EventSearch {
  readonly cameras: readonly string[];
  readonly labels: readonly string[];
  /** A day, `2026-11-01`, or a minute, `2026-11-01T14:05`, in the browser's time zone. */
  readonly after: string;
  /** In the same form: a day counts to its end. */
  readonly before: string;
}

export const noSearch: EventSearch = { cameras: [], labels: [], after: '', before: '' };

/** Reads the query of an address; `camera` and `label` are from old addresses with only one of each. */
export function searchIn(query: Readonly<Record<string, string>>): EventSearch {
  const moment = (text = '') => (secondsOf(text) === undefined ? '' : text);
  return {
    cameras: namesIn(query['cameras'] ?? query['camera']),
    labels: namesIn(query['labels'] ?? query['label']),
    after: moment(query['after']),
    before: moment(query['before']),
  };
}

/** @returns the query of an address, with its question mark. Empty without a filter */
export function addressQuery({ cameras, labels, after, before }: EventSearch): string {
  const filters = { cameras: cameras.join(','), labels: labels.join(','), after, before };
  const text = textOf(Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '')));
  return text === '' ? '' : `?${text}`;
}

/**
 * The API query for the newest matching events.
 * @param profile with the cameras to name: a query that names none may be closed
 * @returns the query, or `undefined` if there is no camera to search
 */
export function apiQuery(
  { cameras, labels, after, before }: EventSearch,
  { role, allowed_cameras: allowed }: Pick<Profile, 'role' | 'allowed_cameras'>,
  limit: number,
): Record<string, string> | undefined {
  const named = cameras.length === 0 ? allowed : cameras;
  // Users who see all cameras may search cameras that no one has listed.
  if (named.length === 0 && role !== 'admin' && role !== 'viewer') return undefined;
  const from = secondsOf(after);
  const to = secondsOf(before, 1);
  return {
    limit: String(limit),
    ...(named.length === 0 ? {} : { cameras: named.join(',') }),
    ...(labels.length === 0 ? {} : { labels: labels.join(',') }),
    // `after` excludes its exact moment, which belongs to the day.
    ...(from === undefined ? {} : { after: String(from - 0.001) }),
    ...(to === undefined ? {} : { before: String(to) }),
  };
}

/**
 * @param days added if the text is a day
 * @returns seconds since the epoch, or `undefined` if the text is neither a day nor a minute
 */
export function secondsOf(text: string, days = 0): number | undefined {
  const found = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d))?$/.exec(text);
  if (found === null) return undefined;
  const [year = 0, month = 0, day = 0, hour, minute = 0] = found
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)));
  const isDay = hour === undefined;
  const date = new Date(year, month - 1, day + (isDay ? days : 0), hour ?? 0, minute);
  // Browsers turn the 31st of June into a day of July.
  const isThere = new Date(year, month - 1, day).getDate() === day && month >= 1 && month <= 12;
  return isThere && (hour ?? 0) < 24 && minute < 60 ? date.getTime() / 1000 : undefined;
}

/** Commas stay readable: they separate names, which contain none. */
export function textOf(query: Readonly<Record<string, string>>): string {
  return new URLSearchParams(query).toString().replaceAll('%2C', ',');
}

function namesIn(list = ''): readonly string[] {
  const names = list.split(',').map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}
