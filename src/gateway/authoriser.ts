import { pathOf } from '../audit/audit-entry.ts';
import { identifyByEdge } from '../policy/identify.ts';
import { judge, type Judgement, type Rules } from '../policy/judge.ts';
import { proxySubject } from '../policy/proxy-subject.ts';
import { reasons } from '../policy/reasons.ts';
import type { AccessRequest, Verdict } from '../policy/verdict.ts';
import type { IssuedToken, Session, Sessions } from '../sessions/sessions.ts';
import { briefDecision, type BriefDecision, type DecisionLog } from './decision-log.ts';
import type { GatewayDependencies, InForce } from './dependencies.ts';
import { addressOf } from './gateway-environment.ts';
import { lookUpAhead, mayNameManyEvents } from './many-events.ts';
import type { CurrentGate, PermitWithdrawn } from './permit.ts';
import { identifyBySession, recallSession, type SessionIdentification } from './session-identity.ts';
import { isSightingDue, noteSighting, noteIssuedToken } from './session-sightings.ts';

/** A verdict, and what it means for the session it was made in. */
export interface Decision {
  /** By which the decision is found in the log, and explained. */
  readonly id: string;
  readonly verdict: Verdict;
  /** Canonical path of the request; undefined when there is none that can be read. */
  readonly path?: string | undefined;
  /** The session, when a token identified the subject. */
  readonly session?: Session | undefined;
  /** `Set-Cookie` of a session that was refreshed. */
  readonly setCookie?: string | undefined;
}

export interface Considered {
  readonly judgement: Judgement;
  readonly session?: Session | undefined;
}

export type Authorise = (request: AccessRequest) => Promise<Decision>;

/** What the gate would decide: nothing is logged, kept or refreshed. */
export type Consider = (request: AccessRequest) => Promise<Considered>;

/** A decision, what it was made of and what was kept of it. */
export interface DecisionAtOnce extends Decision, Considered {
  readonly brief: BriefDecision;
}

export interface Authoriser {
  readonly authorise: Authorise;
  /** The same decision, when nothing has to be asked for or refreshed. @returns undefined otherwise */
  readonly authoriseAtOnce: (request: AccessRequest) => DecisionAtOnce | undefined;
  readonly consider: Consider;
  readonly reconsider: CurrentGate['reconsider'];
  /** Logs, keeps and counts that a permit was withdrawn. @returns the id of that decision */
  readonly settleWithdrawn: (withdrawn: PermitWithdrawn) => string;
  /**
   * Logs and keeps a decision of a moment, in seconds since the epoch.
   * @param asked whose client's address is told with a refusal
   * @returns its id
   */
  readonly record: (decision: BriefDecision, at: number, asked?: AccessRequest) => string;
}

/** The one pipeline that every front's requests go through. It never throws: a fault is a refusal. */
export function createAuthoriser(dependencies: GatewayDependencies, decisions: DecisionLog): Authoriser {
  const { logger, sessions, audit, tallies, now } = dependencies;
  const tally = tallies.decisions;
  const logsAllowed = logger.isLevelEnabled('debug');
  let toldMissingUri = false;

  const addressIn = (request: AccessRequest | undefined): string | undefined => {
    try {
      return request && addressOf(request, dependencies.inForce());
    } catch {
      // Whatever made it a refusal is logged already.
      return undefined;
    }
  };

  const record = (decision: BriefDecision, at: number, asked?: AccessRequest): string => {
    const id = decisions.keep(decision, at);
    const { verdict, request } = decision;
    const isAllowed = verdict.kind === 'allow';
    if (isAllowed && !logsAllowed) return id;
    const { kind, reason, subject } = verdict;
    const who = { user: subject?.user, role: subject?.role, source: subject?.source };
    const tokenId = subject?.token?.id;
    const { edge, front, fault, method } = request;
    const how = { verdict: kind, edge, front, header: fault?.header, method, token_id: tokenId };
    const path = pathOf(request.uri);
    if (isAllowed) logger.debug({ decision: id, reason, ...who, ...how, path }, 'allowed');
    else {
      const address = addressIn(asked);
      void audit.record({
        event: 'refused',
        decision: id,
        reason,
        ...who,
        address,
        object: path,
        detail: how,
      });
    }
    if (verdict.reason === 'uri_missing' && !toldMissingUri) {
      toldMissingUri = true;
      logger.warn(
        'a front sends no X-Original-URL: add "proxy_set_header X-Original-URL $request_uri;" and X-Original-Method',
      );
    }
    return id;
  };

  /** A session is seen by what it asks, whatever the verdict; that nobody could note it is no fault of the request. */
  const see = (
    request: AccessRequest,
    { session }: Considered,
    issued: IssuedToken | undefined,
    at: number,
  ): void => {
    try {
      if (issued !== undefined) noteIssuedToken(issued.claims, request, at, dependencies);
      else if (session !== undefined && isSightingDue(session, at))
        noteSighting(session, request, at, dependencies);
    } catch (error) {
      logger.error({ err: error }, 'a session that was seen was not noted');
    }
  };

  const failed = (error: unknown): Considered => {
    logger.error({ err: error }, reasons.failure);
    return { judgement: { verdict: failure } };
  };

  const considerAtOnce = (request: AccessRequest): Considered | undefined => {
    if (mayNameManyEvents(request)) return undefined;
    try {
      return considerKnown(request, dependencies.inForce(), dependencies);
    } catch (error) {
      return failed(error);
    }
  };

  const consider: Consider = async (request) => {
    try {
      const settings = dependencies.inForce();
      if (mayNameManyEvents(request)) return await considerMany(request, settings, dependencies);
      return (
        considerKnown(request, settings, dependencies) ?? (await considerOf(request, settings, dependencies))
      );
    } catch (error) {
      return failed(error);
    }
  };

  const reconsider: Authoriser['reconsider'] = async (request, on) => {
    const settings = dependencies.inForce();
    const identification =
      identifyWithoutSession(request, settings) ??
      (await identifyBySession(request.headers, dependencies, settings.rules.customRoles, on));
    return judged(request, identification, settings.rules);
  };

  const settleWithdrawn: Authoriser['settleWithdrawn'] = ({ request, judgement }) => {
    const { kind, reason } = judgement.verdict;
    tally.count(request.front, kind, reason, undefined);
    return record(briefDecision(request, judgement), now(), request);
  };

  const noteUse = (request: AccessRequest, { subject }: Verdict) => {
    if (subject?.token === undefined) return;
    dependencies.apiTokenUses.note(subject.token.id, () => addressOf(request, dependencies.inForce()));
  };

  /** What a decision leaves behind, besides its answer. */
  const settle = (
    request: AccessRequest,
    considered: Considered,
    began: number,
    issued?: IssuedToken,
  ): DecisionAtOnce => {
    const { verdict, path } = considered.judgement;
    const at = now();
    see(request, considered, issued, at);
    const brief = briefDecision(request, considered.judgement);
    const id = record(brief, at, request);
    tally.count(request.front, verdict.kind, verdict.reason, began);
    noteUse(request, verdict);
    // Perhaps it would answer otherwise by now.
    if (verdict.reason === 'recorder_role_unverified') dependencies.askRecorderAgain();
    return { id, ...considered, verdict, path, brief };
  };

  const authoriseAtOnce = (request: AccessRequest) => {
    const began = tally.begin();
    const considered = considerAtOnce(request);
    if (considered === undefined || isToRefresh(considered, sessions)) return undefined;
    return settle(request, considered, began);
  };

  const authorise: Authorise = async (request) => {
    const began = tally.begin();
    const considered = await consider(request);
    const issued = await refreshed(considered, dependencies);
    const { id, verdict, path, session } = settle(request, considered, began, issued);
    const setCookie = issued && dependencies.cookie.set(issued.token, issued.maxAge, request.secure);
    return { id, verdict, path, session, setCookie };
  };
  return { authorise, authoriseAtOnce, consider, reconsider, settleWithdrawn, record };
}

