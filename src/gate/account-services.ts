import { createChangeLimit } from '../identity/limits/change-limit.ts';
import { createWindowsInMemory } from '../identity/limits/counted-windows.ts';
import { createFailureLimit } from '../identity/limits/failure-limit.ts';
import { createFirstRun } from '../identity/users/first-run.ts';
import { createPasswordHasher, type PasswordHasherOptions } from '../identity/users/password-hash.ts';
import { createAccessRequests } from '../identity/users/access-requests.ts';
import { createEmails } from '../identity/users/emails.ts';
import { createPushSubscriptions } from '../identity/users/push-subscriptions.ts';
import { createFederatedUsers } from '../identity/users/federated-users.ts';
import { createUsers } from '../identity/users/users.ts';
import { createWindowsInStore } from '../identity/limits/windows-in-store.ts';
import { createApiTokenUses } from '../identity/api-tokens/api-token-uses.ts';
import { createApiTokens } from '../identity/api-tokens/api-tokens.ts';
import { createDisplayCredentials } from '../identity/displays/display-credentials.ts';
import { createDisplayUses } from '../identity/displays/display-uses.ts';
import { createDisplays } from '../identity/displays/displays.ts';
import { createInvitations } from '../identity/invitations/invitations.ts';
import { createPairingCodes } from '../identity/displays/pairing-codes.ts';
import { createFactors } from '../identity/second-factor/factors.ts';
import { createShareUnlocks } from '../identity/shares/share-unlocks.ts';
import { createShares } from '../identity/shares/shares.ts';
import { createStops } from '../identity/stops/stops.ts';
import { systemTimers } from '../clock.ts';
import { keepLatest } from '../keep-latest.ts';
import { createLimiter } from '../store/limiter.ts';
import type { Foundation } from './foundation.ts';

/** Accounts, what users have given out, and the limits of attempts to sign in. */
export function createAccountServices(
  foundation: Foundation,
  passwordHasher: PasswordHasherOptions | undefined,
) {
  const { store, activity, counting, storeVersion, isShared, sawRoles } = foundation;
  const { current, tallies, audit, clock, logger, closing } = foundation;
  const { limited } = tallies;
  const apiTokenUses = createApiTokenUses(activity, {
    clock,
    onError: (error) => logger.warn({ err: error }, 'the last use of API tokens was not written'),
  });
  closing.defer(apiTokenUses.close);
  const shareUnlocks = createShareUnlocks(activity, {
    clock,
    onError: (error) => logger.warn({ err: error }, 'how often shares were opened was not written'),
  });
  closing.defer(shareUnlocks.close);
  const windows = counting === undefined ? createWindowsInMemory() : createWindowsInStore(counting);
  // Half of the connections to a shared store are left for users that are signed in.
  const inTurn = isShared ? createLimiter(2) : undefined;
  const ofDisplays = createApiTokens(store, clock, storeVersion, inTurn, sawRoles, 'display');
  const displayUses = createDisplayUses({
    store,
    clock,
    onCopied: ({ id, name, owner }) =>
      void audit.record({ event: 'display_copied', object: name, detail: { id, owner } }),
    onError: (error) => logger.warn({ err: error }, 'which screens use which credentials was not written'),
  });
  closing.defer(displayUses.close);
  return {
    users: createUsers(store, clock, () => current.configuration().auth.oidc?.issuer),
    federatedUsers: createFederatedUsers(store, clock),
    factors: createFactors(store, clock),
    firstRun: createFirstRun(store),
    apiTokens: createApiTokens(store, clock, storeVersion, inTurn, sawRoles),
    apiTokenUses,
    displays: createDisplays(store, ofDisplays, clock),
    displayUses,
    /** By the JWT secret of a configuration. */
    displayCredentialsOf: keepLatest((jwtSecret: string) =>
      createDisplayCredentials(jwtSecret, {
        store,
        tokens: ofDisplays,
        uses: displayUses,
        clock,
        storeVersion,
        inTurn,
      }),
    ),
    invitations: createInvitations(store, clock),
    accessRequests: createAccessRequests(store, clock),
    emails: createEmails(store),
    pushSubscriptions: createPushSubscriptions(store, clock),
    pairingCodes: createPairingCodes(activity, clock),
    shares: createShares(store, clock),
    shareUnlocks,
    stops: createStops({ store, version: storeVersion, clock, timers: systemTimers }),
    hasher: createPasswordHasher({
      ...passwordHasher,
      onLimited: () => (limited.password_hashes += 1),
    }),
    changeLimit: createChangeLimit(windows),
    /** Counts attempts for the limits. */
    windows,
    failureLimitOf: (rules: string | undefined, what?: Parameters<typeof createFailureLimit>[3]) =>
      createFailureLimit(rules, windows, () => (limited.login_failures += 1), what),
  };
}
