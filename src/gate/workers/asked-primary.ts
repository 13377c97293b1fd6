import { AppError } from '../../errors.ts';
import type { PrimaryProcess } from '../primary-process.ts';
import type { Peer } from './calls.ts';
import type { PrimaryHandlers } from './messages.ts';

// Milliseconds in which the primary answers: it does no slow work.
const timeoutMs = 2_000;
// It asks all workers, and some may not answer.
const allTimeoutMs = 5_000;

/**
 * The part of a worker's app that the primary does.
 * @param isNewer called when something was changed here
 */
export function askedPrimary(
  primary: Peer<PrimaryHandlers>,
  isNewer: (readAt: bigint) => boolean,
): Omit<PrimaryProcess, 'files' | 'listen' | 'writesToRecorder'> {
  const askAll = { timeoutMs: allTimeoutMs };
  let unsent: Parameters<PrimaryHandlers['changed']>[0] | undefined;
  return {
    windows: {
      take: (rule, key) => orRefuse(primary.call('takePlace', { rule, key }, { timeoutMs })),
      giveBack: (rule, key, ends) => orRefuse(primary.call('giveBack', { rule, key, ends }, { timeoutMs })),
      // The primary has the connections.
      prune: async () => undefined,
    },
    spread: (configuration, files) => {
      const readAt = process.hrtime.bigint();
      isNewer(readAt);
      unsent = { readAt, configuration, files };
    },
    takeSpread: () => {
      const changed = unsent;
      unsent = undefined;
      return async () => {
        if (changed !== undefined) await primary.call('changed', changed, askAll);
      };
    },
    readiness: () => primary.call('readinessOfAll', undefined, askAll),
    expose: () => primary.call('metricsOfAll', undefined, askAll),
    streams: {
      list: () => primary.call('streamsOfAll', undefined, askAll),
      cut: (id) => primary.call('cutStream', id, askAll),
    },
  };
}

/** When the primary cannot be asked, no attempt is allowed. */
function orRefuse<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((cause: unknown) => {
    throw new AppError('store_unavailable', { cause });
  });
}
