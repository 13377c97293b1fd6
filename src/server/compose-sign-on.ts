import type { FailureLimit } from '../accounts/failure-limit.ts';
import type { AuthorizationDependencies } from '../authorization/authorize.ts';
import type { Configuration } from '../config/configuration.ts';
import type { Sealing } from '../sealing/sealing.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { createProviderLogout, type ProviderLogout } from '../sign-on/provider-logout.ts';
import type { ProviderSessions } from '../sign-on/provider-sessions.ts';
import { createSessionRefresh } from '../sign-on/session-refresh.ts';
import { createSignOn, type SignOn } from '../sign-on/sign-on.ts';
import type { Services } from './services.ts';

/** What the pipeline and the endpoints take of a provider, by one configuration. */
export interface ComposedSignOn {
  /** Undefined: nobody signs in at a provider. */
  readonly signOn: SignOn | undefined;
  readonly providerSessions: ProviderSessions;
  /** Milliseconds that a session lasts without a refresh. */
  readonly sessionLength: number;
  readonly failureLimit: FailureLimit;
  readonly mayRefresh: AuthorizationDependencies['mayRefresh'];
  readonly providerLogout: ProviderLogout | undefined;
}

export function composeSignOn(
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
        provider: signOn.provider,
        issuer: signOn.oidc.issuer,
        decide: signOn.personOf,
        providerSessions,
        sessions,
        lengths: { sessionLength, refreshTime },
      }),
    providerLogout: signOn && createProviderLogout({ ...signOn, providerSessions, sealing }),
  };
}
