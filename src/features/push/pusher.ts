import { setTimeout as pause } from 'node:timers/promises';
import { boundedCache } from '../../bounded-cache.ts';
import type { Review } from '../../policy/recorder/review.ts';
import type { RequestLog } from '../../telemetry/request-log.ts';
import { createPauses } from '../alerts/pauses.ts';
import { reasonOf } from '../alerts/targets/post.ts';

/** A subscription and its user. */
interface Listed {
  readonly id: string;
  readonly username: string;
}

interface Subscription extends Listed {
  readonly endpoint: string;
}

export interface PusherOptions<Found extends Subscription> {
  readonly list: () => Promise<readonly Listed[]>;
  readonly find: (id: string) => Promise<Found | undefined>;
  /**
   * Decides at this moment. `over`: the subscription is to be removed.
   * @throws when that is not known
   */
  readonly decide: (subscription: Found, review: Review) => Promise<'send' | 'keep' | 'over'>;
  readonly send: (subscription: Found, review: Review) => Promise<'sent' | 'gone'>;
  readonly drop: (id: string) => Promise<void>;
  readonly logger: Pick<RequestLog, 'info' | 'warn'>;
  /** Milliseconds between two pushes, in which decisions continue. */
  readonly rest?: number;
  /** Milliseconds, monotonic. */
  readonly elapsed?: () => number;
}

/** Sends each review to those who may see it. */
export interface Pusher {
  push(review: Review): void;
  /** Settles when nothing is left. */
  idle(): Promise<void>;
  close(): void;
}

/** A user's pushes that are still to be sent: slow endpoints delay only their own user. */
interface Queue {
  readonly waiting: Array<{ readonly id: string; readonly review: Review }>;
  sending: number;
}

/** More wait only while push services hardly answer: the oldest are left out, because they are no news by then. */
const mostWaiting = 500;
const mostRemembered = 2_000;
const mostOfUser = 4;

// Milliseconds.
const firstPause = 10_000;
const longestPause = 600_000;

export function createPusher<Found extends Subscription>(options: PusherOptions<Found>): Pusher {
  const { list, find, decide, send, drop, logger, rest = 2 } = options;
  const { elapsed = () => performance.now() } = options;
  const reviews: Review[] = [];
  /** Keys are user names. */
  const queues = new Map<string, Queue>();
  /** Keys are ids of subscriptions. */
  const pauses = createPauses({ elapsed, first: firstPause, longest: longestPause });
  /** Ids of reviews that were pushed: a recorder sends each several times. */
  const known = boundedCache<string, true>(mostRemembered);
  const underWay = new Set<Promise<void>>();
  let isClosed = false;
  let running: Promise<void> | undefined;

  const subscriptionsFor = (review: Review) =>
    list().catch((error: unknown) => {
      logger.warn({ err: error }, 'the receivers of a push could not be read: it was not sent');
      // The recorder sends the review again.
      known.delete(review.id);
      return [];
    });

  const distribute = async () => {
    for (let review = reviews.shift(); review !== undefined; review = reviews.shift())
      for (const { id, username } of await subscriptionsFor(review)) {
        const queue = queues.get(username) ?? { waiting: [], sending: 0 };
        queues.set(username, queue);
        queue.waiting.push({ id, review });
        if (queue.waiting.length > mostWaiting) queue.waiting.shift();
      }
  };

  const deliver = async (subscription: Found, review: Review) => {
    const { id, username, endpoint } = subscription;
    try {
      if ((await send(subscription, review)) === 'gone') await drop(id);
      pauses.succeeded(id);
    } catch (error) {
      pauses.failed(id);
      const host = URL.parse(endpoint)?.host;
      logger.info({ user: username, host, reason: reasonOf(error) }, 'a push was not sent');
    }
  };

  const pushTo = async (queue: Queue, id: string, review: Review) => {
    try {
      const subscription = await find(id);
      if (subscription === undefined) return;
      const decided = await decide(subscription, review);
      if (decided === 'over') await drop(id);
      if (decided !== 'send') return;
      queue.sending += 1;
      const sending = deliver(subscription, review).finally(() => {
        queue.sending -= 1;
        underWay.delete(sending);
        run();
      });
      underWay.add(sending);
    } catch (error) {
      logger.warn({ err: error }, 'whether a push may be sent is not known: it was not');
    }
  };

  /** One push of each user in turn, until nothing is left or everyone who has some is busy. */
  const work = async () => {
    for (let hasMore = true; hasMore;) {
      await distribute();
      hasMore = false;
      for (const [username, queue] of queues) {
        if (isClosed) return;
        if (queue.waiting.length === 0 && queue.sending === 0) queues.delete(username);
        if (queue.sending >= mostOfUser) continue;
        const next = queue.waiting.shift();
        if (next === undefined) continue;
        hasMore = true;
        if (pauses.has(next.id)) continue;
        await pushTo(queue, next.id, next.review);
        // Encrypting takes a millisecond, and requests come first.
        await pause(rest, undefined, { ref: false });
      }
    }
  };

  const run = () => {
    if (isClosed || running !== undefined) return;
    running = work().finally(() => {
      running = undefined;
      // Reviews that came in the meantime.
      if (reviews.length > 0 || [...queues.values()].some(isReady)) run();
    });
  };

  return {
    push: (review) => {
      if (known.has(review.id)) return;
      known.set(review.id, true);
      reviews.push(review);
      if (reviews.length > mostWaiting) reviews.shift();
      run();
    },
    idle: async () => {
      await running;
      for (const sending of underWay) {
        await sending;
        await running;
      }
    },
    close: () => {
      isClosed = true;
      reviews.length = 0;
      queues.clear();
    },
  };
}

function isReady({ waiting, sending }: Queue): boolean {
  return waiting.length > 0 && sending < mostOfUser;
}
