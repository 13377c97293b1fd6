import type { Sealing } from '../accounts/sealing.ts';
import { createSessionRegistry } from '../accounts/sessions/last-seen.ts';
import { createRevocations } from '../accounts/sessions/revocations.ts';
import { createProviderSessions } from '../features/oidc/provider-sessions.ts';
import { pruneSignOn } from '../features/oidc/prune-sign-on.ts';
import type { Foundation } from './foundation.ts';
import { keptSessions } from './kept-sessions.ts';
import { waitedFor } from './under-way.ts';

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
    /** By a configuration. */
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
