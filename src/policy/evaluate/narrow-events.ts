import { sentPath, type CanonicalUri } from '../canonical-uri.ts';
import { isPossibleId, tooManyIds } from '../event-ids.ts';
import { readPairs } from '../query-pairs.ts';
import { passesOnItself, type RequestContext } from '../request-context.ts';
import type { RecordedCameras, ResolvedResource, Resource } from '../resource.ts';
import { longestUri, withPair } from './narrow.ts';

/** A request for events by their ids, as it is passed on. */
interface NarrowedEvents {
  readonly resource: Resource;
  /** Absent when it is the client's own. */
  readonly uri?: string;
}

interface Lookup {
  readonly recorded: Pick<RecordedCameras, 'camerasOfEvents'>;
  readonly isCameraScoped: boolean;
}

const idsParameter = /^[^a-z0-9_]*ids(?![a-z0-9_-])/;

/** No event has it. */
const noId = 'none';

/**
 * Narrows a request for events, if the front passes on the target of the decision: without ids when there are too many to look up, so that
 * its answer is the same 422 for everyone, and for a camera-scoped token without those that are unknown here. The upstream gets only the
 * role of such a token, which sees more, and could have an event that was not found. Ids that are too long stay, for their 422.
 * @returns undefined if nothing is narrowed
 */
export function narrowEvents(
  request: RequestContext,
  { path, query }: CanonicalUri,
  { rule, resource }: ResolvedResource,
  { recorded, isCameraScoped }: Lookup,
): NarrowedEvents | undefined {
  if (rule.level !== 'camera-of-events') return undefined;
  if (request.narrows !== true && !passesOnItself(request.front)) return undefined;
  // In other letter case, only some servers may read it as a request for events.
  const sent = path === path.toLowerCase() ? sentPath(request.uri ?? '') : undefined;
  if (sent === undefined) return undefined;
  if (resource.kind === 'unresolved') return { resource: noEvents, uri: `${sent}?${tooManyIds}` };
  if (!isCameraScoped || resource.kind !== 'recorded' || resource.in !== 'events') return undefined;

  const found = recorded.camerasOfEvents(resource.ids.filter(isPossibleId));
  const known = { ...resource, ids: resource.ids.filter((id) => found.has(id)) };
  const kept = resource.ids.filter((id) => found.has(id) || !isPossibleId(id));
  const pairs = query === '' ? [] : readPairs(query, idsParameter);
  if (pairs === undefined) return undefined;
  const isPlain = pairs.every(({ text, isNamed }) => !isNamed || text.startsWith('ids='));
  if (isPlain && kept.length === resource.ids.length) return { resource: known };
  const ids = kept.length === 0 ? [noId] : kept;
  const uri = `${sent}?${withPair(pairs, `ids=${ids.map(encodeURIComponent).join(',')}`)}`;
  return uri.length > longestUri && !passesOnItself(request.front) ? undefined : { resource: known, uri };
}

const noEvents: Resource = { kind: 'recorded', in: 'events', ids: [], cameras: [], allThere: false };
