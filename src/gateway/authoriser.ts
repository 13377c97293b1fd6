import { identifyByEdge } from '../policy/identify.ts';
import { judge, type Judgement } from '../policy/judge.ts';
import { proxySubject } from '../policy/proxy-subject.ts';
import { reasons } from '../policy/reasons.ts';
import type { AccessRequest, Verdict } from '../policy/verdict.ts';
import type { Session } from '../sessions/sessions.ts';
import type { DecisionLog } from './decision-log.ts';
import type { GatewayDependencies } from './dependencies.ts';
import { identifyBySession, type SessionIdentification } from './session-identity.ts';

/** A verdict, and what it means for the session it was made in. */
export interface Decision {
  /** By which the decision is found in the log, and explained. */
  readonly id: string;
  readonly verdict: Verdict;
  /** The session, when a token identified the subject. */
  readonly session?: Session | undefined;
  /** `Set-Cookie` of a session that was refreshed. */
  readonly setCookie?: string | undefined;
}

interface Considered {
  readonly judgement: Judgement;
  readonly session?: Session | undefined;
}

export type Authorise = (request: AccessRequest) => Promise<Decision>;

/** What the gate would decide: nothing is logged, kept or refreshed. */
export type Consider = (request: AccessRequest) => Promise<Considered>;

/** The one pipeline that every front's requests go through. It never throws: a fault is a refusal. */
export function createAuthoriser(
  dependencies: GatewayDependencies,
  decisions: DecisionLog,
): { readonly authorise: Authorise; readonly consider: Consider } {
  const { logger } = dependencies;
  let toldMissingUri = false;

  const consider: Consider = async (request) => {
    try {
      return await considerOf(request, dependencies);
    } catch (error) {
      logger.error({ err: error }, reasons.failure);
      return { judgement: { verdict: failure } };
    }
  };

  const authorise: Authorise = async (request) => {
    const { judgement, session } = await consider(request);
    const setCookie = await refreshed(request, judgement, session, dependencies);
    const { verdict } = judgement;
    const id = decisions.keep(request, judgement);
    const line = {
      decision: id,
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
    return { id, verdict, session, setCookie };
  };
  return { authorise, consider };
}

const failure: Verdict = { kind: 'forbidden', reason: 'failure', subject: undefined };

async function considerOf(request: AccessRequest, dependencies: GatewayDependencies): Promise<Considered> {
  const { rules, proxySecret, mode, proxyIdentity } = dependencies.inForce();
  const identification: SessionIdentification =
    identifyByEdge(request, proxySecret) ??
    (mode === 'proxy'
      ? proxySubject(request.headers, proxyIdentity)
      : await identifyBySession(request.headers, dependencies, rules.customRoles));
  const session = 'refused' in identification ? undefined : identification.session;
  return { judgement: judge(request, identification, rules), session };
}

/**
 * A visit to /auth always refreshes a cookie session, anything else when it is due. A session that cannot be
 * refreshed goes on with the token it has.
 */
async function refreshed(
  { secure }: AccessRequest,
  { verdict, path }: Judgement,
  session: Session | undefined,
  { sessions, cookie, logger }: GatewayDependencies,
): Promise<string | undefined> {
  if (session === undefined || verdict.kind !== 'allow' || verdict.subject?.source !== 'session') {
    return undefined;
  }
  if (path !== '/auth' && !sessions.isDue(session)) return undefined;
  try {
    const issued = await sessions.refresh(session);
    return issued && cookie.set(issued.token, issued.maxAge, secure);
  } catch (error) {
    logger.error({ err: error }, 'a session was not refreshed');
    return undefined;
  }
}

/** The query stays out of the log: it may carry a token. */
function pathForLog(uri: string | undefined): string | undefined {
  return uri?.split('?', 1)[0]?.slice(0, 512);
}
