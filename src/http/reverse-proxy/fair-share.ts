import { AppError } from '../../errors.ts';
import { createClientCount } from '../connections/connection-share.ts';

/** A limited number of places, which clients hold as long as they like. */
export interface FairShare {
  /**
   * @param client key of the client
   * @returns without waiting if there is a place
   * @throws AppError `upstream_busy` if too many wait, or no place was free in time; the reason of the signal
   */
  take(client: string, leaving: Leaving): Place | Promise<Place>;
}

/** Whether the client has given up waiting for the place. */
export interface Leaving {
  readonly hasLeft: boolean;
  /** Aborts when it leaves; created only if it has to wait. */
  signal(): AbortSignal;
}

interface Place {
  /** There was no free place at first. */
  readonly hasWaited: boolean;
  giveBack(): void;
}

interface Waiting {
  readonly client: string;
  readonly admit: () => void;
}

// Seconds until another attempt makes sense.
const retryAfterSeconds = 5;

/**
 * Shares places so that no client can take them all: a client gets another one while it holds fewer than are free. A single
 * client gets at most half of them, two get a third each, and a new one always finds some. Among the waiting clients, the one that holds
 * the fewest is next. Places in the queue are shared by the same rule.
 * (A. K. Choudhury, E. L. Hahne: Dynamic Queue Length Thresholds for Shared-Memory Packet Switches, 1998.)
 * @param places their number, and how many clients may wait for one
 * @param timeoutMs for which a client waits
 * @param onBusy called for each client that got none
 */
export function createFairShare(
  places: number,
  timeoutMs: number,
  onBusy: (client: string) => void = () => undefined,
): FairShare {
  const held = createClientCount();
  const queued = createClientCount();
  // In the order of arrival.
  const queue = new Set<Waiting>();

  const busy = (client: string) => {
    onBusy(client);
    return new AppError('upstream_busy', { retryAfterSeconds });
  };

  const mayTake = (client: string) => held.of(client) < places - held.total();

  const hold = (client: string, hasWaited: boolean): Place => {
    held.add(client, 1);
    let isHeld = true;
    const giveBack = () => {
      if (!isHeld) return;
      isHeld = false;
      held.add(client, -1);
      admitWaiting();
    };
    return { hasWaited, giveBack };
  };

  const admitWaiting = () => {
    for (let next = nextOf(queue, held.of); next !== undefined; next = nextOf(queue, held.of)) {
      if (!mayTake(next.client)) return;
      next.admit();
    }
  };

  return {
    take: (client, leaving) => {
      if (leaving.hasLeft) return Promise.reject(leaving.signal().reason as Error);
      if (queued.of(client) === 0 && mayTake(client)) return hold(client, false);
      const left = leaving.signal();
      if (queued.of(client) >= places - queued.total()) return Promise.reject(busy(client));
      return new Promise((resolve, reject) => {
        const stop = () => {
          queue.delete(waiting);
          queued.add(client, -1);
          clearTimeout(timer);
          left.removeEventListener('abort', onLeft);
        };
        const waiting = {
          client,
          admit: () => {
            stop();
            resolve(hold(client, true));
          },
        };
        const onLeft = () => {
          stop();
          reject(left.reason as Error);
        };
        const timer = setTimeout(() => {
          stop();
          reject(busy(client));
        }, timeoutMs);
        left.addEventListener('abort', onLeft);
        queue.add(waiting);
        queued.add(client, 1);
      });
    },
  };
}

function nextOf(queue: ReadonlySet<Waiting>, heldBy: (client: string) => number): Waiting | undefined {
  let next: Waiting | undefined;
  for (const waiting of queue)
    if (next === undefined || heldBy(waiting.client) < heldBy(next.client)) next = waiting;
  return next;
}
