import { apiToken } from '../access/authentication/api-token.ts';
import { sessionOrDisplay } from '../access/authentication/display.ts';
import { authenticateBy, type Strategy } from '../access/authentication/authenticate.ts';
import { internalEntryPoint } from '../access/authentication/internal-entry-point.ts';
import { proxyHeaders } from '../access/authentication/proxy-headers.ts';
import { proxySecret } from '../access/authentication/proxy-secret.ts';
import { sessionToken } from '../access/authentication/session-token.ts';
import type { ApiTokens } from '../identity/api-tokens/api-tokens.ts';
import type { DisplayCookie } from '../identity/displays/display-cookie.ts';
import type { DisplayCredentials } from '../identity/displays/display-credentials.ts';
import {
  createAuthorization,
  type Authorization,
  type AuthorizationDependencies,
} from '../access/authorize.ts';
import { decisionRecorder, type DecisionRecorderDependencies } from '../access/record-decision.ts';
import { addressOf } from '../http/fronts/client.ts';
import { isProtectedConnection } from '../policy/protected-connection.ts';
import type { RequestContext } from '../policy/request-context.ts';
import type { SessionCookie } from '../identity/sessions/session-cookie.ts';
import type { Sessions } from '../identity/sessions/sessions.ts';
import type { Settings } from '../access/settings/settings.ts';
import type { Tallies } from '../telemetry/tallies.ts';

interface AccountDependencies {
  readonly apiTokens: Pick<ApiTokens, 'check' | 'recall'>;
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
}

type AccountSettings = Pick<Settings, 'features' | 'rules' | 'secondFactorFor' | 'issuer' | 'isTrustedProxy'>;

/** The strategies for the gate's own accounts: an API token, else a session token. */
export function accountStrategies(
  dependencies: AccountDependencies,
  settings: AccountSettings,
): readonly Strategy[] {
  return [...byApiToken(dependencies, settings), bySession(dependencies, settings)];
}

function byApiToken(
  { apiTokens }: Pick<AccountDependencies, 'apiTokens'>,
  settings: AccountSettings,
): readonly Strategy[] {
  const { features, rules, issuer, isTrustedProxy } = settings;
  const isProtected = (request: RequestContext) =>
    isProtectedConnection(request, addressOf(request, settings), isTrustedProxy);
  return features.has('api_tokens') ? [apiToken(apiTokens, { roles: rules.roles, issuer, isProtected })] : [];
}

function bySession(
  { sessions, cookie }: Pick<AccountDependencies, 'sessions' | 'cookie'>,
  { rules, secondFactorFor }: AccountSettings,
): Strategy {
  return sessionToken(sessions, cookie, rules.roles, secondFactorFor);
}

interface ScreenDependencies {
  readonly displayCredentials: Pick<DisplayCredentials, 'check' | 'recall'>;
  readonly displayCookie: Pick<DisplayCookie, 'read'>;
}

/** The same, and the cookie of a display where there is no valid session: for everything but sign-in and sign-out. */
function accountOrScreen(
  dependencies: AccountDependencies & ScreenDependencies,
  settings: Settings,
): readonly Strategy[] {
  if (!settings.features.has('displays')) return accountStrategies(dependencies, settings);
  const { displayCredentials, displayCookie } = dependencies;
  const rules = { roles: settings.rules.roles, issuer: settings.issuer };
  const session = bySession(dependencies, settings);
  return [
    ...byApiToken(dependencies, settings),
    sessionOrDisplay(session, displayCredentials, displayCookie, rules),
  ];
}

/** Authenticates step by step: the first step with a result decides. What is off has no step. */
function strategies(
  dependencies: AccountDependencies &
    ScreenDependencies &
    Pick<PipelineDependencies, 'settings' | 'shareLink'>,
): readonly Strategy[] {
  const { settings } = dependencies;
  const { mode, proxyIdentity, features } = settings;
  return [
    // First: below the media paths of shares only the share counts, not even the entry point.
    ...(features.has('shares') ? [dependencies.shareLink] : []),
    internalEntryPoint,
    proxySecret(settings.proxySecret),
    ...(mode === 'proxy' ? [proxyHeaders(proxyIdentity)] : accountOrScreen(dependencies, settings)),
  ];
}

/** What the pipeline takes from outside this file. */
export type PipelineDependencies = AccountDependencies &
  ScreenDependencies &
  Omit<AuthorizationDependencies, 'authenticate' | 'rules' | 'addressOf' | 'recordDecision' | 'tally'> &
  Omit<DecisionRecorderDependencies, 'addressOf'> & {
    readonly settings: Settings;
    readonly shareLink: Strategy;
    readonly tallies: Pick<Tallies, 'decisions'>;
  };

/** The one authorization pipeline, by the settings of one configuration. */
export function composeAuthorization(dependencies: PipelineDependencies): Authorization {
  const { settings, tallies } = dependencies;
  const addressOfRequest = (request: RequestContext) => addressOf(request, settings);
  return createAuthorization({
    ...dependencies,
    authenticate: authenticateBy(strategies(dependencies)),
    rules: settings.rules,
    addressOf: addressOfRequest,
    recordDecision: decisionRecorder({ ...dependencies, addressOf: addressOfRequest }),
    tally: tallies.decisions,
  });
}
