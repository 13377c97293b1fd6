import type { RemoveMadeRole } from '../identity/invitations/remove-made-role.ts';
import type { Services } from './services.ts';

// Milliseconds.
const pruneInterval = 3_600_000;
const day = 24 * pruneInterval;

const invitationInterval = 60_000;

/**
 * Removes invitations that ended unused, with the roles that were made for them.
 */
export function startEndingInvitations(
  { invitations, logger }: Services,
  removeMadeRole: RemoveMadeRole,
  closing: AsyncDisposableStack,
): void {
  let running: Promise<unknown> = Promise.resolve();
  const prune = async () => {
    for (const { makesRole, role } of await invitations.prune()) if (makesRole) await removeMadeRole(role);
  };
  const pruning = setInterval(() => {
    running = prune().catch((error: unknown) => logger.warn({ err: error }, 'invitations were not pruned'));
  }, invitationInterval).unref();
  closing.defer(async () => {
    clearInterval(pruning);
    await running;
  });
}

/** Removes expired records now, and every hour. */
export function startPruning(services: Services, closing: AsyncDisposableStack): void {
  const { logger, revocations, sessionRegistry, windows, pruneSignOn } = services;
  const { users, apiTokens, apiTokenUses, displays, pairingCodes, shares, shareUnlocks, stops } = services;
  const { accessRequests, alerts, audit, pushSubscriptions, viewing, clock, current } = services;
  const pruneUses = async () => {
    const all = [...(await apiTokens.list()), ...(await displays.list())];
    await apiTokenUses.prune(new Set(all.map(({ id }) => id)));
  };
  const prunePushes = () =>
    pushSubscriptions.prune(async (id) => (await sessionRegistry.find(id)) !== undefined);
  const pruneShares = async () => shareUnlocks.prune(await shares.prune());
  const failed = (error: unknown) => logger.warn({ err: error }, 'nothing was pruned');
  let running: Promise<unknown> = Promise.resolve();
  const prune = () => {
    running = Promise.all([
      running,
      revocations.prune().catch(failed),
      sessionRegistry.prune(users.find).catch(failed),
      pruneUses().catch(failed),
      pruneShares().catch(failed),
      stops.prune().catch(failed),
      prunePushes().catch(failed),
      alerts.prune().catch(failed),
      accessRequests.prune().catch(failed),
      viewing.prune(clock.now() - current.configuration().audit.keepDays * day).catch(failed),
      displays.prune().catch(failed),
      pairingCodes.prune().catch(failed),
      windows.prune().catch(failed),
      pruneSignOn().catch(failed),
      audit.prune(),
    ]);
  };
  prune();
  const pruning = setInterval(prune, pruneInterval).unref();
  // Wait for a run under way: the databases are closed after that.
  closing.defer(async () => {
    clearInterval(pruning);
    await running;
  });
}
