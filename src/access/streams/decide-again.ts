import { withTimeout } from '../../clock.ts';
import { refuseRevalidation } from '../../policy/evaluate/revalidation.ts';
import type { Reason } from '../../policy/reasons.ts';
import type { RoundRobin, Sliced } from '../../round-robin.ts';
import type { DecidedAgain, Mark, OpenExchange } from './exchange.ts';

export interface DecideAgainOptions {
  readonly roundRobin: RoundRobin;
  /** The mark of this moment. */
  readonly mark: () => Mark;
  /** Milliseconds that never go back. */
  readonly elapsed: () => number;
  /** Told why an exchange may not go on. */
  readonly end: (exchange: OpenExchange, reason: Reason) => void;
  /** Told what went wrong when nothing could be decided. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Milliseconds for which an exchange goes on by what was known last, whether that is found out in time to be over or is not. With
 * the interval of looking, and the work of cutting thousands, it is less than a second.
 */
export const revalidationTime = 800;

// Milliseconds of the thread at once. A decision takes some microseconds.
const slice = 1;

/**
 * Decides exchanges again. Of those of one session, or of one API token, the first asks the store, and what it is told the others
 * remember. All firsts ask at the same time, and a shared store gets their questions together. An exchange that is not decided in time
 * is cut.
 * @returns settles when all are decided
 */
export async function decideAgain(
  exchanges: readonly OpenExchange[],
  { roundRobin, mark, elapsed, end, onFault }: DecideAgainOptions,
): Promise<void> {
  const asking = new Set<string>();
  const first: OpenExchange[] = [];
  const others: OpenExchange[] = [];
  for (const exchange of exchanges) {
    exchange.decideBy = exchange.mark.knownAt + revalidationTime;
    const { askingAs } = exchange;
    (askingAs === undefined || !asking.has(askingAs) ? first : others).push(exchange);
    if (askingAs !== undefined) asking.add(askingAs);
  }
  /** For whom the store had no answer. */
  const unanswered = new Set<string | undefined>();

  const conclude = (exchange: OpenExchange, before: Mark, again: DecidedAgain | Reason) => {
    exchange.decideBy = undefined;
    if (!exchange.isOpen) return;
    const reason = typeof again === 'string' ? again : refuseRevalidation(exchange.permitted, again.decision);
    if (reason === 'store_unavailable') unanswered.add(exchange.askingAs);
    if (reason !== undefined) end(exchange, reason);
    else if (typeof again !== 'string' && again.decision.outcome === 'allow')
      exchange.goOn(again.decision, again.session, before);
  };

  const fail = (exchange: OpenExchange, before: Mark, error: unknown) => {
    onFault(error);
    conclude(exchange, before, 'failure');
  };

  const decide = (exchange: OpenExchange): Promise<void> | undefined => {
    if (!exchange.isOpen) return undefined;
    const before = mark();
    const { askingAs } = exchange;
    if (askingAs !== undefined && unanswered.has(askingAs)) {
      conclude(exchange, before, 'store_unavailable');
      return undefined;
    }
    try {
      const again = exchange.decideAgain();
      if (!(again instanceof Promise)) {
        conclude(exchange, before, again);
        return undefined;
      }
      return again.then(
        (decided) => conclude(exchange, before, decided),
        (error: unknown) => fail(exchange, before, error),
      );
    } catch (error) {
      fail(exchange, before, error);
      return undefined;
    }
  };

  const giveUpLate = (exchange: OpenExchange) => {
    const { decideBy = Infinity } = exchange;
    if (decideBy <= elapsed()) conclude(exchange, exchange.mark, 'store_unavailable');
  };

  const decideAll = async (some: readonly OpenExchange[]) => {
    const waiting: Array<Promise<void>> = [];
    await roundRobin.run(
      client,
      inSlices(some, (exchange) => {
        const decided = decide(exchange);
        if (decided !== undefined) waiting.push(decided);
      }),
    );
    const allDecided = Promise.all(waiting);
    while (some.some(isWaiting)) {
      // The others wait too.
      const late = exchanges.filter(isWaiting);
      const earliest = late.reduce((least, { decideBy = least }) => Math.min(least, decideBy), Infinity);
      await withTimeout(allDecided, Math.max(0, earliest - elapsed()));
      await roundRobin.run(client, inSlices(late, giveUpLate));
    }
  };
  await decideAll(first);
  await decideAll(others);
}

function isWaiting({ isOpen, decideBy }: OpenExchange): boolean {
  return isOpen && decideBy !== undefined;
}

/** Of the round robin: no address of a client. */
const client = 'open exchanges';

/** Does something with each, a millisecond of them in each turn of the event loop. */
export function* inSlices(
  exchanges: readonly OpenExchange[],
  each: (exchange: OpenExchange) => void,
): Sliced<void> {
  let until = performance.now() + slice;
  for (const exchange of exchanges) {
    if (performance.now() >= until) {
      yield;
      until = performance.now() + slice;
    }
    each(exchange);
  }
}
