import { createLogin } from '../identity/users/login.ts';
import { sessionCookieHeader } from '../api/session-cookie-header.ts';
import { authenticateBy } from '../access/authentication/authenticate.ts';
import { createLastSeen } from '../access/last-seen.ts';
import type { Configuration } from '../config/configuration.ts';
import { addressOf } from '../http/fronts/client.ts';
import { createDisplayCookie } from '../identity/displays/display-cookie.ts';
import { createSealing } from '../identity/sealing.ts';
import { createActiveSessions } from '../identity/sessions/active-sessions.ts';
import { sessionCookie } from '../identity/sessions/session-cookie.ts';
import type { Settings } from '../access/settings/settings.ts';
import { accountStrategies } from './compose-authorization.ts';
import { composeSecondFactor } from './compose-second-factor.ts';
import { composeOidc } from './compose-oidc.ts';
import type { RuntimeFiles } from './gate-files.ts';
import type { Services } from './services.ts';

/** Sign-in and sessions by one configuration. */
export function composeAccounts(
  configuration: Configuration,
  { jwtSecret, storeKey }: RuntimeFiles,
  settings: Settings,
  services: Services,
) {
  const { auth } = configuration;
  const { clock, requestLog, users, hasher, apiTokens, revocations, sessionRegistry } = services;
  const sealing = createSealing(storeKey, clock);
  const sessions = services.sessionsOf(configuration, jwtSecret, revocations);
  const cookie = sessionCookie(auth.cookieName);
  const lastSeen = createLastSeen(sessionRegistry, (request) => addressOf(request, settings), clock);
  return {
    sealing,
    sessions,
    cookie,
    displayCookie: createDisplayCookie(),
    displayCredentials: services.displayCredentialsOf(jwtSecret),
    pairingLimit: services.failureLimitOf(auth.failedLoginRateLimit, 'pairing'),
    codeLimit: services.failureLimitOf(auth.failedLoginRateLimit, 'pairing code'),
    invitationLimit: services.failureLimitOf(auth.failedLoginRateLimit, 'invitation'),
    publicUrl: configuration.publicUrl,
    cookieHeader: sessionCookieHeader(cookie, lastSeen, settings),
    lastSeen,
    activeSessions: createActiveSessions({ registry: sessionRegistry, revocations, sessions, users }),
    authenticateAccount: authenticateBy(accountStrategies({ apiTokens, sessions, cookie }, settings)),
    login: createLogin({
      users,
      hasher,
      failureLimit: services.failureLimitOf(auth.failedLoginRateLimit),
      onError: (error, message) => requestLog.warn({ err: error }, message),
    }),
    ...composeSecondFactor(configuration, sealing, services),
    provider: auth.oidc,
    ...composeOidc(configuration, sealing, sessions, services),
  };
}
