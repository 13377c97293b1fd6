import { authenticateBy, type Strategy } from '../access/authentication/authenticate.ts';
import { internalEntryPoint } from '../access/authentication/internal-entry-point.ts';
import { proxyHeaders } from '../access/authentication/proxy-headers.ts';
import { proxySecret } from '../access/authentication/proxy-secret.ts';
import { sessionToken } from '../access/authentication/session-token.ts';
import {
  createAuthorization,
  type Authorization,
  type AuthorizationDependencies,
} from '../access/authorize.ts';
import { decisionRecorder, type DecisionRecorderDependencies } from '../access/record-decision.ts';
import type { Composed } from '../features/feature.ts';
import { addressOf } from '../http/fronts/client.ts';
import type { RequestContext } from '../policy/request-context.ts';
import type { SessionCookie } from '../accounts/sessions/session-cookie.ts';
import type { Sessions } from '../accounts/sessions/sessions.ts';
import type { Settings } from '../access/settings/settings.ts';
import type { Tallies } from '../telemetry/tallies.ts';

interface AccountDependencies {
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
  /** Strategy for API tokens. Absent when they are off. */
  readonly bearer?: Strategy | undefined;
}

type AccountSettings = Pick<Settings, 'rules' | 'secondFactorFor'>;

/** The strategies for the gate's own accounts: an API token, else a session token. */
export function accountStrategies(
  { bearer, sessions, cookie }: AccountDependencies,
  { rules, secondFactorFor }: AccountSettings,
): readonly Strategy[] {
  return [bearer, sessionToken(sessions, cookie, rules.roles, secondFactorFor)].filter(isDefined);
}

/** How features find out who is asking. */
export type Identify = NonNullable<Composed['identify']>;

/** Authenticates step by step: the first step with a result decides. A feature that is off has no step. */
function strategies(
  { sessions, cookie, identify }: PipelineDependencies,
  settings: Settings,
): readonly Strategy[] {
  const { share, bearer, afterSession } = identify;
  const { mode, proxyIdentity, proxySecret: secret, rules, secondFactorFor } = settings;
  const session = sessionToken(sessions, cookie, rules.roles, secondFactorFor);
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

function isDefined<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}

/** Everything that the pipeline needs. */
export type PipelineDependencies = Omit<AccountDependencies, 'bearer'> &
  Omit<AuthorizationDependencies, 'authenticate' | 'rules' | 'addressOf' | 'recordDecision' | 'tally'> &
  Omit<DecisionRecorderDependencies, 'addressOf'> & {
    readonly settings: Settings;
    readonly identify: Identify;
    readonly tallies: Pick<Tallies, 'decisions'>;
  };

/** The one authorization pipeline, by the settings of one configuration. */
export function composeAuthorization(dependencies: PipelineDependencies): Authorization {
  const { settings, tallies } = dependencies;
  const addressOfRequest = (request: RequestContext) => addressOf(request, settings);
  return createAuthorization({
    ...dependencies,
    authenticate: authenticateBy(strategies(dependencies, settings)),
    rules: settings.rules,
    addressOf: addressOfRequest,
    recordDecision: decisionRecorder({ ...dependencies, addressOf: addressOfRequest }),
    tally: tallies.decisions,
  });
}
