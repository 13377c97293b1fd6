import { judge, type Rules } from '../policy/judge.ts';
import type { Identification } from '../policy/identify.ts';
import type { RecordedCameras } from '../policy/target.ts';
import type { AccessRequest } from '../policy/verdict.ts';
import type { RoundRobin, Sliced } from '../round-robin.ts';

/** Events that are looked up in one slice: a fraction of a millisecond. */
const atOnce = 50;

// Ids of a recorder's have more than twenty characters; shorter ones, which nothing has, are looked up faster.
const longUri = 1_024;

/** Whether a request may name more events than can be looked up while everybody else waits. */
export function mayNameManyEvents({ uri = '' }: AccessRequest): boolean {
  return uri.length > longUri;
}

/**
 * Looks up what the verdict on such a request will ask of the recorder's database, in slices.
 * @returns the recorder for that verdict; whatever it is asked beside that, it looks up
 */
export async function lookUpAhead(
  request: AccessRequest,
  identification: Identification,
  rules: Rules,
  roundRobin: RoundRobin,
): Promise<RecordedCameras> {
  const { recorded } = rules;
  if ('refused' in identification) return recorded;
  let asked: readonly string[] = [];
  const camerasOfEvents = (ids: readonly string[]) => {
    asked = ids;
    return new Map<string, string>();
  };
  judge(request, identification, { ...rules, recorded: { ...recorded, camerasOfEvents } });
  if (asked.length <= atOnce) return recorded;
  const cameras = await roundRobin.run(identification.subject.user, camerasInSlices(asked, recorded));
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