const failure: Verdict = { kind: 'forbidden', reason: 'failure', subject: undefined };

/** @returns undefined when a session has to be asked for */
function considerKnown(
  request: AccessRequest,
  settings: InForce,
  dependencies: GatewayDependencies,
): Considered | undefined {
  const identification = identifyKnown(request, settings, dependencies);
  return identification && judged(request, identification, settings.rules);
}

/** For whoever is neither of the internal edge nor named by a proxy. */
async function considerOf(
  request: AccessRequest,
  { rules }: InForce,
  dependencies: GatewayDependencies,
): Promise<Considered> {
  const identification = await identifyBySession(request.headers, dependencies, rules.customRoles);
  return judged(request, identification, rules);
}

/** Who asks is found out once more when the events are found: the session may have ended by then. */
async function considerMany(
  request: AccessRequest,
  settings: InForce,
  dependencies: GatewayDependencies,
): Promise<Considered> {
  const { rules } = settings;
  const identify = async () =>
    identifyKnown(request, settings, dependencies) ??
    (await identifyBySession(request.headers, dependencies, rules.customRoles));
  const recorded = await lookUpAhead(request, await identify(), rules, dependencies.roundRobin);
  return judged(request, await identify(), { ...rules, recorded });
}

/** @returns undefined when a session has to be asked for */
function identifyKnown(
  request: AccessRequest,
  settings: InForce,
  dependencies: GatewayDependencies,
): SessionIdentification | undefined {
  return (
    identifyWithoutSession(request, settings) ??
    recallSession(request.headers, dependencies, settings.rules.customRoles)
  );
}

/** @returns undefined when a session or an API token says who is asking */
function identifyWithoutSession(
  request: AccessRequest,
  { proxySecret, mode, proxyIdentity }: InForce,
): SessionIdentification | undefined {
  return (
    identifyByEdge(request, proxySecret) ??
    (mode === 'proxy' ? proxySubject(request.headers, proxyIdentity) : undefined)
  );
}

function judged(request: AccessRequest, identification: SessionIdentification, rules: Rules): Considered {
  const session = 'refused' in identification ? undefined : identification.session;
  return { judgement: judge(request, identification, rules), session };
}

/** A visit to /auth always refreshes a cookie session, anything else when it is due. */
function isToRefresh({ judgement, session }: Considered, sessions: Sessions): boolean {
  const { verdict, path } = judgement;
  if (session === undefined || verdict.kind !== 'allow' || verdict.subject?.source !== 'session')
    return false;
  return path === '/auth' || sessions.isDue(session);
}

/** A session that cannot be refreshed goes on with the token it has. */
async function refreshed(
  considered: Considered,
  { sessions, logger }: GatewayDependencies,
): Promise<IssuedToken | undefined> {
  const { session } = considered;
  if (session === undefined || !isToRefresh(considered, sessions)) return undefined;
  try {
    return await sessions.refresh(session);
  } catch (error) {
    logger.error({ err: error }, 'a session was not refreshed');
    return undefined;
  }
}
