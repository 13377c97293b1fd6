import { withTimeout } from '../../clock.ts';
import { refuseRevalidation } from '../../policy/evaluate/revalidation.ts';
import type { Reason } from '../../policy/reasons.ts';
import type { RoundRobin, Sliced } from '../../round-robin.ts';
import type { DecidedAgain, Mark, OpenStream } from './stream.ts';

export interface DecideAgainOptions {
  readonly roundRobin: RoundRobin;
  /** The current mark. */
  readonly mark: () => Mark;
  /** Monotonic clock in milliseconds. */
  readonly elapsed: () => number;
  /** Called with the reason why a stream must end. */
  readonly end: (stream: OpenStream, reason: Reason) => void;
  /** Called with the error if no decision could be made. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Milliseconds for which a stream continues by the last decision once the state may have changed. Together with the interval of the
 * checks, and the time to cut thousands of streams, it is less than a second.
 */
export const revalidationTime = 800;

// Milliseconds on the thread per slice. A decision takes some microseconds.
const slice = 1;

/**
 * Decides streams again. For each session or API token, the first stream asks the store, and the others use the cached answer. All first
 * ones ask at the same time, so that a shared store gets their questions together. A stream that is not decided in time is cut.
 * @returns settles when all are decided
 */
export async function decideAgain(
  streams: readonly OpenStream[],
  { roundRobin, mark, elapsed, end, onFault }: DecideAgainOptions,
): Promise<void> {
  const asking = new Set<string>();
  const first: OpenStream[] = [];
  const others: OpenStream[] = [];
  for (const stream of streams) {
    stream.decideBy = stream.mark.knownAt + revalidationTime;
    const { askingAs } = stream;
    (askingAs === undefined || !asking.has(askingAs) ? first : others).push(stream);
    if (askingAs !== undefined) asking.add(askingAs);
  }
  /** Sessions and API tokens for which the store did not answer. */
  const unanswered = new Set<string | undefined>();

  const conclude = (stream: OpenStream, before: Mark, again: DecidedAgain | Reason) => {
    stream.decideBy = undefined;
    if (!stream.isOpen) return;
    const reason = typeof again === 'string' ? again : refuseRevalidation(stream.permitted, again.decision);
    if (reason === 'store_unavailable') unanswered.add(stream.askingAs);
    if (reason !== undefined) end(stream, reason);
    else if (typeof again !== 'string' && again.decision.outcome === 'allow')
      stream.goOn(again.decision, again.session, before);
  };

  const decide = async (stream: OpenStream): Promise<void> => {
    if (!stream.isOpen) return;
    const before = mark();
    const { askingAs } = stream;
    if (askingAs !== undefined && unanswered.has(askingAs)) {
      conclude(stream, before, 'store_unavailable');
      return;
    }
    try {
      conclude(stream, before, await stream.decideAgain());
    } catch (error) {
      onFault(error);
      conclude(stream, before, 'failure');
    }
  };

  const giveUpLate = (stream: OpenStream) => {
    const { decideBy = Infinity } = stream;
    if (decideBy <= elapsed()) conclude(stream, stream.mark, 'store_unavailable');
  };

  const decideAll = async (some: readonly OpenStream[]) => {
    const waiting: Array<Promise<void>> = [];
    await roundRobin.run(
      client,
      inSlices(some, (stream) => void waiting.push(decide(stream))),
    );
    const allDecided = Promise.all(waiting);
    while (some.some(isWaiting)) {
      // The other streams may be late too.
      const late = streams.filter(isWaiting);
      const earliest = late.reduce((least, { decideBy = least }) => Math.min(least, decideBy), Infinity);
      await withTimeout(allDecided, Math.max(0, earliest - elapsed()));
      await roundRobin.run(client, inSlices(late, giveUpLate));
    }
  };
  await decideAll(first);
  await decideAll(others);
}

function isWaiting({ isOpen, decideBy }: OpenStream): boolean {
  return isOpen && decideBy !== undefined;
}

/** A key for the round robin in place of a client's address. */
const client = 'open streams';

/** Calls a function for each stream, for a millisecond in each turn of the event loop. */
export function* inSlices(streams: readonly OpenStream[], each: (stream: OpenStream) => void): Sliced<void> {
  let until = performance.now() + slice;
  for (const stream of streams) {
    if (performance.now() >= until) {
      yield;
      until = performance.now() + slice;
    }
    each(stream);
  }
}
