import type { ApiDependencies } from '../api/dependencies.ts';
import { apiToken } from '../authentication/api-token.ts';
import { authenticateBy, type Strategy } from '../authentication/authenticate.ts';
import { internalEntryPoint } from '../authentication/internal-entry-point.ts';
import { proxyHeaders } from '../authentication/proxy-headers.ts';
import { proxySecret } from '../authentication/proxy-secret.ts';
import { sessionToken } from '../authentication/session-token.ts';
import { createAuthorization, type Authorization } from '../authorization/authorize.ts';
import type { DecisionLog } from '../authorization/decision-log.ts';
import { decisionRecorder } from '../authorization/record-decision.ts';
import { addressOf } from '../fronts/client.ts';
import type { AuthorizationRequest } from '../policy/authorization-request.ts';
import type { Settings } from '../settings/settings.ts';

type AccountDependencies = Pick<ApiDependencies, 'apiTokens' | 'sessions' | 'cookie'>;

/** The strategies for the gate's own accounts: an API token, else a session token. */
export function accountStrategies(
  { apiTokens, sessions, cookie }: AccountDependencies,
  { rules }: Pick<Settings, 'rules'>,
): readonly Strategy[] {
  return [apiToken(apiTokens, rules.customRoles), sessionToken(sessions, cookie, rules.customRoles)];
}

/** Who is asking, step by step: each step is final. */
function strategies(
  dependencies: AccountDependencies & { readonly settings: Settings },
): readonly Strategy[] {
  const { settings } = dependencies;
  const { mode, proxyIdentity } = settings;
  return [
    internalEntryPoint,
    proxySecret(settings.proxySecret),
    ...(mode === 'proxy' ? [proxyHeaders(proxyIdentity)] : accountStrategies(dependencies, settings)),
  ];
}

/** The one pipeline, by the settings of one configuration. */
export function composeAuthorization(dependencies: ApiDependencies, decisions: DecisionLog): Authorization {
  const { settings, tallies } = dependencies;
  const addressOfRequest = (request: Pick<AuthorizationRequest, 'peer' | 'headers'>) =>
    addressOf(request, settings);
  return createAuthorization({
    ...dependencies,
    authenticate: authenticateBy(strategies(dependencies)),
    rules: settings.rules,
    addressOf: addressOfRequest,
    recordDecision: decisionRecorder({ ...dependencies, decisions, addressOf: addressOfRequest }),
    tally: tallies.decisions,
  });
}
