import type { RemoveMadeRole } from '../identity/invitations/remove-made-role.ts';
import { orphanedPersonalRoles } from '../identity/users/personal-roles.ts';
import type { Services } from './services.ts';

// Milliseconds.
const soon = 1_000;
const pruneInterval = 3_600_000;
const day = 24 * pruneInterval;

const invitationInterval = 60_000;

/**
 * Removes invitations that ended unused, and roles that were made for invitations and belong to no one anymore.
 */
export function startEndingInvitations(
  { invitations, read, clockTrust, logger }: Services,
  removeMadeRole: RemoveMadeRole,
  closing: AsyncDisposableStack,
): void {
  let running: Promise<unknown> = Promise.resolve();
  const prune = async () => {
    if (!clockTrust.isTrusted()) return;
    for (const { makesRole, role } of await invitations.prune()) if (makesRole) await removeMadeRole(role);
    for (const role of await orphanedPersonalRoles(read)) await removeMadeRole(role);
  };
  const pruning = setInterval(() => {
    running = prune().catch((error: unknown) => logger.warn({ err: error }, 'invitations were not pruned'));
  }, invitationInterval).unref();
  closing.defer(async () => {
    clearInterval(pruning);
    await running;
  });
}

/** Removes expired records soon after the start, and every hour: nothing waits for it. */
export function startPruning(services: Services, closing: AsyncDisposableStack): void {
  const { logger, revocations, sessionRegistry, windows, pruneSignOn } = services;
  const { users, apiTokens, apiTokenUses, displays, pairingCodes, shares, shareUnlocks, stops } = services;
  const { accessRequests, alerts, audit, pushSubscriptions, viewing, clock, clockTrust, current } = services;
  const stop = new AbortController();
  const { signal } = stop;
  const pruneUses = async () => {
    const all = [...(await apiTokens.list()), ...(await displays.list())];
    await apiTokenUses.prune(new Set(all.map(({ id }) => id)));
  };
  const prunePushes = () =>
    pushSubscriptions.prune(async (id) => (await sessionRegistry.find(id)) !== undefined);
  const pruneShares = async () => shareUnlocks.prune(await shares.prune());
  const pruneViewing = () => {
    const { keepDays } = current.configuration().audit;
    return viewing.prune(clock.now() - keepDays * day, {
      // Without a time to keep them, no clock can be wrong.
      mayDelete: (over, all) => keepDays === 0 || clockTrust.mayDelete('records of who watched', over, all),
      signal,
    });
  };
  const pruneAudit = () =>
    audit.prune({ mayDelete: (over, all) => clockTrust.mayDelete('audit records', over, all), signal });
  const prune = async () => {
    await windows.prune();
    if (!(await clockTrust.check())) return;
    const parts = [
      revocations.prune,
      () => sessionRegistry.prune(users.find),
      pruneUses,
      pruneShares,
      stops.prune,
      prunePushes,
      alerts.prune,
      accessRequests.prune,
      displays.prune,
      pairingCodes.prune,
      pruneSignOn,
      pruneViewing,
      pruneAudit,
    ];
    for (const part of parts) if (!signal.aborted) await part().catch(failed);
  };
  const failed = (error: unknown) => logger.warn({ err: error }, 'nothing was pruned');
  let running: Promise<unknown> | undefined;
  const run = () => {
    running ??= prune()
      .catch(failed)
      .finally(() => (running = undefined));
  };
  const first = setTimeout(run, soon).unref();
  const pruning = setInterval(run, pruneInterval).unref();
  // Wait for a run under way: the databases are closed after that.
  closing.defer(async () => {
    stop.abort();
    clearTimeout(first);
    clearInterval(pruning);
    await running;
  });
}
