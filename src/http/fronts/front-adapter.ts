import type { IncomingMessage } from 'node:http';
import type { AuthorizationResult } from '../../policy/authorization-result.ts';
import type { RequestContext, EntryPoint, Front, FrontFault } from '../../policy/request-context.ts';
import type { FrontAnswer } from './front-answer.ts';
import type { Recipient } from './refusal.ts';
import { firstForwarded } from '../../policy/forwarded.ts';
import { hasHeader, headerAlias, headerValues, type RawHeaders } from '../../policy/raw-headers.ts';

/** The listener of an adapter, as far as it needs it. */
export interface FrontContext {
  readonly entryPoint: EntryPoint;
  /** Aliases of every header that only the gate or a front may send. */
  readonly strippedHeaders: ReadonlySet<string>;
  /** The login for a request's client, or `undefined` if the gate has none. */
  readonly loginPathOf: (incoming: IncomingMessage) => string | undefined;
  /** The page on which the client of a request sets up a second factor. */
  readonly accountPathOf: (incoming: IncomingMessage) => string;
  /** Whether a 401 asks the client of a request for a password. */
  readonly isChallenged: (request: RequestContext) => boolean;
  /** The client of a request, who receives a refusal. */
  readonly recipientOf: (incoming: IncomingMessage, request: RequestContext) => Recipient;
}

/** Translates between one kind of front and the pipeline, on one listener. */
export interface FrontAdapter {
  /** Whether such fronts send their authorization requests to this request target. */
  readonly isAskedAt: (target: string) => boolean;
  readonly requestOf: (incoming: IncomingMessage) => RequestContext;
  readonly answerOf: (
    request: RequestContext,
    result: AuthorizationResult,
    incoming: IncomingMessage,
  ) => FrontAnswer;
}

/** The headers in which fronts send the client's method and target. */
const families = {
  'auth-request': ['x-original-method', 'x-original-url'],
  'forward-auth': ['x-forwarded-method', 'x-forwarded-uri'],
} as const;

const familyList = Object.entries(families).map(([family, names]) => ({ family, names }));

/** @returns the fault of a request with a header of another front's family */
export function mixedFamilies(headers: RawHeaders, front: Front): FrontFault | undefined {
  for (const { family, names } of familyList) {
    if (family === front) continue;
    for (const header of names)
      if (hasHeader(headers, header)) return { reason: 'front_headers_mixed', header };
  }
  return undefined;
}

/** Headers that some servers read as the method or target of a request; these fronts send none of them. */
const overrides = [
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
  'x-rewrite-url',
  'x-original-uri',
  'x-original-host',
];

/** @returns the fault of a request with a header that overrides the method or target, and that the front would pass on */
export function overriddenRequest(headers: RawHeaders): FrontFault | undefined {
  const header = overrides.find((name) => hasHeader(headers, name));
  return header === undefined ? undefined : { reason: 'front_headers_mixed', header };
}

/** The valid form of a header's values. */
interface Form {
  test(value: string): boolean;
}

/**
 * Reads headers that a front sets, each exactly once and in its valid form.
 * @param forms by lower-case name
 */
export function readFrontHeaders<Name extends string>(
  headers: RawHeaders,
  forms: Readonly<Record<Name, Form>>,
): { readonly values: Readonly<Record<Name, string>> } | { readonly fault: FrontFault } {
  const read: Partial<Record<Name, string>> = {};
  for (const [header, form] of Object.entries<Form>(forms)) {
    const [value, ...others] = headerValues(headers, header);
    if (value === undefined) return { fault: { reason: 'front_header_missing', header } };
    if (others.length > 0) return { fault: { reason: 'front_header_repeated', header } };
    if (!form.test(value)) return { fault: { reason: 'front_header_malformed', header } };
    read[header as Name] = value;
  }
  return { values: read as Record<Name, string> };
}

/**
 * @param names aliases of every header that only the gate or a front may send
 * @returns the fault of a request with such a header in another spelling (`Remote_User`): a front other than nginx would
 * pass it on, and the upstream may read it as the one that the gate sets
 */
export function aliasedIdentity(headers: RawHeaders, names: ReadonlySet<string>): FrontFault | undefined {
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const header = (headers[i] as string).toLowerCase();
    const alias = headerAlias(header);
    if (alias !== header && names.has(alias)) return { reason: 'front_header_alias', header };
  }
  return undefined;
}

/**
 * @param target of the request itself
 * @returns the fault of a request with the headers of an authorization request, at another path: an answer of 200 would allow a
 * request that was never decided. nginx sends the target in a request to the gate itself too, possibly with a prefix.
 */
export function misplacedAuthorizationRequest(
  headers: RawHeaders,
  target: string,
): { readonly front: keyof typeof families; readonly fault: FrontFault } | undefined {
  const reason = 'front_path_unknown';
  const forwarded = families['forward-auth'].find((name) => hasHeader(headers, name));
  if (forwarded !== undefined) return { front: 'forward-auth', fault: { reason, header: forwarded } };
  const urls = headerValues(headers, 'x-original-url');
  const isOwn = (url: string) => url === target || (target !== '/' && url.endsWith(target));
  if (urls.every(isOwn)) return undefined;
  return { front: 'auth-request', fault: { reason, header: 'x-original-url' } };
}

/** A front's authorization request that is faulty. */
export function faultyRequest(
  front: Front,
  fault: FrontFault,
  { entryPoint, headers }: Pick<RequestContext, 'entryPoint' | 'headers'>,
): RequestContext {
  return {
    entryPoint,
    front,
    fault,
    headers,
    method: undefined,
    uri: undefined,
    host: undefined,
    secure: false,
  };
}

/** http and https, and Traefik's values for opening a WebSocket; of a list, its first value. */
export const schemeForm: Form = { test: (list) => /^(?:https?|wss?)$/i.test(firstForwarded(list)) };
/** The longest registered method has 17 characters; longer ones would only fill memory and logs. */
export const methodForm = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}$/;
