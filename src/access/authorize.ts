import type { Viewing } from '../audit/viewing.ts';
import type { Authenticate, Authenticated } from './authentication/authenticate.ts';
import type { RequestContext } from '../policy/request-context.ts';
import type { AuthorizationResult } from '../policy/authorization-result.ts';
import type { Decision } from '../policy/decision.ts';
import { checks, firstRefusal } from '../policy/evaluate/checks.ts';
import { evaluate } from '../policy/evaluate/evaluate.ts';
import { viewedBy } from '../policy/evaluate/viewed.ts';
import type { Rules } from '../policy/evaluate/rules.ts';
import { headerValues } from '../policy/raw-headers.ts';
import type { IdentityToken } from '../policy/token-scope.ts';
import { reasonText } from '../language/reason-text.ts';
import type { RoundRobin } from '../round-robin.ts';
import type { SessionCookie } from '../accounts/sessions/session-cookie.ts';
import type { Session } from '../accounts/sessions/session-token.ts';
import type { IssuedToken, Sessions } from '../accounts/sessions/sessions.ts';
import type { Reading } from '../store/permit.ts';
import type { DecisionTally } from '../telemetry/decision-tally.ts';
import type { RequestLog } from '../telemetry/request-log.ts';
import { AppError, isStateLogged } from '../errors.ts';
import {
  identifyByCurrentRoles,
  isByCurrentRoles,
  type CurrentRoles,
  type Evaluate,
  type Evaluated,
  type Identify,
} from './current-roles.ts';
import type { LastSeen } from './last-seen.ts';
import { lookUpAhead, mayNameManyEvents } from './many-events.ts';
import type { RecordDecision } from './record-decision.ts';
import type { Stills, StillsClient } from './streams/stills.ts';
import { viewerOf } from './viewed.ts';

/** Notes that a token was used, without waiting. @param addressOf the client's address */
export type NoteToken = (token: IdentityToken, addressOf: () => string) => void;

/** Never rejects: an error is a refusal. Decides at once where nothing has to be read or written first. */
export type Authorize = (request: RequestContext) => Authorized | Promise<Authorized>;

type Authorized = AuthorizationResult<Session>;

export interface Authorization {
  readonly authorize: Authorize;
  readonly identify: Identify;
  readonly evaluate: Evaluate;
  /** Decides by what a transaction reads, without any cache. @throws what the transaction throws */
  readonly evaluateIn: (request: RequestContext, on: Reading) => Promise<Evaluated>;
  /** Records, counts and logs a decision from elsewhere. @returns its id */
  readonly record: RecordDecision;
}

/** Continues the sessions of requests, and notes when they were last seen. */
export interface SessionUpkeep {
  readonly sessions: Pick<Sessions, 'isDue' | 'refresh'>;
  readonly cookie: Pick<SessionCookie, 'set'>;
  readonly lastSeen: LastSeen;
  /** Whether the provider has recently confirmed that a federated user's session may continue. Omit when it is not asked. */
  readonly mayRefresh?: ((session: Session) => Promise<boolean>) | undefined;
}

export interface AuthorizationDependencies {
  readonly authenticate: Authenticate;
  readonly rules: Rules;
  /** Omit when custom roles come only from the configuration. */
  readonly currentRoles?: CurrentRoles | undefined;
  readonly upkeep: SessionUpkeep;
  /** Called with the API token or display of each request, by each feature that notes its use. */
  readonly noteToken: readonly NoteToken[];
  /** The address of the client that a request is about. */
  readonly addressOf: (request: RequestContext) => string;
  readonly recordDecision: RecordDecision;
  readonly watching: {
    /** Notes who watches single pictures. */
    readonly stills: Pick<Stills, 'note'>;
    /** Absent when the audit does not record who watches. */
    readonly viewing: Pick<Viewing, 'note'> | undefined;
  };
  /** Runs long work in turns. */
  readonly roundRobin: RoundRobin;
  /** Asks the recorder again which roles it has, at most once a second. */
  readonly askRecorderAgain: () => void;
  readonly tally: DecisionTally;
  readonly logger: RequestLog;
}

