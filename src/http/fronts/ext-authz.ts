import type { RequestContext, EntryPoint } from '../../policy/request-context.ts';
import { identityHeaders } from '../../policy/identity-headers.ts';
import { isForwardedSecure } from '../../policy/forwarded.ts';
import { headerAlias, headerValues, type RawHeaders } from '../../policy/raw-headers.ts';
import { answerToClient } from './front-answer.ts';
import {
  type FrontAdapter,
  type FrontContext,
  aliasedIdentity,
  faultyRequest,
  mixedFamilies,
  readFrontHeaders,
  schemeForm,
} from './front-adapter.ts';

const prefix = '/api/authz/ext-authz';

/** Envoy, below `/api/authz/ext-authz`. */
export function extAuthz({ entryPoint, strippedHeaders, recipientOf }: FrontContext): FrontAdapter {
  const removed = ['x-envoy-auth-headers-to-remove', namesToRemove(strippedHeaders).join(',')];
  return {
    isAskedAt: (target) => target.startsWith(`${prefix}/`),
    requestOf: ({ method = '', url: target = '', rawHeaders: headers }) =>
      authorizationRequestOfExtAuthz({ method, target, headers }, entryPoint, strippedHeaders),
    answerOf: (request, result, incoming) => {
      const answer = answerToClient(result, () => recipientOf(incoming, request));
      if (result.decision.outcome !== 'allow') return answer;
      return { ...answer, headers: [...answer.headers, ...removed] };
    },
  };
}

/** Headers that fronts send to the gate and to the upstream alike. */
const frontsOwn: ReadonlySet<string> = new Set([
  'host',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-real-ip',
]);

/** Envoy sets headers first and then removes some, so headers of the answer must not be among those. */
const setByAnswer: ReadonlySet<string> = new Set(identityHeaders.map(headerAlias));

function namesToRemove(strippedHeaders: ReadonlySet<string>): string[] {
  return [...strippedHeaders].filter((name) => !frontsOwn.has(name) && !setByAnswer.has(name));
}

/**
 * Envoy's ext_authz filter with an HTTP service: method and Host are the client's, and its request target follows the
 * `path_prefix`. Exactly 200 allows; any other answer goes to the client unchanged.
 * @param strippedHeaders aliases of every header that only the gate or a front may send
 */
export function authorizationRequestOfExtAuthz(
  {
    method,
    target,
    headers,
  }: { readonly method: string; readonly target: string; readonly headers: RawHeaders },
  entryPoint: EntryPoint,
  strippedHeaders: ReadonlySet<string>,
): RequestContext {
  const front = 'ext-authz';
  const fault = mixedFamilies(headers, front) ?? aliasedIdentity(headers, strippedHeaders);
  if (fault !== undefined) return faultyRequest(front, fault, { entryPoint, headers });
  const read = readFrontHeaders(headers, { 'x-forwarded-proto': schemeForm });
  if ('fault' in read) return faultyRequest(front, read.fault, { entryPoint, headers });
  return {
    entryPoint,
    front,
    method,
    uri: target.slice(prefix.length),
    headers,
    host: headerValues(headers, 'host')[0],
    secure: isForwardedSecure(read.values['x-forwarded-proto']),
  };
}
