import type { IncomingMessage } from 'node:http';
import type { AuthorizationResult } from '../../policy/authorization-result.ts';
import type { RequestContext, EntryPoint, FrontFault } from '../../policy/request-context.ts';
import { firstForwarded, isForwardedSecure } from '../../policy/forwarded.ts';
import { firstValue, headerValues, type RawHeaders } from '../../policy/raw-headers.ts';
import { challenge } from '../../policy/challenge.ts';
import { sessionReasons } from '../../policy/reasons.ts';
import { AppError, errorAnswer } from '../../errors.ts';
import { failureCode } from './refusal.ts';
import { allowedLines, emptyLines, type FrontAnswer } from './front-answer.ts';
import {
  type FrontAdapter,
  type FrontContext,
  faultyRequest,
  methodForm,
  mixedFamilies,
} from './front-adapter.ts';

/** The paths at which nginx asks, and whether it passes on the target from the answer there: only the front can choose. */
const targets: ReadonlyMap<string, boolean> = new Map([
  ['/auth', false],
  ['/auth?narrow', true],
  ['/api/authz/auth-request', false],
  ['/api/authz/auth-request?narrow', true],
]);

/** nginx, at `/auth` or `/api/authz/auth-request`; with `?narrow` if it passes on the request target of the answer. */
export function authRequest({
  entryPoint,
  loginPathOf,
  accountPathOf,
  isChallenged,
}: FrontContext): FrontAdapter {
  const locationOf = ({ decision: { outcome, reason } }: AuthorizationResult, incoming: IncomingMessage) => {
    if (outcome === 'unauthenticated') return loginPathOf(incoming);
    return reason === 'second_factor_missing' ? accountPathOf(incoming) : undefined;
  };
  return {
    isAskedAt: (target) => targets.has(target),
    requestOf: ({ rawHeaders, url = '' }) =>
      authorizationRequestOfNginx(rawHeaders, entryPoint, targets.get(url)),
    answerOf: (request, result, incoming) =>
      answerAuthRequest(result, locationOf(result, incoming), isChallenged(request)),
  };
}

/**
 * nginx's `auth_request`: the subrequest has the client's request in X-Original-Method and X-Original-URL; 2xx allows, 401
 * and 403 refuse, and nginx treats everything else as an error, for which it may ask another gate.
 */
export function authorizationRequestOfNginx(
  headers: RawHeaders,
  entryPoint: EntryPoint,
  narrows?: boolean,
): RequestContext {
  const front = 'auth-request';
  const methods = headerValues(headers, 'x-original-method');
  const urls = headerValues(headers, 'x-original-url');
  const fault =
    repeated('x-original-method', methods) ??
    repeated('x-original-url', urls) ??
    malformed(methods[0]) ??
    mixedFamilies(headers, front);
  if (fault !== undefined) return faultyRequest(front, fault, { entryPoint, headers });
  return {
    entryPoint,
    front,
    narrows,
    method: methods[0],
    uri: urls[0],
    headers,
    host: firstForwarded(firstValue(headers, 'x-forwarded-host') ?? '') || firstValue(headers, 'host'),
    secure: isForwardedSecure(firstValue(headers, 'x-forwarded-proto') ?? ''),
  };
}

/** A method that no client could send; a missing one is a different case. */
function malformed(method: string | undefined): FrontFault | undefined {
  return method === undefined || method === '' || method === 'GET' || methodForm.test(method)
    ? undefined
    : { reason: 'front_header_malformed', header: 'x-original-method' };
}

/** If there are two, at least one is not the front's. */
function repeated(header: string, values: readonly string[]): FrontFault | undefined {
  return values.length > 1 ? { reason: 'front_header_repeated', header } : undefined;
}

/**
 * @param location where a refused client can continue: to sign in, or to set up a second factor. Omit when nowhere
 * @param isChallenged whether a 401 asks for a password; nginx passes that line on by itself
 */
export function answerAuthRequest(
  result: AuthorizationResult,
  location: string | undefined,
  isChallenged = false,
): FrontAnswer {
  const { id, decision } = result;
  const { outcome, reason, path } = decision;
  if (outcome === 'allow') return { status: 200, headers: allowedLines(result) };
  const headers = emptyLines(id);
  const getsOn = sessionReasons.has(reason) || reason === 'second_factor_missing';
  if (location !== undefined && getsOn) headers.push('location', location);
  if (outcome === 'unauthenticated') {
    if (isChallenged) headers.push('www-authenticate', challenge);
    return { status: 401, headers };
  }
  const failure = failureCode(reason);
  // On its own visit, a client must not see the reason.
  if (path !== '/auth') headers.push('x-postern-reason', reason);
  if (failure === undefined) return { status: 403, headers };
  const failed = errorAnswer(new AppError(failure));
  return { status: failed.status, headers: [...headers, ...Object.entries(failed.headers).flat()] };
}
