import { inTime } from '../in-time.ts';
import { refuseToGoOn } from '../policy/going-on.ts';
import type { Reason } from '../policy/reasons.ts';
import type { RoundRobin, Sliced } from '../round-robin.ts';
import type { DecidedAgain, OpenExchange } from './exchange.ts';

export interface DecideAgainOptions {
  readonly roundRobin: RoundRobin;
  /** The mark of this moment. */
  readonly mark: () => number;
  /** Told why an exchange may not go on. */
  readonly end: (exchange: OpenExchange, reason: Reason) => void;
  /** Told what went wrong when nothing could be decided. */
  readonly onFault: (error: unknown) => void;
}

/** Milliseconds that a store may take to answer: with the interval of looking, and the work itself, less than a second. */
const patience = 400;

/** Exchanges whose sessions the store is asked for at the same time: more would wait for its connections, and on the thread. */
const askedAtOnce = 100;

// Milliseconds of the thread at once. A decision takes some microseconds.
const slice = 1;

/**
 * Decides exchanges again. Those of one session, or of one API token, ask the store once: the first of them asks, all firsts at the
 * same time, and what it is told the others remember. With a query for each stream, one after the other, a second would not do.
 * @returns settles when all are decided
 */
export async function decideAgain(
  exchanges: readonly OpenExchange[],
  { roundRobin, mark, end, onFault }: DecideAgainOptions,
): Promise<void> {
  const asking = new Set<string>();
  const first: OpenExchange[] = [];
  const others: OpenExchange[] = [];
  for (const exchange of exchanges) {
    exchange.isBeingDecided = true;
    const { askingAs } = exchange;
    (askingAs === undefined || !asking.has(askingAs) ? first : others).push(exchange);
    if (askingAs !== undefined) asking.add(askingAs);
  }
  /** For whom the store had no answer. */
  const unanswered = new Set<string | undefined>();

  const conclude = (exchange: OpenExchange, before: number, again: DecidedAgain | Reason) => {
    exchange.isBeingDecided = false;
    if (!exchange.isOpen) return;
    const reason = typeof again === 'string' ? again : refuseToGoOn(exchange.permitted, again.decision);
    if (reason === 'store_unavailable') unanswered.add(exchange.askingAs);
    if (reason !== undefined) end(exchange, reason);
    else if (typeof again !== 'string' && again.decision.outcome === 'allow')
      exchange.goOn(again.decision, again.session, before);
  };

  const fail = (exchange: OpenExchange, before: number, error: unknown) => {
    onFault(error);
    conclude(exchange, before, 'failure');
  };

  const decide = (exchange: OpenExchange): Promise<void> | undefined => {
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

  /** @returns whether the store has answered in time */
  const decideSome = async (some: readonly OpenExchange[]): Promise<boolean> => {
    const waiting: Array<Promise<void>> = [];
    await roundRobin.run(client, inSlices(some, decide, waiting));
    if (waiting.length > 0) await inTime(Promise.all(waiting), patience);
    const late = some.filter(({ isBeingDecided }) => isBeingDecided);
    for (const exchange of late) conclude(exchange, exchange.mark, 'store_unavailable');
    return late.length === 0;
  };
  const decideEach = async (some: readonly OpenExchange[]) => {
    for (let from = 0; from < some.length; from += askedAtOnce) {
      if (await decideSome(some.slice(from, from + askedAtOnce))) continue;
      // The others would wait for nothing, each some after the other.
      for (const exchange of some.slice(from + askedAtOnce))
        if (exchange.askingAs !== undefined) unanswered.add(exchange.askingAs);
    }
  };
  await decideEach(first);
  await decideEach(others);
}

/** Of the round robin: no address of a client. */
const client = 'open exchanges';

function* inSlices(
  exchanges: readonly OpenExchange[],
  decide: (exchange: OpenExchange) => Promise<void> | undefined,
  waiting: Array<Promise<void>>,
): Sliced<void> {
  let until = performance.now() + slice;
  for (const exchange of exchanges) {
    if (performance.now() >= until) {
      yield;
      until = performance.now() + slice;
    }
    const decided = decide(exchange);
    if (decided !== undefined) waiting.push(decided);
  }
}
