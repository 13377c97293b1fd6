import { AppError } from '../../errors.ts';
import { createClientCount } from '../connections/client-count.ts';

/** A number of places that clients hold for as long as they like. */
export interface FairShare {
  /**
   * @param client who counts as one
   * @returns at once when there is a place
   * @throws AppError `upstream_busy` when too many wait, or no place came in time; the reason of the signal
   */
  take(client: string, leaving: Leaving): Place | Promise<Place>;
}

/** Whether the client does not want the place any more. */
export interface Leaving {
  readonly hasLeft: boolean;
  /** Goes off when it leaves; made when it has to wait. */
  signal(): AbortSignal;
}

interface Place {
  /** There was none when it was asked for. */
  readonly hasWaited: boolean;
  giveBack(): void;
}

interface Waiting {
  readonly client: string;
  readonly admit: () => void;
}

// Seconds after which it is worth another attempt.
const retryAfterSeconds = 5;

/**
 * Shares places so that nobody can take them all: a client gets another one while it holds fewer than are free. Alone it
 * comes to a half; two come to a third each; and whoever comes new always finds some. Of those who wait, whoever holds
 * fewest is next. Waiting is shared by the same rule.
 * (A. K. Choudhury, E. L. Hahne: Dynamic Queue Length Thresholds for Shared-Memory Packet Switches, 1998.)
 * @param places how many there are, and how many may wait for one
 * @param timeoutMs milliseconds that a client waits at most
 * @param onBusy told of each client that got none
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
