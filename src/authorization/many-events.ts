import type { Authentication } from '../policy/identity.ts';
import type { AuthorizationRequest } from '../policy/authorization-request.ts';
import { evaluate, type Rules } from '../policy/evaluate.ts';
import type { RecordedCameras } from '../policy/resource.ts';
import type { RoundRobin, Sliced } from '../round-robin.ts';

/** Events and reviews that are looked up in one slice: a fraction of a millisecond. */
const atOnce = 50;

// Ids of a recorder's have more than twenty characters; shorter ones, which nothing has, are looked up faster.
const longUri = 1_024;

/** Whether a request may name more events or reviews than can be looked up while everybody else waits. */
export function mayNameManyEvents({ uri = '', body }: AuthorizationRequest): boolean {
  return uri.length > longUri || (body instanceof Uint8Array && body.length > longUri);
}

/**
 * Looks up what the decision on such a request will ask of the recorder's database, in slices.
 * @returns the recorder for that decision; whatever it is asked beside that, it looks up
 */
export async function lookUpAhead(
  request: AuthorizationRequest,
  authentication: Authentication,
  rules: Rules,
  roundRobin: RoundRobin,
): Promise<RecordedCameras> {
  const { recorded } = rules;
  if ('refused' in authentication) return recorded;
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
  evaluate(request, authentication, { ...rules, recorded: noted });
  if (events.length + reviews.length <= atOnce) return recorded;
  const { user } = authentication.identity;
  const ofEvents = await roundRobin.run(user, camerasOfEventsInSlices(events, recorded));
  const ofReviews = await roundRobin.run(user, camerasOfReviewsInSlices(reviews, recorded));
  const isAsked = (ids: readonly string[]) =>
    ids.length === events.length && ids.every((id, index) => id === events[index]);
  return {
    ...recorded,
    camerasOfEvents: (ids) => (isAsked(ids) ? ofEvents : recorded.camerasOfEvents(ids)),
    camerasOfReview: (id) => ofReviews.get(id) ?? recorded.camerasOfReview(id),
  };
}

function* camerasOfEventsInSlices(
  ids: readonly string[],
  { camerasOfEvents }: RecordedCameras,
): Sliced<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (let from = 0; from < ids.length; from += atOnce) {
    if (from > 0) yield;
    for (const [id, camera] of camerasOfEvents(ids.slice(from, from + atOnce))) found.set(id, camera);
  }
  return found;
}

function* camerasOfReviewsInSlices(
  ids: readonly string[],
  { camerasOfReview }: RecordedCameras,
): Sliced<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const [index, id] of ids.entries()) {
    if (index > 0 && index % atOnce === 0) yield;
    found.set(id, camerasOfReview(id));
  }
  return found;
}
