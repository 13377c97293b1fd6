import type { AccessRule } from '../access-rule.ts';
import type { RequestContext } from '../request-context.ts';
import { isConfigurationPath } from '../recorder/masked-configuration.ts';
import { readBody } from '../recorder/named-in-body.ts';
import { readPairs } from '../query-pairs.ts';
import type { Reason } from '../reasons.ts';
import type { Resource } from '../resource.ts';
import type { ResolveResource } from '../rule-tree.ts';

/** When rows of the recorder's database begin. Seconds since the epoch. */
export interface RecordedTimes {
  /** @returns by id, for the events that exist */
  startsOfEvents(ids: readonly string[]): ReadonlyMap<string, number>;
  /** @param name id of an export, or the file name of its video or thumbnail */
  startsOfExport(name: string): readonly number[];
  startsOfReview(id: string): readonly number[];
}

type TooEarly = Extract<Reason, 'before_schedule' | 'time_unreadable'>;

/** A request for recordings. */
export interface Asked {
  readonly rule: AccessRule;
  readonly path: string;
  /** As passed on. */
  readonly query: string;
  /** Before the recorder is asked for its cameras. */
  readonly resource: Resource;
}

interface Lookup {
  readonly resolveResource: ResolveResource;
  readonly recordedTimes?: RecordedTimes | undefined;
}

/**
 * Checks whether a request is only for recordings since a moment, or for nothing recorded. Nothing is guessed: a time that cannot be
 * read is refused, and so is anything made from all recordings.
 * @param since milliseconds since the epoch
 * @returns the reason to refuse, or undefined
 */
export function refuseBefore(
  since: number,
  asked: Asked,
  request: Pick<RequestContext, 'body' | 'headers'>,
  lookup: Lookup,
): TooEarly | undefined {
  const { rule, path } = asked;
  const recorded = rule.recorded ?? (isConfigurationPath(path) ? 'now' : undefined);
  if (recorded === 'now' || asked.resource.kind === 'own-account') return undefined;
  const times = recorded === undefined || recorded === 'ever' ? undefined : find[recorded](asked, lookup);
  const tooEarly = compare(since, times);
  return tooEarly ?? refuseBody(since, asked.resource, request, lookup);
}

/** @returns the times at which the resource begins, in seconds since the epoch; undefined if they cannot be read */
type FindTimes = (asked: Asked, lookup: Lookup) => readonly number[] | undefined;

const find: Readonly<Record<Exclude<NonNullable<AccessRule['recorded']>, 'now' | 'ever'>, FindTimes>> = {
  start: ({ rule, path }) => readPeriod(segmentsFrom('start', rule, path)),
  frame: ({ rule, path }) => one(readTime(segmentsFrom('recordings', rule, path)?.[1])),
  hour: ({ rule, path }) => one(earliestOfHour(segmentsFrom('*', rule, path))),
  segment: ({ rule, path }) => one(beginOfSegment(segmentsFrom('*', rule, path))),
  file: ({ rule, path }) =>
    timesInName(segmentsFrom(':file', rule, path)?.[0] ?? path.slice(path.lastIndexOf('/') + 1)),
  after: ({ query }) => one(readAfter(query)),
  row: (asked, { recordedTimes }) => recordedTimes && startsOfRows(asked, recordedTimes),
  source: ({ query }, { recordedTimes }) => recordedTimes && startsOfSources(query, recordedTimes),
  // Its own check reads the names in it.
  body: () => [],
};

function compare(since: number, times: readonly number[] | undefined): TooEarly | undefined {
  if (times === undefined || times.some((time) => !Number.isFinite(time))) return 'time_unreadable';
  return times.every((time) => time * 1_000 >= since) ? undefined : 'before_schedule';
}

const one = (time: number | undefined) => (time === undefined ? undefined : [time]);

/** Plain decimals: servers may read another notation as another number. */
function readTime(text = ''): number | undefined {
  return /^\d{1,12}(?:\.\d{1,9})?$/.test(text) ? Number(text) : undefined;
}

/**
 * The times of `start`, time, `end`, time. Both count: if the end lies before the start, a recorder finds everything that begins before
 * the start and ends after the end.
 */
function readPeriod(segments: readonly string[] = []): readonly number[] | undefined {
  const [, start, literal, end] = segments;
  const times = [readTime(start), readTime(end)].filter((time) => time !== undefined);
  return literal === 'end' && times.length === 2 ? times : undefined;
}

/** @returns the segments of a path from the position at which its rule has this one first; undefined if it has none */
function segmentsFrom(pattern: string, rule: AccessRule, path: string): readonly string[] | undefined {
  const place = rule.path.split('/').indexOf(pattern);
  return place === -1 ? undefined : path.split('/').slice(place);
}

/** For `2026-12`, `20`, `18`, in the time zone that is ahead of all others, since the recorder may use any. */
function earliestOfHour([month = '', day = '', hour = '']: readonly string[] = []): number | undefined {
  const begins = hourInUtc(`${month}-${day.padStart(2, '0')}`, hour.padStart(2, '0'));
  return begins === undefined ? undefined : begins - 14 * 3_600;
}

