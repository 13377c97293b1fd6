import { authenticateBy, type Strategy } from '../access/authentication/authenticate.ts';
import { internalEntryPoint, proxySecret } from '../access/authentication/entry-strategies.ts';
import { proxyHeaders } from '../access/authentication/proxy-headers.ts';
import { sessionToken } from '../access/authentication/session-token.ts';
import { createAuthorization, type Authorization, type SessionUpkeep } from '../access/authorize.ts';
import type { CurrentRoles } from '../access/current-roles.ts';
import { decisionRecorder } from '../access/record-decision.ts';
import type { Settings } from '../access/settings/settings.ts';
import type { SessionCookie } from '../accounts/sessions/session-cookie.ts';
import type { Sessions } from '../accounts/sessions/sessions.ts';
import type { Composed, Feature } from '../features/feature.ts';
import { addressOf } from '../http/fronts/client.ts';
import type { RequestContext } from '../policy/request-context.ts';
import type { RequestLog } from '../telemetry/request-log.ts';
import type { Foundation } from './foundation.ts';
import type { RecorderServices } from './recorder-services.ts';
import type { Services } from './services.ts';

/** How features find out who is asking. */
export type Identify = NonNullable<Composed['identify']>;

/** The services of the pipeline. */
export interface AuthorizationServices {
  readonly foundation: Pick<Foundation, 'clock' | 'roundRobin'> & {
    readonly audit: Pick<Foundation['audit'], 'record'>;
    readonly requestLog: RequestLog;
    readonly tallies: Pick<Foundation['tallies'], 'decisions'>;
  };
  readonly recorder: Pick<RecorderServices, 'askRecorderAgain'>;
  readonly watching: {
    readonly stills: Pick<Services['watching']['stills'], 'note'>;
    readonly viewing: Pick<Services['watching']['viewing'], 'note'>;
  };
  readonly records: Pick<Services['records'], 'decisions'>;
  readonly features: ReadonlyArray<Pick<Feature, 'noteToken'>>;
}

/** The pipeline's parts of one configuration. */
export interface AuthorizationParts {
  readonly settings: Settings;
  readonly upkeep: SessionUpkeep & AccountCredentials;
  readonly identify: Identify;
  /** Absent when nothing that a decision depends on can change in the store. */
  readonly currentRoles: CurrentRoles | undefined;
  /** Whether the audit records who watches. */
  readonly recordsViewing: boolean;
}

/** The one authorization pipeline, by the settings of one configuration. */
export function composeAuthorization(
  { foundation, recorder, watching, records, features }: AuthorizationServices,
  { settings, upkeep, identify, currentRoles, recordsViewing }: AuthorizationParts,
): Authorization {
  const { audit, clock, requestLog, tallies, roundRobin } = foundation;
  const addressOfRequest = (request: RequestContext) => addressOf(request, settings);
  return createAuthorization({
    authenticate: authenticateBy(strategies(settings, upkeep, identify)),
    rules: settings.rules,
    currentRoles,
    upkeep,
    noteToken: features.flatMap(({ noteToken }) => noteToken ?? []),
    addressOf: addressOfRequest,
    recordDecision: decisionRecorder({
      decisions: records.decisions,
      audit,
      logger: requestLog,
      addressOf: addressOfRequest,
      clock,
    }),
    watching: { stills: watching.stills, viewing: recordsViewing ? watching.viewing : undefined },
    roundRobin,
    askRecorderAgain: recorder.askRecorderAgain,
    tally: tallies.decisions,
    logger: requestLog,
  });
}

/** Authenticates step by step: the first step with a result decides. A feature that is off has no step. */
function strategies(
  settings: Settings,
  credentials: AccountCredentials,
  { share, bearer, afterSession }: Identify,
): readonly Strategy[] {
  const { mode, proxyIdentity, proxySecret: secret } = settings;
  const session = sessionStrategy(settings, credentials);
  return [
    // First: below the media paths of shares only the share counts, not even the entry point.
    share,
    internalEntryPoint,
    proxySecret(secret),
    ...(mode === 'proxy'
      ? [proxyHeaders(proxyIdentity)]
      : // A screen of a user who has signed in is theirs: its own cookie counts only without a session.
        [bearer, afterSession === undefined ? session : afterSession(session)]),
  ].filter(isDefined);
}

interface AccountCredentials {
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
}

/** The strategies for the gate's own accounts: an API token, else a session token. */
export function accountStrategies(
  settings: Pick<Settings, 'rules' | 'secondFactorFor'>,
  credentials: AccountCredentials,
  bearer?: Strategy,
): readonly Strategy[] {
  return [bearer, sessionStrategy(settings, credentials)].filter(isDefined);
}

function sessionStrategy(
  { rules, secondFactorFor }: Pick<Settings, 'rules' | 'secondFactorFor'>,
  { sessions, cookie }: AccountCredentials,
): Strategy {
  return sessionToken(sessions, cookie, rules.roles, secondFactorFor);
}

function isDefined<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}
