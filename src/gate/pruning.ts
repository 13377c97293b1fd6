import type { Services } from './services.ts';

// Milliseconds.
const pruneInterval = 3_600_000;

/** Removes expired records now, and every hour. */
export function startPruning(services: Services, closing: AsyncDisposableStack): void {
  const { logger, revocations, sessionRegistry, windows, pruneSignOn } = services;
  const { users, apiTokens, apiTokenUses, shares, shareUnlocks, stops, audit } = services;
  const pruneUses = async () => apiTokenUses.prune(new Set((await apiTokens.list()).map(({ id }) => id)));
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
