import type { FailureLimit } from '../accounts/failure-limit.ts';
import type { Configuration } from '../config/configuration.ts';
import type { Sealing } from '../sealing/sealing.ts';
import type { ProviderSessions } from '../sign-on/provider-sessions.ts';
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
}

export function composeSignOn(
  configuration: Configuration,
  sealing: Sealing,
  { shared, failureLimit, providerSessions }: Pick<Services, 'shared' | 'failureLimit' | 'providerSessions'>,
): ComposedSignOn {
  const { sessionLength, failedLoginRateLimit } = configuration.auth;
  return {
    signOn: createSignOn(configuration, shared),
    providerSessions: providerSessions(sealing, sessionLength),
    sessionLength,
    failureLimit: failureLimit(failedLoginRateLimit),
  };
}
