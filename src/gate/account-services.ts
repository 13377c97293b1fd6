import { createChangeLimit } from '../accounts/limits/change-limit.ts';
import { createWindowsInMemory } from '../accounts/limits/counted-windows.ts';
import { createFailureLimit, type FailureLimitOf } from '../accounts/limits/failure-limit.ts';
import { createFirstRun } from '../accounts/users/first-run.ts';
import { createPasswordHasher, type PasswordHasherOptions } from '../accounts/users/password-hash.ts';
import { createEmails } from '../accounts/users/emails.ts';
import { createFederatedUsers } from '../accounts/users/federated-users.ts';
import { createUsers } from '../accounts/users/users.ts';
import { createWindowsInStore } from '../accounts/limits/windows-in-store.ts';
import { createFactors } from '../accounts/second-factor/factors.ts';
import { createStops } from '../accounts/stops/stops.ts';
import { systemTimers } from '../clock.ts';
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
    users: createUsers(store, clock, () => current.configuration().auth.oidc?.issuer),
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
