import type { FailureLimit } from '../accounts/limits/failure-limit.ts';
import type { AuthorizationDependencies } from '../access/authorize.ts';
import type { Configuration } from '../config/configuration.ts';
import type { Sealing } from '../accounts/sealing.ts';
import type { Sessions } from '../accounts/sessions/sessions.ts';
import type { ProviderLogout } from '../api/login/provider-logout.ts';
import { createProviderLogout } from '../features/oidc/provider-logout.ts';
import type { ProviderSessions } from '../features/oidc/provider-sessions.ts';
import { createSessionRefresh } from '../features/oidc/session-refresh.ts';
import { createSignOn, type SignOn } from '../features/oidc/sign-on.ts';
import type { Services } from './services.ts';

/** The provider, for the pipeline and the endpoints, by one configuration. */
export interface ComposedSignOn {
  /** Undefined: there is no provider. */
  readonly signOn: SignOn | undefined;
  readonly providerSessions: ProviderSessions;
  /** Milliseconds that a session lasts without a refresh. */
  readonly sessionLength: number;
  readonly failureLimit: FailureLimit;
  readonly mayRefresh: AuthorizationDependencies['mayRefresh'];
  readonly providerLogout: ProviderLogout | undefined;
}

export function composeOidc(
  configuration: Configuration,
  sealing: Sealing,
  sessions: Pick<Sessions, 'dueAt'>,
  services: Services,
): ComposedSignOn {
  const { sessionLength, refreshTime, failedLoginRateLimit } = configuration.auth;
  const signOn = createSignOn(configuration, services);
  const providerSessions = services.providerSessionsOf(sealing, sessionLength);
  return {
    signOn,
    providerSessions,
    sessionLength,
    failureLimit: services.failureLimitOf(failedLoginRateLimit),
    mayRefresh:
      signOn &&
      createSessionRefresh({
        ...services,
        logger: services.requestLog,
        provider: signOn.provider,
        issuer: signOn.oidc.issuer,
        decide: signOn.federatedUserOf,
        providerSessions,
        sessions,
        lengths: { sessionLength, refreshTime },
      }),
    providerLogout: signOn && createProviderLogout({ ...signOn, providerSessions, sealing }),
  };
}
