import type { ApiTokenUses } from '../api-tokens/api-token-uses.ts';
import type { Authenticate, Authenticated } from '../authentication/authenticate.ts';
import type { AuthorizationRequest } from '../policy/authorization-request.ts';
import type { Decision } from '../policy/decision.ts';
import { evaluate, type Rules } from '../policy/evaluate.ts';
import type { Identity } from '../policy/identity.ts';
import { reasons } from '../policy/reasons.ts';
import { refuseToEverybody } from '../policy/refused-to-everybody.ts';
import type { RoundRobin } from '../round-robin.ts';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import type { Session } from '../sessions/session.ts';
import type { IssuedToken, Sessions } from '../sessions/sessions.ts';
import type { Reading } from '../store/permit.ts';
import type { DecisionTally } from '../telemetry/decision-tally.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { LastSeen } from './last-seen.ts';
import { lookUpAhead, mayNameManyEvents } from './many-events.ts';
import type { RecordDecision } from './record-decision.ts';

/** A decision, and the session that it was made in: nothing is logged, kept or refreshed. */
export interface Evaluated {
  readonly decision: Decision;
  /** When a session token says who is asking. */
  readonly session?: Session | undefined;
}

export interface AuthorizationResult extends Evaluated {
  /** By which the decision is found in the log, and explained. */
  readonly id: string;
  /** `Set-Cookie` of a session that was refreshed. */
  readonly setCookie?: string | undefined;
}

/** Answers at once when nothing has to be read. It never throws: a fault is a refusal. */
export type Authorize = (request: AuthorizationRequest) => AuthorizationResult | Promise<AuthorizationResult>;

/** What `authorize` would decide at this moment. */
export type Evaluate = (request: AuthorizationRequest) => Evaluated | Promise<Evaluated>;

/** Who is asking, without a decision: nothing is logged, kept or refreshed. Undefined: nobody is known. */
export type Identify = (
  request: AuthorizationRequest,
) => Identity | undefined | Promise<Identity | undefined>;

export interface Authorization {
  readonly authorize: Authorize;
  readonly identify: Identify;
  readonly evaluate: Evaluate;
  /** Decides by what a transaction reads: nothing that is remembered counts. @throws what the transaction throws */
  readonly evaluateIn: (request: AuthorizationRequest, on: Reading) => Promise<Evaluated>;
  /** Records, counts and logs a decision that was made elsewhere. @returns its id */
  readonly record: RecordDecision;
}

export interface AuthorizationDependencies {
  readonly authenticate: Authenticate;
  readonly rules: Rules;
  readonly sessions: Pick<Sessions, 'isDue' | 'refresh'>;
  readonly cookie: Pick<SessionCookie, 'set'>;
  readonly lastSeen: LastSeen;
  readonly apiTokenUses: Pick<ApiTokenUses, 'note'>;
  /** The address of the client that a request is about. */
  readonly addressOf: (request: AuthorizationRequest) => string;
  readonly recordDecision: RecordDecision;
  /** Takes turns, for what takes long. */
  readonly roundRobin: RoundRobin;
  /** Asks the recorder anew which roles it knows, at most once a second. */
  readonly askRecorderAgain: () => void;
  readonly tally: DecisionTally;
  readonly logger: Logger;
}

