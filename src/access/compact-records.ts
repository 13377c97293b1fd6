import { mayNothing, type Capability, type May } from '../policy/capability.ts';
import type { RequestContext, EntryPoint, Front } from '../policy/request-context.ts';
import type { AccessRule } from '../policy/access-rule.ts';
import type { Decision } from '../policy/decision.ts';
import { noCameras, type Grant } from '../policy/grant.ts';
import type { Identity } from '../policy/identity.ts';
import type { Reason } from '../policy/reasons.ts';
import type { Resource } from '../policy/resource.ts';
import type { ExplainedRequest } from './explain.ts';

/** The part of a decision that is kept to explain it later. */
export interface DecisionRecord {
  readonly request: ExplainedRequest;
  readonly decision: Decision;
}

/**
 * Places for records of plain decisions, which are overwritten in turn: texts as bytes, everything else as references to objects that
 * live longer anyway. Other objects that are kept per request outlive a collection of the young generation, which copies
 * them: with a record of ten objects in each place, one collection took 13 milliseconds, every 4,000 decisions; with these, 0.3.
 */
export interface CompactRecords {
  /** @returns false if the decision is not a plain one: it is not kept then */
  put(place: number, request: RequestContext, decision: Decision): boolean;
  /** @returns the last record of this place */
  get(place: number): DecisionRecord;
}

interface Place {
  entryPoint: EntryPoint;
  front: Front | undefined;
  method: string;
  outcome: Decision['outcome'];
  reason: Reason;
  identity: Identity | undefined;
  grant: Grant | undefined;
  may: May | undefined;
  missing: Capability | undefined;
  rule: AccessRule | undefined;
  /** Undefined: given by `form`, and possibly a name among the bytes. */
  resource: Resource | undefined;
  form: Form | undefined;
  pathBytes: number;
  nameBytes: number;
}

/** Resources that are described completely by a name. */
type Form = 'camera' | 'event' | 'exports' | 'reviews';

// Bytes.
const longestPath = 384;
const longestName = 128;
const placeBytes = longestPath + longestName;
/** Users of a proxy may have hundreds of groups. */
const longestGroups = 512;

/** Places that get their bytes together, on demand, so that an idle gate uses little memory. */
const slabPlaces = 256;

export function createCompactRecords(): CompactRecords {
  const slabs: Buffer[] = [];
  const places: Place[] = [];

  const slabOf = (index: number): Buffer =>
    (slabs[Math.floor(index / slabPlaces)] ??= Buffer.alloc(slabPlaces * placeBytes));

  /** @returns the number of bytes; undefined if the text does not fit, or is not ASCII */
  const write = (bytes: Buffer, text: string, at: number, most: number): number | undefined => {
    if (text.length > most) return undefined;
    // In UTF-8, ASCII takes one byte per character.
    const written = bytes.write(text, at, most, 'utf8');
    return written === text.length ? written : undefined;
  };

  return {
    put: (index, request, decision) => {
      const { uri, fault, entryPoint, front } = request;
      const { path, identity, rule, outcome, reason } = decision;
      if (outcome === 'allow' ? decision.narrowed !== undefined : decision.opening !== undefined)
        return false;
      const method = knownMethod(request.method);
      if (fault !== undefined || uri === undefined || path === undefined || method === undefined)
        return false;
      if (!isPathOf(uri, path) || (identity !== undefined && !isShort(identity))) return false;
      const bytes = slabOf(index);
      const at = (index % slabPlaces) * placeBytes;
      const pathBytes = write(bytes, path, at, longestPath);
      if (pathBytes === undefined) return false;
      const { resource } = decision;
      const form = formOf(resource);
      const nameBytes =
        form === undefined ? 0 : write(bytes, nameOf(resource), at + longestPath, longestName);
      // The other resources are constants if they have no name.
      if (nameBytes === undefined || (form === undefined && hasNames(resource))) return false;
      const place = (places[index] ??= emptyPlace());
      place.entryPoint = entryPoint;
      place.front = front;
      place.method = method;
      place.outcome = outcome;
      place.reason = reason;
      place.identity = identity;
      place.grant = decision.outcome === 'allow' ? decision.grant : undefined;
      place.may = decision.outcome === 'allow' ? decision.may : undefined;
      place.missing = decision.outcome === 'allow' ? undefined : decision.missing;
      place.rule = rule;
      place.resource = form === undefined ? resource : undefined;
      place.form = form;
      place.pathBytes = pathBytes;
      place.nameBytes = nameBytes;
      return true;
    },

    get: (index) => {
      const place = places[index] ?? emptyPlace();
      const { entryPoint, front, method, outcome, reason, identity, grant, may, missing, rule, form } = place;
      const bytes = slabOf(index);
      const start = (index % slabPlaces) * placeBytes;
      const path = bytes.toString('latin1', start, start + place.pathBytes);
      const nameStart = start + longestPath;
      const name = bytes.toString('latin1', nameStart, nameStart + place.nameBytes);
      const resource = form === undefined ? place.resource : resourceOf(form, name);
      const basis = { reason, identity, path, rule, resource };
      return {
        request: { entryPoint, front, fault: undefined, method, uri: path },
        decision:
          outcome === 'allow'
            ? { ...basis, outcome, grant: grant ?? noCameras, may: may ?? mayNothing }
            : { ...basis, outcome, ...(missing === undefined ? {} : { missing }) },
      };
    },
  };
}

function emptyPlace(): Place {
  return {
    entryPoint: 'authenticated',
    front: undefined,
    method: '',
    outcome: 'forbidden',
    reason: 'failure',
    identity: undefined,
    grant: undefined,
    may: undefined,
    missing: undefined,
    rule: undefined,
    resource: undefined,
    form: undefined,
    pathBytes: 0,
    nameBytes: 0,
  };
}

const methods = new Map(
  ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => [method, method]),
);

/** @returns the program's own string, so that the request's is not kept in memory */
function knownMethod(method: string | undefined): string | undefined {
  return method === 'GET' ? 'GET' : methods.get(method ?? '');
}

/** Whether the path is spelt in the URI as the gate reads it: otherwise it is kept too. */
function isPathOf(uri: string, path: string): boolean {
  return uri.startsWith(path) && (uri.length === path.length || uri[path.length] === '?');
}

function isShort({ groups, email, name }: Identity): boolean {
  return groups.length <= longestGroups && email.length <= longestGroups && name.length <= longestGroups;
}

function hasNames(resource: Resource | undefined): boolean {
  return resource?.kind === 'cameras' || resource?.kind === 'recorded';
}

function formOf(resource: Resource | undefined): Form | undefined {
  if (resource?.kind === 'cameras') return resource.cameras.length === 1 ? 'camera' : undefined;
  if (resource?.kind !== 'recorded' || resource.ids.length !== 1) return undefined;
  if (resource.in !== 'events') return resource.in;
  return resource.allThere && resource.cameras.length === 0 ? 'event' : undefined;
}

function nameOf(resource: Resource | undefined): string {
  if (resource?.kind === 'cameras') return resource.cameras[0] ?? '';
  return resource?.kind === 'recorded' ? (resource.ids[0] ?? '') : '';
}

function resourceOf(form: Form, name: string): Resource {
  if (form === 'camera') return { kind: 'cameras', cameras: [name] };
  if (form === 'event') return { kind: 'recorded', in: 'events', ids: [name], cameras: [], allThere: true };
  return { kind: 'recorded', in: form, ids: [name] };
}
