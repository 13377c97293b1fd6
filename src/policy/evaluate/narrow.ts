import type { AccessRule } from '../access-rule.ts';
import { passesOnItself, type RequestContext } from '../request-context.ts';
import { sentPath, type CanonicalUri } from '../canonical-uri.ts';
import type { Grant } from '../grant.ts';
import { readPairs, type QueryPair } from '../query-pairs.ts';
import type { Reason } from '../reasons.ts';
import { raiseAfter } from './recorded-since.ts';

/** A query of a list that names granted cameras alone: the list is then filtered, whatever the recorder knows of roles. */
interface NarrowedQuery {
  readonly query: string;
  readonly cameras: readonly string[];
}

/** A query in the request target, in origin-form, to pass on in place of the one that was asked for. */
export interface Narrowed {
  readonly uri: string;
  readonly query: string;
  /** Undefined: those that were asked for. */
  readonly cameras: readonly string[] | undefined;
}

/** Why a query is not narrowed. */
export interface NotNarrowed {
  /** `camera_not_granted`: it names cameras, none of which is granted. `cameras_too_many`: the filter would be too long. */
  readonly reason: Extract<Reason, 'camera_not_granted' | 'cameras_too_many'>;
}

/**
 * Narrows the query of a list to the cameras of a grant, and to what was recorded since a moment, where the front passes on what the
 * decision says.
 * @param since milliseconds since the epoch; undefined: whenever it was recorded
 * @returns undefined, when the request stays what it is: nothing has to be changed, or servers may read the query differently
 */
export function narrow(
  request: RequestContext,
  { path, query }: CanonicalUri,
  { filter, recorded }: AccessRule,
  grant: Grant,
  since?: number,
): Narrowed | NotNarrowed | undefined {
  const isBounded = since !== undefined && recorded === 'after';
  if ((filter === undefined || grant === 'all') && !isBounded) return undefined;
  if (request.narrows !== true && !passesOnItself(request.front)) return undefined;
  // In other letters it may be a list to some servers alone.
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

/** Bytes: nginx, which recorders have before them, takes a request line of 8 KiB. */
const longestUri = 8_000;

/**
 * @param most characters that the query may have
 * @returns the query with the parameter once, in plain spelling, with names of granted cameras; the rest of it as it was sent
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

/** What RFC 3986 allows in a query, and brackets: what servers and the configurations of fronts read as it stands. */
const plainQuery = /^[\w.~!$&'()*+,:@/%=[\]-]*$/;

/** Whether a name is the same however often it is decoded, alone and among others. */
function isPlainName(name: string): boolean {
  const isWhole = name !== '' && name.trim() === name && name.toLowerCase() !== 'all' && name.isWellFormed();
  return isWhole && !/[%+,&;?=#\u0000-\u001f\u007f]/.test(name);
}

/** @returns the cameras that a query names, however it spells the parameter; empty names and `all` are none */
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

/** @returns the query with one pair in the place of the first that names cameras, and without the others; at its end otherwise */
function withPair(pairs: readonly QueryPair[], written: string): string {
  const first = pairs.findIndex(({ isNamed }) => isNamed);
  const texts = pairs.flatMap(({ text, isNamed }, index) => {
    if (index === first) return [written];
    return isNamed ? [] : [text];
  });
  return (first === -1 ? [...texts, written] : texts).join('&');
}
