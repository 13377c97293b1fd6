import { authenticateBy } from '../access/authentication/authenticate.ts';
import { createLastSeen } from '../access/last-seen.ts';
import type { Settings } from '../access/settings/settings.ts';
import { type Sealing, createSealing } from '../accounts/sealing.ts';
import { createFactorLogin } from '../accounts/second-factor/login.ts';
import { createPasskeys, relyingPartyOf } from '../accounts/second-factor/passkeys.ts';
import { createProofLimit, createProofs } from '../accounts/second-factor/proofs.ts';
import { createStepUp } from '../accounts/second-factor/step-up.ts';
import { createActiveSessions } from '../accounts/sessions/active-sessions.ts';
import { sessionCookie } from '../accounts/sessions/session-cookie.ts';
import type { Sessions } from '../accounts/sessions/sessions.ts';
import { createLogin } from '../accounts/users/login.ts';
import { sessionCookieHeader } from '../api/request.ts';
import type { Configuration } from '../config/configuration.ts';
import { createProviderLogout } from '../features/oidc/logout.ts';
import { createSessionRefresh } from '../features/oidc/session-refresh.ts';
import { createSignOn } from '../features/oidc/sign-on.ts';
import { addressOf } from '../http/fronts/client.ts';
import { accountStrategies } from './compose-authorization.ts';
import type { RuntimeFiles } from './gate-files.ts';
import type { Services } from './services.ts';

/** Sign-in and sessions by one configuration. */
export type SignIn = ReturnType<typeof composeSignIn>;

export function composeSignIn(
  configuration: Configuration,
  { jwtSecret, storeKey }: RuntimeFiles,
  settings: Settings,
  services: Services,
) {
  const { auth } = configuration;
  const { foundation, accounts } = services;
  const { clock, requestLog } = foundation;
  const { users, hasher } = accounts;
  const { revocations, sessionRegistry, sessionsOf } = services.sessions;
  const sealing = createSealing(storeKey, clock);
  const sessions = sessionsOf(configuration, jwtSecret, revocations);
  const cookie = sessionCookie(auth.cookieName);
  const lastSeen = createLastSeen(sessionRegistry, (request) => addressOf(request, settings), clock);
  return {
    sealing,
    sessions,
    cookie,
    lastSeen,
    cookieHeader: sessionCookieHeader(cookie, lastSeen, settings),
    activeSessions: createActiveSessions({ registry: sessionRegistry, revocations, sessions, users }),
    authenticateSession: authenticateBy(accountStrategies(settings, { sessions, cookie })),
    login: createLogin({
      users,
      hasher,
      failureLimit: accounts.failureLimitOf(auth.failedLoginRateLimit),
      onError: (error, message) => requestLog.warn({ err: error }, message),
    }),
    secondFactor: composeSecondFactor(configuration, sealing, services),
    oidc: composeOidc(configuration, sealing, sessions, services),
  };
}

/** Passkeys and codes for logins and endpoints. */
function composeSecondFactor(
  { publicUrl, auth }: Configuration,
  sealing: Sealing,
  { foundation, accounts }: Services,
) {
  const { store, clock, tallies } = foundation;
  const { users, factors, changeLimit, windows, failureLimitOf } = accounts;
  const passkeys = createPasskeys(relyingPartyOf(publicUrl), sealing, clock);
  const proofs = createProofs({ read: store, sealing, passkeys, changeLimit, clock });
  const proofLimit = createProofLimit(
    failureLimitOf(auth.failedLoginRateLimit),
    windows,
    () => (tallies.limited.login_failures += 1),
  );
  const dependencies = {
    change: store.change,
    users,
    factors,
    passkeys,
    proofs,
    proofLimit,
    sealing,
    clock,
  };
  return {
    passkeys,
    factorLogin: createFactorLogin(dependencies),
    stepUp: createStepUp(dependencies),
  };
}

/** The OpenID Connect provider, for the pipeline and the endpoints. */
function composeOidc(
  configuration: Configuration,
  sealing: Sealing,
  sessions: Pick<Sessions, 'dueAt'>,
  services: Services,
) {
  const { sessionLength, refreshTime, failedLoginRateLimit } = configuration.auth;
  const { audit, clock, logger, requestLog } = services.foundation;
  // Absent when there is no provider.
  const signOn = createSignOn(configuration, { clock, logger });
  const providerSessions = services.sessions.providerSessionsOf(sealing, sessionLength);
  return {
    signOn,
    providerSessions,
    /** Milliseconds that a session lasts without a refresh. */
    sessionLength,
    failureLimit: services.accounts.failureLimitOf(failedLoginRateLimit),
    mayRefresh:
      signOn &&
      createSessionRefresh({
        audit,
        logger: requestLog,
        clock,
        underWay: services.sessions.underWay,
        provider: signOn.provider,
        issuer: signOn.oidc.issuer,
        decide: signOn.federatedUserOf,
        explain: signOn.explain,
        providerSessions,
        sessions,
        lengths: { sessionLength, refreshTime },
      }),
    providerLogout: signOn && createProviderLogout({ provider: signOn.provider, providerSessions, sealing }),
  };
}
