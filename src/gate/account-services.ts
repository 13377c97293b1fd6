import { isDeepStrictEqual } from 'node:util';
import { createChangeLimit } from '../accounts/limits/change-limit.ts';
import { createWindowsInMemory } from '../accounts/limits/counted-windows.ts';
import { type FailureLimitOf, createFailureLimit } from '../accounts/limits/failure-limit.ts';
import { createWindowsInStore } from '../accounts/limits/windows-in-store.ts';
import type { Sealing } from '../accounts/sealing.ts';
import { createFactors } from '../accounts/second-factor/factors.ts';
import { createSessionRegistry } from '../accounts/sessions/last-seen.ts';
import { type Revocations, createRevocations } from '../accounts/sessions/revocations.ts';
import { createSessionTokens } from '../accounts/sessions/session-token.ts';
import { type Sessions, type SessionsDependencies, createSessions } from '../accounts/sessions/sessions.ts';
import { createStops } from '../accounts/stops.ts';
import { createEmails } from '../accounts/users/emails.ts';
import { createFederatedUsers } from '../accounts/users/federated-users.ts';
import { createFirstRun } from '../accounts/users/first-run.ts';
import { type PasswordHasherOptions, createPasswordHasher } from '../accounts/users/password-hash.ts';
import { createUsers } from '../accounts/users/users.ts';
import { systemTimers, withTimeout } from '../clock.ts';
import type { Configuration } from '../config/configuration.ts';
import { createProviderSessions, pruneSignOn } from '../features/oidc/provider-sessions.ts';
import type { Foundation } from './foundation.ts';

/** Accounts, and the limits of attempts to sign in. */
export function createAccountServices(
  foundation: Foundation,
  passwordHasher: PasswordHasherOptions | undefined,
) {
  const { store, counting, storeVersion, current, tallies, clock } = foundation;
  const { limited } = tallies;
  const windows = counting === undefined ? createWindowsInMemory() : createWindowsInStore(counting);
  const failureLimitOf: FailureLimitOf = (rules, what) =>
    createFailureLimit(rules, windows, () => (limited.login_failures += 1), what);
  return {
    users: createUsers(store, clock, () => current.configuration().auth.oidc?.issuer, storeVersion),
    federatedUsers: createFederatedUsers(store, clock),
    factors: createFactors(store, clock),
    firstRun: createFirstRun(store),
    emails: createEmails(store),
    stops: createStops({ store, version: storeVersion, clock, timers: systemTimers }),
    hasher: createPasswordHasher({
      ...passwordHasher,
      onLimited: () => (limited.password_hashes += 1),
    }),
    changeLimit: createChangeLimit(windows),
    /** Counts attempts for the limits. */
    windows,
    failureLimitOf,
  };
}

/** Sessions of users. */
export function createSessionServices(foundation: Foundation) {
  const { store, activity, storeVersion, sawRoles, tallies, clock, logger, closing } = foundation;
  const revocations = createRevocations(
    store,
    clock,
    () =>
      logger.warn(
        'the clock went back: every session was ended, since one that was revoked might be good again',
      ),
    sawRoles,
  );
  const sessionRegistry = createSessionRegistry({
    activity,
    clock,
    onFault: (error) => logger.error({ err: error }, 'what sessions do cannot be written down'),
    onRecovery: () => logger.info('what sessions do is written down again'),
  });
  closing.defer(sessionRegistry.close);
  return {
    revocations,
    sessionRegistry,
    /** The sessions of one configuration. */
    sessionsOf: keptSessions({
      clock,
      storeVersion,
      latestExpiry: async (id) => (await sessionRegistry.find(id))?.expiresAt,
      tally: tallies.caches.sessions,
    }),
    /** @param sessionLength milliseconds */
    providerSessionsOf: (sealing: Sealing, sessionLength: number) =>
      createProviderSessions({ store, sealing, sessionLength, clock }),
    pruneSignOn: () => pruneSignOn(store, clock),
    underWay: waitedFor(closing),
  };
}

/** Sessions by a configuration: the same object for as long as its session settings stay the same. */
export type KeptSessions = (
  configuration: Pick<Configuration, 'auth'>,
  jwtSecret: string,
  revocations: Revocations,
) => Sessions;

/** The cache of sessions lives as long as the settings that it depends on; custom roles do not matter to it. */
function keptSessions(
  dependencies: Required<Pick<SessionsDependencies, 'clock' | 'storeVersion' | 'tally' | 'latestExpiry'>>,
): KeptSessions {
  const { clock, storeVersion, tally, latestExpiry } = dependencies;
  let kept: { readonly of: readonly unknown[]; readonly sessions: Sessions } | undefined;
  return ({ auth: { sessionLength, refreshTime, oidc } }, jwtSecret, revocations) => {
    const of = [jwtSecret, sessionLength, refreshTime, oidc?.issuer];
    if (kept !== undefined && isDeepStrictEqual(kept.of, of)) return kept.sessions;
    const sessions = createSessions({
      tokens: createSessionTokens(jwtSecret, clock),
      revocations,
      sessionLength,
      refreshTime,
      clock,
      issuer: oidc?.issuer,
      storeVersion,
      tally,
      latestExpiry,
    });
    kept = { of, sessions };
    return sessions;
  };
}

/** Milliseconds. */
const closeTimeoutMs = 2_000;

/**
 * A provider invalidates a refresh token when it is used: an answer that is dropped would be lost.
 * @returns a function that takes background work, which is waited for when `closing` closes
 */
function waitedFor(closing: AsyncDisposableStack): Set<Promise<unknown>> {
  const underWay = new Set<Promise<unknown>>();
  closing.defer(async () => {
    await withTimeout(Promise.all(underWay), closeTimeoutMs);
  });
  return underWay;
}
