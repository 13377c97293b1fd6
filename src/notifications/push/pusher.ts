import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Review } from '../../policy/recorder/review.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { reasonOf } from '../targets/post.ts';

interface Subscription {
  readonly id: string;
  readonly username: string;
  readonly endpoint: string;
}

export interface PusherOptions<Found extends Subscription> {
  readonly ids: () => Promise<readonly string[]>;
  readonly find: (id: string) => Promise<Found | undefined>;
  /**
   * Decides at this moment. `over`: the subscription is to be removed.
   * @throws when that is not known
   */
  readonly decide: (subscription: Found, review: Review) => Promise<'send' | 'keep' | 'over'>;
  readonly send: (subscription: Found, review: Review) => Promise<'sent' | 'gone'>;
  readonly drop: (id: string) => Promise<void>;
  readonly logger: Logger;
  /** Milliseconds between two pushes, in which decisions continue. */
  readonly rest?: number;
}

/** Sends each review to those who may see it. */
export interface Pusher {
  push(review: Review): void;
  /** Settles when nothing is left. */
  idle(): Promise<void>;
  close(): void;
}

/** More reviews wait only while a push service hardly answers: the oldest are left out, since they are no news by then. */
const mostWaiting = 500;
const mostRemembered = 2_000;
const mostTogether = 8;

export function createPusher<Found extends Subscription>(options: PusherOptions<Found>): Pusher {
  const { ids, find, decide, send, drop, logger, rest = 2 } = options;
  const waiting: Review[] = [];
  /** Reviews that were sent before: a recorder sends each several times. */
  const known = new LRUCache<string, true>({ max: mostRemembered });
  const underWay = new Set<Promise<void>>();
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();

  const deliver = async (subscription: Found, review: Review) => {
    const { id, username, endpoint } = subscription;
    try {
      if ((await send(subscription, review)) === 'gone') await drop(id);
    } catch (error) {
      const host = URL.parse(endpoint)?.host;
      logger.info({ user: username, host, reason: reasonOf(error) }, 'a push was not sent');
    }
  };

  const pushTo = async (id: string, review: Review) => {
    try {
      const subscription = await find(id);
      if (subscription === undefined) return;
      const decided = await decide(subscription, review);
      if (decided === 'over') await drop(id);
      if (decided !== 'send') return;
      const sending = deliver(subscription, review).finally(() => underWay.delete(sending));
      underWay.add(sending);
      if (underWay.size >= mostTogether) await Promise.race(underWay);
    } catch (error) {
      logger.warn({ err: error }, 'whether a push may be sent is not known: it was not');
    }
  };

  const work = async () => {
    for (let review = waiting.shift(); review !== undefined; review = waiting.shift())
      for (const id of await ids().catch(() => [])) {
        if (stop.signal.aborted) return;
        await pushTo(id, review);
        // Encrypting takes a millisecond, and requests come first.
        await pause(rest, undefined, { ref: false });
      }
  };

  return {
    push: (review) => {
      if (known.has(review.id)) return;
      known.set(review.id, true);
      waiting.push(review);
      if (waiting.length > mostWaiting) waiting.shift();
      // One at a time; a turn that begins after the last one finds nothing.
      running = running.then(work);
    },
    idle: async () => {
      await running;
      await Promise.allSettled(underWay);
    },
    close: () => {
      stop.abort();
      waiting.length = 0;
    },
  };
}
