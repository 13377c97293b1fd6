import { scheduleStateOf, type Rules } from '../policy/evaluate/rules.ts';
import { accessOf } from '../policy/token-scope.ts';
import type { Authentication } from '../policy/identity.ts';
import type { RequestContext } from '../policy/request-context.ts';
import { evaluate } from '../policy/evaluate/evaluate.ts';
import type { RecordedCameras } from '../policy/resource.ts';
import type { RoundRobin, Sliced } from '../round-robin.ts';

/** Events and reviews per slice: a fraction of a millisecond. */
const atOnce = 50;

// A recorder's ids have more than twenty characters; shorter ones do not exist, and are looked up faster.
const longUri = 1_024;

/** Whether a request may name more events or reviews than can be looked up without delaying others. */
export function mayNameManyEvents({ uri = '', body }: RequestContext): boolean {
  return uri.length > longUri || (body instanceof Uint8Array && body.length > longUri);
}

/** The questions of a decision to the recorder's database. */
type Recorded = Pick<Rules, 'recorded' | 'recordedTimes'>;

/**
 * Looks up, in slices, what the decision on such a request will need from the recorder's database.
 * @returns the recorder for that decision; it looks up anything else on demand
 */
export async function lookUpAhead(
  request: RequestContext,
  authentication: Authentication,
  rules: Rules,
  roundRobin: RoundRobin,
): Promise<Recorded> {
  const { recorded, recordedTimes } = rules;
  const nothing = { recorded, recordedTimes };
  if ('refused' in authentication) return nothing;
  let events: readonly string[] = [];
  const reviews: string[] = [];
  const noted: RecordedCameras = {
    ...recorded,
    camerasOfEvents: (ids) => {
      events = ids;
      return new Map();
    },
    camerasOfReview: (id) => {
      reviews.push(id);
      return [];
    },
  };
  evaluate(request, authentication, { ...rules, recorded: noted, recordedTimes: undefined });
  if (events.length + reviews.length <= atOnce) return nothing;
  const { identity } = authentication;
  const { user } = identity;
  const ofEvents = <T>(lookUp: (ids: readonly string[]) => ReadonlyMap<string, T>) =>
    roundRobin
      .run(user, eventsInSlices(events, lookUp))
      .then((found) => (ids: readonly string[]) => (isSame(ids, events) ? found : lookUp(ids)));
  const ofReviews = <T>(lookUp: (id: string) => readonly T[]) =>
    roundRobin
      .run(user, reviewsInSlices(reviews, lookUp))
      .then((found) => (id: string) => found.get(id) ?? lookUp(id));
  const cameras: RecordedCameras = {
    ...recorded,
    camerasOfEvents: await ofEvents(recorded.camerasOfEvents),
    camerasOfReview: await ofReviews(recorded.camerasOfReview),
  };
  const schedule = scheduleStateOf(accessOf(identity, rules.roles), identity.token, rules);
  if (recordedTimes === undefined || schedule?.since === undefined)
    return { recorded: cameras, recordedTimes };
  return {
    recorded: cameras,
    recordedTimes: {
      ...recordedTimes,
      startsOfEvents: await ofEvents(recordedTimes.startsOfEvents),
      startsOfReview: await ofReviews(recordedTimes.startsOfReview),
    },
  };
}

function isSame(ids: readonly string[], others: readonly string[]): boolean {
  return ids.length === others.length && ids.every((id, index) => id === others[index]);
}

function* eventsInSlices<T>(
  ids: readonly string[],
  lookUp: (ids: readonly string[]) => ReadonlyMap<string, T>,
): Sliced<ReadonlyMap<string, T>> {
  const found = new Map<string, T>();
  for (let from = 0; from < ids.length; from += atOnce) {
    if (from > 0) yield;
    for (const [id, one] of lookUp(ids.slice(from, from + atOnce))) found.set(id, one);
  }
  return found;
}

function* reviewsInSlices<T>(
  ids: readonly string[],
  lookUp: (id: string) => readonly T[],
): Sliced<ReadonlyMap<string, readonly T[]>> {
  const found = new Map<string, readonly T[]>();
  for (const [index, id] of ids.entries()) {
    if (index > 0 && index % atOnce === 0) yield;
    found.set(id, lookUp(id));
  }
  return found;
}
