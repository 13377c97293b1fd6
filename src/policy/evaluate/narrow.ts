import type { AccessRule } from '../access-rule.ts';
import { passesOnItself, type RequestContext } from '../request-context.ts';
import { sentPath, type CanonicalUri } from '../canonical-uri.ts';
import type { Grant } from '../grant.ts';
import { readPairs, type QueryPair } from '../query-pairs.ts';
import type { Reason } from '../reasons.ts';
import { raiseAfter } from './recorded-since.ts';

/** The query of a list, with granted cameras only: the list is then filtered, even if the recorder does not have the role. */
interface NarrowedQuery {
  readonly query: string;
  readonly cameras: readonly string[];
}

/** A query, in a request target in origin-form, to pass on instead of the original. */
interface Narrowed {
  readonly uri: string;
  readonly query: string;
  /** Absent when the cameras are those of the original. */
  readonly cameras: readonly string[] | undefined;
}

/** Why a query is not narrowed. */
interface NotNarrowed {
  /** `camera_not_granted`: it names cameras, none of them granted. `cameras_too_many`: the filter would be too long. */
  readonly reason: Extract<Reason, 'camera_not_granted' | 'cameras_too_many'>;
}

/**
 * Narrows the query of a list to granted cameras, and to recordings since a moment, if the front passes on the target of the decision.
 * @param since milliseconds since the epoch; `undefined` for recordings of any time
 * @returns undefined if the request stays as it is: nothing has to change, or servers may read the query differently
 */
export function narrow(
  request: RequestContext,
  { path, query }: CanonicalUri,
  { filter, recorded }: AccessRule,
  { grant, since }: { readonly grant: Grant; readonly since?: number | undefined },
): Narrowed | NotNarrowed | undefined {
  const isBounded = since !== undefined && recorded === 'after';
  if ((filter === undefined || grant === 'all') && !isBounded) return undefined;
  if (request.narrows !== true && !passesOnItself(request.front)) return undefined;
  // In other letter case, only some servers may read it as a list.
  const sent = path === path.toLowerCase() ? sentPath(request.uri ?? '') : undefined;
  if (sent === undefined || !plainQuery.test(query)) return undefined;
  const bounded = isBounded ? raiseAfter(query, since) : query;
  if (bounded === undefined) return undefined;
  const most = longestUri - sent.length - 1;
  const byCameras =
    filter === undefined || grant === 'all' ? undefined : narrowQuery(filter, bounded, grant, most);
  if (byCameras !== undefined && 'reason' in byCameras) return byCameras;
  const narrowed = byCameras?.query ?? bounded;
  if (narrowed === query || narrowed.length > most) return undefined;
  return { query: narrowed, cameras: byCameras?.cameras, uri: `${sent}?${narrowed}` };
}

/** Bytes: nginx, which recorders put in front, accepts a request line of 8 KiB. */
export const longestUri = 8_000;

/**
 * @param most maximum length of the query in characters
 * @returns the query with the parameter once, in plain spelling, with names of granted cameras; the rest is unchanged
 */
export function narrowQuery(
  filter: 'camera' | 'cameras',
  query: string,
  grant: ReadonlySet<string>,
  most: number,
): NarrowedQuery | NotNarrowed | undefined {
  if (!plainQuery.test(query)) return undefined;
  const pairs = query === '' ? [] : readPairs(query);
  if (pairs === undefined) return undefined;
  const asked = camerasOf(pairs);
  const cameras = asked.size === 0 ? grant : asked.intersection(grant);
  if (asked.size > 0 && cameras.size === 0) return { reason: 'camera_not_granted' };
  if (cameras.size === 0 || (filter === 'camera' && cameras.size > 1)) return undefined;

  let written = `${filter}=`;
  for (const camera of cameras) {
    if (!isPlainName(camera)) return undefined;
    if (written.length > most) break;
    written += `${written.endsWith('=') ? '' : ','}${encodeURIComponent(camera)}`;
  }
  const narrowed = withPair(pairs, written);
  return narrowed.length > most ? { reason: 'cameras_too_many' } : { query: narrowed, cameras: [...cameras] };
}

/** Characters that RFC 3986 allows in a query, and brackets: that servers and front configurations read alike. */
const plainQuery = /^[\w.~!$&'()*+,:@/%=[\]-]*$/;

/** Whether a name stays the same however often it is decoded, by itself or in a list. */
function isPlainName(name: string): boolean {
  const isWhole = name !== '' && name.trim() === name && name.toLowerCase() !== 'all' && name.isWellFormed();
  return isWhole && !/[%+,&;?=#\u0000-\u001f\u007f]/.test(name);
}

/** @returns the cameras that a query names, in any spelling of the parameter, without empty names and `all` */
function camerasOf(pairs: readonly QueryPair[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { text, isNamed } of pairs) {
    if (!isNamed) continue;
    const [value = ''] = new URLSearchParams(text).values();
    for (const part of value.split(',')) {
      const name = part.trim();
      if (name !== '' && name.toLowerCase() !== 'all') names.add(name);
    }
  }
  return names;
}

/** @returns the query with one pair in place of those that name cameras, at the position of the first, or else at the end */
export function withPair(pairs: readonly QueryPair[], written: string): string {
  const first = pairs.findIndex(({ isNamed }) => isNamed);
  const texts = pairs.flatMap(({ text, isNamed }, index) => {
    if (index === first) return [written];
    return isNamed ? [] : [text];
  });
  return (first === -1 ? [...texts, written] : texts).join('&');
}

/**
 * Whether a request is for a list of all cameras, unless the upstream filters it by role. A list whose query names its cameras
 * does not count: the answer has nothing else, for any client.
 */
export function isUnfilteredList(
  { level, filter, isFilterNew, unfilteredWith }: AccessRule,
  query: string,
): boolean {
  if (level !== 'list') return false;
  if (filter === undefined || isFilterNew === true || !isFiltered(filter, query)) return true;
  return unfilteredWith !== undefined && mayName(unfilteredWith, query);
}

/** Whether some server could find the parameter in a query. */
function mayName(parameter: string, query: string): boolean {
  const pairs = readPairs(query, new RegExp(`^[^a-z0-9_]*${parameter}(?![a-z0-9_-])`));
  return pairs === undefined || pairs.some(({ isNamed }) => isNamed);
}

/**
 * Whether every server reads the same cameras from a query: the parameter once, in plain spelling, with names only, and without the
 * other parameter. Of two values, some servers take the first and some the last; some read an empty name or `all` as all cameras.
 */
function isFiltered(parameter: string, query: string): boolean {
  const naming = readPairs(query)?.filter(({ isNamed }) => isNamed) ?? [];
  const [pair, ...others] = naming;
  if (pair === undefined || others.length > 0 || !pair.text.startsWith(`${parameter}=`)) return false;
  const names = new URLSearchParams(pair.text).get(parameter)?.split(',') ?? [];
  return names.every((name) => name !== '' && name.trim() === name && name.toLowerCase() !== 'all');
}