/** The one pipeline for the requests of every front: authenticate, evaluate, refresh, record. */
export function createAuthorization(dependencies: AuthorizationDependencies): Authorization {
  const { authenticate, rules, sessions, cookie, lastSeen, recordDecision, tally, logger } = dependencies;

  const failed = (error: unknown): Evaluated => {
    logger.error({ err: error }, reasons.failure);
    return { decision: failure };
  };

  const evaluateAs = (
    request: AuthorizationRequest,
    authenticated: Authenticated,
    by: Rules = rules,
  ): Evaluated => {
    const session = 'session' in authenticated ? authenticated.session : undefined;
    return { decision: evaluate(request, authenticated, by), session };
  };

  /** Who is asking is found out once more when the events are found: the session may have ended by then. */
  const evaluateMany = async (request: AuthorizationRequest): Promise<Evaluated> => {
    const recorded = await lookUpAhead(request, await authenticate(request), rules, dependencies.roundRobin);
    return evaluateAs(request, await authenticate(request), { ...rules, recorded });
  };

  const evaluateRequest: Evaluate = (request) => {
    try {
      if (mayNameManyEvents(request)) return evaluateMany(request).catch(failed);
      const authenticated = authenticate(request);
      return authenticated instanceof Promise
        ? authenticated.then((later) => evaluateAs(request, later)).catch(failed)
        : evaluateAs(request, authenticated);
    } catch (error) {
      return failed(error);
    }
  };

  /** A visit to /auth always refreshes a cookie session, anything else when it is due. */
  const isToRefresh = (decision: Decision, session: Session): boolean =>
    decision.outcome === 'allow' &&
    decision.identity?.source === 'session' &&
    (decision.path === '/auth' || sessions.isDue(session));

  /** A session that cannot be refreshed goes on with the token it has. */
  const refresh = async (session: Session): Promise<IssuedToken | undefined> => {
    try {
      return await sessions.refresh(session);
    } catch (error) {
      logger.error({ err: error }, 'a session was not refreshed');
      return undefined;
    }
  };

  /** That nobody could note it is no fault of the request. */
  const noteSession = (request: AuthorizationRequest, session: Session, issued: IssuedToken | undefined) => {
    try {
      if (issued === undefined) lastSeen.note(session, request);
      else lastSeen.noteIssued(issued.claims, request);
    } catch (error) {
      logger.error({ err: error }, 'when a session was last seen was not noted');
    }
  };

  const record = (request: AuthorizationRequest, decision: Decision, began: number | undefined): string => {
    tally.count(request.front, decision.outcome, decision.reason, began);
    return recordDecision(request, decision);
  };

  const conclude = (
    request: AuthorizationRequest,
    { decision, session }: Evaluated,
    began: number,
    issued?: IssuedToken,
  ): AuthorizationResult => {
    if (session !== undefined) noteSession(request, session, issued);
    const token = decision.identity?.token;
    if (token !== undefined) dependencies.apiTokenUses.note(token.id, () => dependencies.addressOf(request));
    // Perhaps it would answer otherwise by now.
    if (decision.reason === 'recorder_role_unverified' || decision.reason === 'cameras_too_many')
      dependencies.askRecorderAgain();
    const id = record(request, decision, began);
    const setCookie = issued && cookie.set(issued.token, issued.maxAgeSeconds, request.secure);
    return { id, decision, session, setCookie };
  };

  const refreshAndConclude = (
    request: AuthorizationRequest,
    evaluated: Evaluated,
    began: number,
  ): AuthorizationResult | Promise<AuthorizationResult> => {
    const { decision, session } = evaluated;
    if (session === undefined || !isToRefresh(decision, session)) return conclude(request, evaluated, began);
    return refresh(session).then((issued) => conclude(request, evaluated, began, issued));
  };

  return {
    identify: (request) => {
      if (request.fault !== undefined) return undefined;
      if (refuseToEverybody(request, rules.internalHosts) !== undefined) return undefined;
      const authenticated = authenticate(request);
      return authenticated instanceof Promise ? authenticated.then(identityIn) : identityIn(authenticated);
    },
    evaluate: evaluateRequest,
    evaluateIn: async (request, on) => evaluateAs(request, await authenticate(request, on)),
    record: (request, decision) => record(request, decision, undefined),
    authorize: (request) => {
      const began = tally.begin();
      const evaluated = evaluateRequest(request);
      return evaluated instanceof Promise
        ? evaluated.then((later) => refreshAndConclude(request, later, began))
        : refreshAndConclude(request, evaluated, began);
    },
  };
}

function identityIn(authenticated: Authenticated): Identity | undefined {
  return 'identity' in authenticated ? authenticated.identity : undefined;
}

const failure: Decision = { outcome: 'forbidden', reason: 'failure', identity: undefined };