/** For `2026-12-20`, `18`, a camera and optionally `07.30.mp4`: UTC, as recorders name their files. */
function beginOfSegment(segments: readonly string[] = []): number | undefined {
  const [day = '', hour = '', , file = '', ...rest] = segments;
  const begins = hourInUtc(day, hour);
  const [, minute = 0, second = 0] = (rest.length === 0 && /^([0-5]\d)\.([0-5]\d)\.mp4$/.exec(file)) || [];
  return begins === undefined ? undefined : begins + Number(minute) * 60 + Number(second);
}

function hourInUtc(day: string, hour: string): number | undefined {
  if (!/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(day) || !/^(?:[01]\d|2[0-3])$/.test(hour))
    return undefined;
  return Date.parse(`${day}T${hour}:00:00Z`) / 1_000;
}

/** Every time between hyphens in a name: an event's id, the begin and end of a preview, a preview's frame. */
function timesInName(name: string): readonly number[] | undefined {
  const times = [...name.matchAll(/(?<=^|-)\d{9,12}(?:\.\d+)?(?=[-.])/g)].map(([time]) => Number(time));
  return times.length === 0 ? undefined : times;
}

const afterParameter = /^[^a-z0-9_]*after(?![a-z0-9_-])/;
const paddingParameter = /^[^a-z0-9_]*padding(?![a-z0-9_-])/;
const sourceParameter = /^[^a-z0-9_]*source_id(?![a-z0-9_-])/;

/** @returns the value of a parameter that occurs once, in plain spelling; undefined otherwise; null if it is absent */
function readParameter(query: string, name: string, parameter: RegExp): string | null | undefined {
  if (query === '') return null;
  const meant = readPairs(query, parameter)?.filter(({ isNamed }) => isNamed);
  if (meant === undefined || meant.length > 1) return undefined;
  const [pair] = meant;
  if (pair === undefined) return null;
  return pair.text.startsWith(`${name}=`) ? pair.text.slice(name.length + 1) : undefined;
}

function readAfter(query: string): number | undefined {
  return readTime(readParameter(query, 'after', afterParameter) ?? undefined);
}

/**
 * Raises `after` of a query to a moment, or adds it.
 * @param since milliseconds since the epoch
 * @returns undefined if servers may read different parameters in the query
 */
export function raiseAfter(query: string, since: number): string | undefined {
  if ((readAfter(query) ?? Number.NEGATIVE_INFINITY) * 1_000 >= since) return query;
  const pairs = query === '' ? [] : readPairs(query, afterParameter);
  const others = pairs?.flatMap(({ text, isNamed }) => (isNamed ? [] : [text]));
  return others && [...others, `after=${Math.ceil(since / 1_000)}`].join('&');
}

/** `padding` of an event moves the begin of what is shown before that of the row. */
function startsOfRows({ query, resource }: Asked, times: RecordedTimes): readonly number[] | undefined {
  const padding = readParameter(query, 'padding', paddingParameter);
  const seconds = padding === null ? 0 : readTime(padding);
  if (seconds === undefined || resource.kind !== 'recorded') return undefined;
  return startsIn(resource.in, resource.ids, times).map((start) => start - seconds);
}

function startsIn(
  table: 'events' | 'exports' | 'reviews',
  ids: readonly string[],
  times: RecordedTimes,
): readonly number[] {
  if (table === 'events') return [...times.startsOfEvents(ids).values()];
  return ids.flatMap((id) => (table === 'exports' ? times.startsOfExport(id) : times.startsOfReview(id)));
}

/** For a timeline: the events in its query, all of which have to exist. */
function startsOfSources(query: string, times: RecordedTimes): readonly number[] | undefined {
  const ids = readParameter(query, 'source_id', sourceParameter)?.split(',') ?? [];
  if (ids.length === 0 || !ids.every((id) => /^[\w.-]+$/.test(id))) return undefined;
  const starts = times.startsOfEvents(ids);
  return ids.every((id) => starts.has(id)) ? [...starts.values()] : undefined;
}

/** Checks the names in a body that has been read; while it is still to come, the decision is made again later. */
function refuseBody(
  since: number,
  resource: Resource,
  { body, headers }: Pick<RequestContext, 'body' | 'headers'>,
  lookup: Lookup,
): TooEarly | undefined {
  const names = resource.kind === 'in-body' || resource.kind === 'cameras' ? resource.names : undefined;
  if (names === undefined || !(body instanceof Uint8Array)) return undefined;
  const named = readBody(names, body, headers);
  const { recordedTimes } = lookup;
  if (named === undefined || recordedTimes === undefined) return 'time_unreadable';
  const reviews = startsIn('reviews', named.reviews, recordedTimes);
  const images = named.images.map((path) => {
    const image = lookup.resolveResource({ path, query: '' }, 'GET');
    return refuseBefore(since, { ...image, path, query: '' }, { headers }, lookup);
  });
  return compare(since, [...named.times, ...reviews]) ?? images.find((refused) => refused !== undefined);
}
