import type { Authentication } from '../policy/identity.ts';
import type { AuthorizationRequest } from '../policy/authorization-request.ts';
import { evaluate, type Rules } from '../policy/evaluate.ts';
import type { RecordedCameras } from '../policy/resource.ts';
import type { RoundRobin, Sliced } from '../round-robin.ts';

/** Events that are looked up in one slice: a fraction of a millisecond. */
const atOnce = 50;

// Ids of a recorder's have more than twenty characters; shorter ones, which nothing has, are looked up faster.
const longUri = 1_024;

/** Whether a request may name more events than can be looked up while everybody else waits. */
export function mayNameManyEvents({ uri = '' }: AuthorizationRequest): boolean {
  return uri.length > longUri;
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
  let asked: readonly string[] = [];
  const camerasOfEvents = (ids: readonly string[]) => {
    asked = ids;
    return new Map<string, string>();
  };
  evaluate(request, authentication, { ...rules, recorded: { ...recorded, camerasOfEvents } });
  if (asked.length <= atOnce) return recorded;
  const cameras = await roundRobin.run(authentication.identity.user, camerasInSlices(asked, recorded));
  const isAsked = (ids: readonly string[]) =>
    ids.length === asked.length && ids.every((id, index) => id === asked[index]);
  return { ...recorded, camerasOfEvents: (ids) => (isAsked(ids) ? cameras : recorded.camerasOfEvents(ids)) };
}

function* camerasInSlices(
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
