import { createLogin } from '../accounts/users/login.ts';
import { sessionCookieHeader } from '../api/session-cookie-header.ts';
import { authenticateBy } from '../access/authentication/authenticate.ts';
import { createLastSeen } from '../access/last-seen.ts';
import type { Configuration } from '../config/configuration.ts';
import { addressOf } from '../http/fronts/client.ts';
import { createSealing } from '../accounts/sealing.ts';
import { createActiveSessions } from '../accounts/sessions/active-sessions.ts';
import { sessionCookie } from '../accounts/sessions/session-cookie.ts';
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
  const { clock, requestLog, users, hasher, revocations, sessionRegistry } = services;
  const sealing = createSealing(storeKey, clock);
  const sessions = services.sessionsOf(configuration, jwtSecret, revocations);
  const cookie = sessionCookie(auth.cookieName);
  const lastSeen = createLastSeen(sessionRegistry, (request) => addressOf(request, settings), clock);
  return {
    sealing,
    sessions,
    cookie,
    jwtSecret,
    cookieHeader: sessionCookieHeader(cookie, lastSeen, settings),
    lastSeen,
    activeSessions: createActiveSessions({ registry: sessionRegistry, revocations, sessions, users }),
    authenticateSession: authenticateBy(accountStrategies({ sessions, cookie }, settings)),
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
