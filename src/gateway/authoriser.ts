import { identifyByEdge } from '../policy/identify.ts';
import { judge } from '../policy/judge.ts';
import { reasons } from '../policy/reasons.ts';
import type { AccessRequest, Verdict } from '../policy/verdict.ts';
import type { GatewayDependencies } from './dependencies.ts';

export type Authorise = (request: AccessRequest) => Promise<Verdict>;

/** The one pipeline that every front's requests go through. It never throws: a fault is a refusal. */
export function createAuthoriser(dependencies: GatewayDependencies): Authorise {
  const { logger, rules, proxySecret, identifyUser } = dependencies;
  let toldMissingUri = false;

  return async (request) => {
    let verdict: Verdict;
    try {
      const identification = identifyByEdge(request, proxySecret) ?? (await identifyUser(request));
      verdict = judge(request, identification, rules);
    } catch (error) {
      logger.error({ err: error }, reasons.failure);
      verdict = { kind: 'forbidden', reason: 'failure', subject: undefined };
    }
    const line = {
      verdict: verdict.kind,
      reason: verdict.reason,
      user: verdict.subject?.user,
      role: verdict.subject?.role,
      source: verdict.subject?.source,
      edge: request.edge,
      method: request.method,
      path: pathForLog(request.uri),
    };
    if (verdict.kind === 'allow') logger.debug(line, 'allowed');
    else logger.info(line, 'refused');
    if (verdict.reason === 'uri_missing' && !toldMissingUri) {
      toldMissingUri = true;
      logger.warn(
        'a front sends no X-Original-URL: add "proxy_set_header X-Original-URL $request_uri;" and X-Original-Method',
      );
    }
    return verdict;
  };
}

/** The query stays out of the log: it may carry a token. */
function pathForLog(uri: string | undefined): string | undefined {
  return uri?.split('?', 1)[0]?.slice(0, 512);
}
