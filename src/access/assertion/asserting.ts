import type { Authorization, Authorize } from '../authorize.ts';
import { AppError } from '../../errors.ts';
import type { AssertedRequest } from '../../policy/identity-headers.ts';
import type { RequestContext } from '../../policy/request-context.ts';
import { withoutAuthority } from '../../policy/canonical-uri.ts';
import type { AuthorizationResult } from '../../policy/authorization-result.ts';
import type { Allowed, Decision } from '../../policy/decision.ts';
import { reasons } from '../../policy/reasons.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Assert } from './assertion.ts';

interface AssertingDependencies extends Pick<Authorization, 'authorize' | 'record'> {
  readonly assert: Assert;
  /** The method by which a permitted request is passed on; undefined: unknown. */
  readonly methodOf: (request: RequestContext, permitted: Allowed) => string | undefined;
  readonly logger: Pick<Logger, 'error'>;
}

/** The pipeline for requests that are passed on: a permitted request with an identity gets an assertion, or is refused. */
export function asserting({ authorize, record, assert, methodOf, logger }: AssertingDependencies): Authorize {
  const conclude = <Result extends AuthorizationResult>(
    request: RequestContext,
    result: Result,
  ): Result | Promise<Result> => {
    const { decision } = result;
    const passedOn =
      decision.outcome === 'allow' ? passedOnAs(request, decision, methodOf(request, decision)) : undefined;
    if (passedOn === undefined) return result;
    const fail = (error: unknown) => refused(request, result, error);
    try {
      const assertion = assert(passedOn);
      return assertion instanceof Promise
        ? assertion.then((later) => ({ ...result, assertion: later }), fail)
        : { ...result, assertion };
    } catch (error) {
      return fail(error);
    }
  };
  return (request) => {
    const result = authorize(request);
    return result instanceof Promise
      ? result.then((later) => conclude(request, later))
      : conclude(request, result);
  };

  function refused<Result extends AuthorizationResult>(
    request: RequestContext,
    result: Result,
    error: unknown,
  ): Result {
    const isAway = error instanceof AppError && error.code === 'store_unavailable';
    const reason = isAway ? 'store_unavailable' : 'failure';
    logger.error({ err: error }, reasons[reason]);
    const { path, rule, resource, identity } = result.decision;
    const decision: Decision = { path, rule, resource, identity, outcome: 'forbidden', reason };
    return { ...result, id: record(request, decision), decision, error };
  }
}

/**
 * @returns undefined when there is nothing to assert: the request needs no identity, or its target is not known. A request to
 * `/auth` is answered to the client, which gets no assertion.
 */
function passedOnAs(
  { uri }: RequestContext,
  { identity: asking, narrowed, path, onBehalf }: Allowed,
  method: string | undefined,
): AssertedRequest | undefined {
  const target = onBehalf?.target ?? narrowed ?? (uri === undefined ? undefined : withoutAuthority(uri));
  const identity = onBehalf?.identity ?? asking;
  if (identity === undefined || target === undefined || method === undefined || path === '/auth')
    return undefined;
  return { user: identity.user, role: identity.role, method, target };
}
