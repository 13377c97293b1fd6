import { randomBytes } from 'node:crypto';
import type { RequestContext } from '../policy/request-context.ts';
import type { Decision } from '../policy/decision.ts';
import type { Resource } from '../policy/resource.ts';
import type { ExplainedRequest } from './explain.ts';

/** The part of a decision that is kept to explain it later. */
interface DecisionRecord {
  readonly request: ExplainedRequest;
  readonly decision: Decision;
}

interface KeptRecord extends DecisionRecord {
  readonly id: string;
  readonly at: Date;
}

interface Entry extends DecisionRecord {
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Whether a text has the form of a decision's id, from any run of the program. */
export function isDecisionId(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-z]{1,11}$/.test(text);
}

/** The last decisions, by id. */
export interface DecisionLog {
  /**
   * @param at milliseconds since the epoch
   * @returns the id of the decision, unique to this run of the program
   */
  keep(request: RequestContext, decision: Decision, at: number): string;
  find(id: string): KeptRecord | undefined;
}

export function createDecisionLog(size = 10_000): DecisionLog {
  // Each takes the place of the one that came `size` before it.
  const entries: Entry[] = [];
  const run = randomBytes(4).toString('hex');
  const idOf = (number: number) => `${run}-${number.toString(36)}`;
  let count = 0;
  return {
    keep: (request, decision, at) => {
      const number = count;
      count += 1;
      entries[number % size] = { number, at, ...recordOf(request, decision) };
      return idOf(number);
    },
    find: (id) => {
      const found = entries[Number.parseInt(id.slice(run.length + 1), 36) % size];
      if (found === undefined || idOf(found.number) !== id) return undefined;
      const { request, decision, at } = found;
      return { request, decision, id, at: new Date(at) };
    },
  };
}

/** @returns the part of a decision that is kept, without holding on to the request's memory */
function recordOf(
  { entryPoint, front, fault, method, uri, body }: RequestContext,
  decision: Decision,
): DecisionRecord {
  const from = { entryPoint, front, fault, method };
  const identity = shortIdentity(decision.identity);
  const kept = identity === decision.identity ? decision : { ...decision, identity };
  // The resource and the target of a narrowed query name every granted camera.
  if (kept.outcome === 'allow' && kept.narrowed !== undefined) {
    const short = { narrowed: startOf(kept.narrowed.split('?', 1)[0]), path: startOf(kept.path) };
    const request = { ...from, uri: startOf(uri?.split('?', 1)[0]) };
    return { request, decision: { ...kept, ...short, resource: shortResource(kept.resource) } };
  }
  // The path and the names of the resource are slices of the URI, and a slice keeps the whole text in memory.
  const isShort = (uri === undefined || uri.length <= longestText) && !(body instanceof Uint8Array);
  if (isShort) return { request: { ...from, uri: uri?.split('?', 1)[0] }, decision: kept };
  return {
    request: { ...from, uri: startOf(uri?.split('?', 1)[0]) },
    decision: { ...kept, path: startOf(decision.path), resource: shortResource(decision.resource) },
  };
}

/** Characters. */
const longestText = 512;
const mostNames = 20;

/** @returns a copy of the start of a text, which may be as long as a request can be */
function startOf<T extends string | undefined>(text: T): T {
  if (text === undefined) return text;
  return Buffer.from(text.slice(0, longestText)).toString() as T;
}

function shortIdentity(identity: Decision['identity']): Decision['identity'] {
  if (identity === undefined) return undefined;
  const { groups, email, name } = identity;
  if (groups.length <= longestText && email.length <= longestText && name.length <= longestText)
    return identity;
  return { ...identity, groups: startOf(groups), email: startOf(email), name: startOf(name) };
}

function shortResource(resource: Resource | undefined): Resource | undefined {
  if (resource?.kind === 'cameras')
    return { ...resource, cameras: resource.cameras.slice(0, mostNames).map(startOf) };
  if (resource?.kind === 'recorded')
    return { ...resource, ids: resource.ids.slice(0, mostNames).map(startOf) };
  return resource;
}