/** The one pipeline for the requests of every front: authenticate, evaluate, refresh, record. */
export function createAuthorization(dependencies: AuthorizationDependencies): Authorization {
  const { authenticate, rules, currentRoles, recordDecision, tally, logger } = dependencies;
  const { sessions, cookie, lastSeen, mayRefresh } = dependencies.upkeep;
  const { stills, viewing } = dependencies.watching;

  const failed = (error: unknown): Evaluated => {
    const code = error instanceof AppError ? error.code : undefined;
    const reason = code === 'store_unavailable' || code === 'events_unavailable' ? code : 'failure';
    if (!isStateLogged(error)) logger.error({ err: error }, reasonText(reason, 'en').meaning);
    return { decision: { outcome: 'forbidden', reason, identity: undefined }, error };
  };

  const evaluateAs = (
    request: RequestContext,
    authenticated: Authenticated,
    by: Rules = rules,
  ): Evaluated => {
    const session = 'session' in authenticated ? authenticated.session : undefined;
    return { decision: evaluate(request, authenticated, by), session };
  };

  /** Authenticates again once the events are found: the session may have ended in the meantime. */
  const evaluateMany = async (
    request: RequestContext,
    revalidated: Session | undefined,
  ): Promise<Evaluated> => {
    const identify = () => authenticate(request, undefined, revalidated);
    const found = await lookUpAhead(request, await identify(), rules, dependencies.roundRobin);
    return evaluateAs(request, await identify(), { ...rules, ...found });
  };

  const evaluateByTheseRoles = (
    request: RequestContext,
    revalidated?: Session,
  ): Evaluated | Promise<Evaluated> => {
    try {
      if (mayNameManyEvents(request)) return evaluateMany(request, revalidated);
      const found = authenticate(request, undefined, revalidated);
      if (found instanceof Promise) return found.then((authenticated) => evaluateAs(request, authenticated));
      return evaluateAs(request, found);
    } catch (error) {
      return failed(error);
    }
  };

  /** Waits for an evaluation, and repeats it by the current roles if they have changed. */
  const completed = async (
    found: Evaluated | Promise<Evaluated>,
    request: RequestContext,
    revalidated?: Session,
  ): Promise<Evaluated> => {
    try {
      const evaluated = await found;
      if (currentRoles === undefined || isByCurrentRoles(evaluated, currentRoles)) return evaluated;
      const now = await currentRoles.renew();
      return await now.evaluate(request, revalidated);
    } catch (error) {
      return failed(error);
    }
  };

  const evaluateRequest: Evaluate = (request, revalidated) =>
    completed(evaluateByTheseRoles(request, revalidated), request, revalidated);

  const identifyByTheseRoles: Identify = async (request) => {
    if (firstRefusal(checks.ofAnyone, { request, rules }) !== undefined) return undefined;
    const authenticated = await authenticate(request);
    return 'identity' in authenticated ? authenticated.identity : undefined;
  };

  /** A visit to /auth always refreshes a cookie session; other requests do when it is due. */
  const sessionToRefresh = ({ decision, session }: Evaluated): Session | undefined => {
    if (session === undefined || decision.outcome !== 'allow' || decision.identity?.source !== 'session')
      return undefined;
    return decision.path === '/auth' || sessions.isDue(session) ? session : undefined;
  };

  /** A session that cannot be refreshed continues with its token. */
  const refresh = async (session: Session): Promise<IssuedToken | undefined> => {
    try {
      const isOfProvider = session.user.issuer !== undefined;
      if (isOfProvider && (await mayRefresh?.(session)) !== true) return undefined;
      return await sessions.refresh(session);
    } catch (error) {
      logger.error({ err: error }, 'a session was not refreshed');
      return undefined;
    }
  };

  /** A note that cannot be written must not fail the request. */
  const noteSession = (request: RequestContext, session: Session, issued: IssuedToken | undefined) => {
    try {
      if (issued === undefined) lastSeen.note(session, request);
      else lastSeen.noteIssued(issued.claims, request);
    } catch (error) {
      logger.error({ err: error }, 'when a session was last seen was not noted');
    }
  };

  const record = (
    request: RequestContext,
    decision: Decision,
    began: number | undefined,
    entry?: Parameters<RecordDecision>[2],
  ): string => {
    tally.count(request.front, decision.outcome, decision.reason, began);
    return recordDecision(request, decision, entry);
  };

  // Getters: most requests of a viewer need only the address, or nothing.
  const clientOf = (request: RequestContext): StillsClient => ({
    get address() {
      return dependencies.addressOf(request);
    },
    get agent() {
      return headerValues(request.headers, 'user-agent')[0];
    },
    get page() {
      const [referer = ''] = headerValues(request.headers, 'referer');
      return URL.parse(referer)?.pathname;
    },
  });

  const conclude = (
    request: RequestContext,
    { decision, session, viewed, error }: Evaluated,
    began: number,
    issued?: IssuedToken,
  ): Authorized => {
    if (session !== undefined) noteSession(request, session, issued);
    const token = decision.identity?.token;
    if (token !== undefined) {
      for (const note of dependencies.noteToken) note(token, () => dependencies.addressOf(request));
    }
    // The recorder's roles may have changed since.
    if (decision.reason === 'recorder_role_unverified' || decision.reason === 'cameras_too_many')
      dependencies.askRecorderAgain();
    const id = record(request, decision, began);
    if (decision.outcome === 'allow' && decision.rule?.still === true)
      stills.note(id, decision, session, () => clientOf(request));
    const setCookie = issued && cookie.set(issued.token, issued.maxAgeSeconds, request.secure);
    return { id, decision, session, viewed, setCookie, error };
  };

  /** Shows nothing that cannot be recorded, where that is required. */
  const noteViewing = async (
    viewing: Pick<Viewing, 'note'>,
    request: RequestContext,
    evaluated: Evaluated,
  ): Promise<Evaluated> => {
    const { decision, session } = evaluated;
    if (decision.outcome !== 'allow') return evaluated;
    const viewed = viewedBy(request, decision, rules);
    if (viewed === undefined) return evaluated;
    const viewer = viewerOf(decision, session?.claims.sessionId, dependencies.addressOf(request));
    if (await viewing.note(viewer, viewed)) return { ...evaluated, viewed };
    const { path, rule, resource, identity } = decision;
    const refused = {
      path,
      rule,
      resource,
      identity,
      outcome: 'forbidden',
      reason: 'audit_unavailable',
    } as const;
    return { ...evaluated, decision: refused };
  };

  const authorizeLater = async (
    found: Evaluated | Promise<Evaluated>,
    request: RequestContext,
    began: number,
  ): Promise<Authorized> => {
    let evaluated = await completed(found, request);
    if (viewing !== undefined) evaluated = await noteViewing(viewing, request, evaluated);
    const session = sessionToRefresh(evaluated);
    return conclude(request, evaluated, began, session && (await refresh(session)));
  };

  const authorize: Authorize = (request) => {
    const began = tally.begin();
    const found = evaluateByTheseRoles(request);
    // Most requests have nothing to wait for, and an answer without a promise takes 4 % less processor time.
    const isFinal =
      !(found instanceof Promise) &&
      (currentRoles === undefined || isByCurrentRoles(found, currentRoles)) &&
      viewing === undefined &&
      sessionToRefresh(found) === undefined;
    return isFinal ? conclude(request, found, began) : authorizeLater(found, request, began);
  };

  return {
    identify:
      currentRoles === undefined
        ? identifyByTheseRoles
        : identifyByCurrentRoles(identifyByTheseRoles, currentRoles),
    evaluate: evaluateRequest,
    evaluateIn: async (request, on) => evaluateAs(request, await authenticate(request, on)),
    record: (request, decision, entry) => record(request, decision, undefined, entry),
    authorize,
  };
}
