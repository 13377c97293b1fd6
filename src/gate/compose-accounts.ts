import { authenticateBy } from '../access/authentication/authenticate.ts';
import type { AuthorizationDependencies } from '../access/authorize.ts';
import { createLastSeen } from '../access/last-seen.ts';
import type { Settings } from '../access/settings/settings.ts';
import type { FailureLimit } from '../accounts/limits/failure-limit.ts';
import { type Sealing, createSealing } from '../accounts/sealing.ts';
import { type FactorLogin, createFactorLogin } from '../accounts/second-factor/login.ts';
import { type Passkeys, createPasskeys, relyingPartyOf } from '../accounts/second-factor/passkeys.ts';
import { createProofLimit, createProofs } from '../accounts/second-factor/proofs.ts';
import { type StepUp, createStepUp } from '../accounts/second-factor/step-up.ts';
import { createActiveSessions } from '../accounts/sessions/active-sessions.ts';
import { sessionCookie } from '../accounts/sessions/session-cookie.ts';
import type { Sessions } from '../accounts/sessions/sessions.ts';
import { createLogin } from '../accounts/users/login.ts';
import type { ProviderLogout } from '../api/login/logout.ts';
import { sessionCookieHeader } from '../api/request.ts';
import type { Configuration } from '../config/configuration.ts';
import { createProviderLogout } from '../features/oidc/logout.ts';
import type { ProviderSessions } from '../features/oidc/provider-sessions.ts';
import { createSessionRefresh } from '../features/oidc/session-refresh.ts';
import { type SignOn, createSignOn } from '../features/oidc/sign-on.ts';
import { addressOf } from '../http/fronts/client.ts';
import { accountStrategies } from './compose-authorization.ts';
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

interface SecondFactor {
  readonly passkeys: Passkeys;
  readonly factorLogin: FactorLogin;
  readonly stepUp: StepUp;
}

/** Passkeys and codes for logins and endpoints, by one configuration. */
function composeSecondFactor(
  { publicUrl, auth }: Configuration,
  sealing: Sealing,
  { clock, factors, users, changeLimit, tallies, failureLimitOf, windows, change, read }: Services,
): SecondFactor {
  const passkeys = createPasskeys(relyingPartyOf(publicUrl), sealing, clock);
  const proofs = createProofs({ read, sealing, passkeys, changeLimit, clock });
  const proofLimit = createProofLimit(
    failureLimitOf(auth.failedLoginRateLimit),
    windows,
    () => (tallies.limited.login_failures += 1),
  );
  const dependencies = { change, users, factors, passkeys, proofs, proofLimit, sealing, clock };
  return {
    passkeys,
    factorLogin: createFactorLogin(dependencies),
    stepUp: createStepUp(dependencies),
  };
}

/** The provider, for the pipeline and the endpoints, by one configuration. */
export interface ComposedSignOn {
  /** Absent when there is no provider. */
  readonly signOn: SignOn | undefined;
  readonly providerSessions: ProviderSessions;
  /** Milliseconds that a session lasts without a refresh. */
  readonly sessionLength: number;
  readonly failureLimit: FailureLimit;
  readonly mayRefresh: AuthorizationDependencies['mayRefresh'];
  readonly providerLogout: ProviderLogout | undefined;
}

function composeOidc(
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
        audit: services.audit,
        logger: services.requestLog,
        clock: services.clock,
        underWay: services.underWay,
        provider: signOn.provider,
        issuer: signOn.oidc.issuer,
        decide: signOn.federatedUserOf,
        explain: signOn.explain,
        providerSessions,
        sessions,
        lengths: { sessionLength, refreshTime },
      }),
    providerLogout: signOn && createProviderLogout({ ...signOn, providerSessions, sealing }),
  };
}
