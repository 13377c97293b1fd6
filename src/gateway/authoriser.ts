import { canonicalUri } from '../policy/canonical-uri.ts';
import { identifyByEdge } from '../policy/identify.ts';
import { judge } from '../policy/judge.ts';
import { proxySubject } from '../policy/proxy-subject.ts';
import { reasons } from '../policy/reasons.ts';
import type { AccessRequest, Verdict } from '../policy/verdict.ts';
import type { Session } from '../sessions/sessions.ts';
import type { GatewayDependencies } from './dependencies.ts';
import { identifyBySession, type SessionIdentification } from './session-identity.ts';

/** A verdict, and what it means for the session it was made in. */
export interface Decision {
  readonly verdict: Verdict;
  /** The session, when a token identified the subject. */
  readonly session?: Session | undefined;
  /** `Set-Cookie` of a session that was refreshed. */
  readonly setCookie?: string | undefined;
}

export type Authorise = (request: AccessRequest) => Promise<Decision>;

/** The one pipeline that every front's requests go through. It never throws: a fault is a refusal. */
export function createAuthoriser(dependencies: GatewayDependencies): Authorise {
  const { logger } = dependencies;
  let toldMissingUri = false;

  return async (request) => {
    let decision: Decision;
    try {
      decision = await decideOn(request, dependencies);
    } catch (error) {
      logger.error({ err: error }, reasons.failure);
      decision = { verdict: { kind: 'forbidden', reason: 'failure', subject: undefined } };
    }
    const { verdict } = decision;
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
    return decision;
  };
}

async function decideOn(request: AccessRequest, dependencies: GatewayDependencies): Promise<Decision> {
  const { rules, proxySecret, mode, proxyIdentity } = dependencies.inForce();
  const isRole = (role: string) => role === 'admin' || role === 'viewer' || rules.customRoles.has(role);
  const identification: SessionIdentification =
    identifyByEdge(request, proxySecret) ??
    (mode === 'proxy'
      ? proxySubject(request.headers, proxyIdentity)
      : await identifyBySession(request.headers, dependencies, isRole));
  const verdict = judge(request, identification, rules);
  const session = 'refused' in identification ? undefined : identification.session;
  return { verdict, session, setCookie: await refreshed(request, verdict, session, dependencies) };
}

/** A visit to /auth always refreshes a cookie session, anything else when it is due. */
async function refreshed(
  { uri, secure }: AccessRequest,
  verdict: Verdict,
  session: Session | undefined,
  { sessions, cookie }: GatewayDependencies,
): Promise<string | undefined> {
  if (session === undefined || verdict.kind !== 'allow' || verdict.subject?.source !== 'session')
    return undefined;
  if (!isVisitToAuth(uri) && !sessions.isDue(session)) return undefined;
  const issued = await sessions.refresh(session);
  return issued && cookie.set(issued.token, issued.maxAge, secure);
}

function isVisitToAuth(uri: string | undefined): boolean {
  const canonical = uri === undefined ? undefined : canonicalUri(uri);
  return canonical !== undefined && 'path' in canonical && canonical.path === '/auth';
}

/** The query stays out of the log: it may carry a token. */
function pathForLog(uri: string | undefined): string | undefined {
  return uri?.split('?', 1)[0]?.slice(0, 512);
}
