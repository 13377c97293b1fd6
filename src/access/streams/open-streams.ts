import { withTimeout, type Clock } from '../../clock.ts';
import { refuseRevalidation } from '../../policy/evaluate/revalidation.ts';
import type { Reason } from '../../policy/reasons.ts';
import type { RoundRobin, Sliced } from '../../round-robin.ts';
import { type DecidedAgain, type Mark, OpenStream, type Stream } from './stream.ts';

/** Permitted streams that are still open: each is decided again when something changes, and cut if it is refused then. */
export interface OpenStreams {
  /** Taken before a decision: a stream that opens by it is decided again if something has changed since. */
  mark(): Mark;
  open(stream: Stream): OpenStream;
  list(): readonly OpenStream[];
  count(): Readonly<Record<OpenStream['kind'], number>>;
  /** Cuts a stream that is not permitted anymore. */
  end(stream: OpenStream, reason: Reason): void;
  /** @returns the stream that was cut, or `undefined` if it is not open anymore */
  cut(id: string): OpenStream | undefined;
  /** Decides streams again where needed; also runs by itself. @returns settles when they are decided */
  look(): Promise<void>;
  close(): void;
}

export interface OpenStreamsOptions {
  readonly clock: Clock;
  readonly roundRobin: RoundRobin;
  /** Each returns another value once decisions may change; NaN, which equals nothing: unknown. */
  readonly signs: ReadonlyArray<() => unknown>;
  /** When the last answered question was sent to the store, by `elapsed`. Absent when the store is always available. */
  readonly knownAt?: (() => number) | undefined;
  /** Monotonic clock in milliseconds. */
  readonly elapsed?: () => number;
  /** Called for each stream that was cut. */
  readonly onCut: (stream: OpenStream, reason: Reason) => void;
  /** Called with the error if a stream could not be decided again, and was cut. */
  readonly onFault: (error: unknown) => void;
}

// Milliseconds. While nothing has changed, a check only compares some numbers.
const interval = 100;

/**
 * Opening and closing a stream costs two objects and an entry in a set: 0.25 of the 95 microseconds that a picture takes. Nothing is
 * compared then: a stream that was decided before a change has an older mark, however long it took to open.
 */
export function createOpenStreams(options: OpenStreamsOptions): OpenStreams {
  const { clock, roundRobin, signs, knownAt, elapsed = () => performance.now(), onCut, onFault } = options;
  const open = new Set<OpenStream>();
  let known: readonly unknown[] = [];
  /** Replaced for each change that was noticed. */
  let mark = { knownAt: Number.NEGATIVE_INFINITY };
  /** Whether a stream with an older mark may be open. */
  let isOutdated = false;
  /** When the first decision expires. */
  let earliest = Number.POSITIVE_INFINITY;
  /** The latest time that was seen. */
  let latest = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const notice = (now: number) => {
    const found = signs.map(valueOf);
    const isSame = found.length === known.length && found.every((value, i) => value === known[i]);
    known = found;
    // A clock that was set back may be before the begin of something: the hours of a role, for example.
    const wentBack = now < latest;
    latest = now;
    const sureAt = knownAt?.() ?? elapsed();
    if (isSame && !wentBack) {
      mark.knownAt = sureAt;
      return;
    }
    // Changes in this process are noticed by the next check, however late a busy thread runs it.
    if (knownAt === undefined) mark.knownAt = Math.max(mark.knownAt, elapsed() - interval);
    mark = { knownAt: sureAt };
    isOutdated = true;
  };

  const end = (stream: OpenStream, reason: Reason) => {
    stream.cut();
    onCut(stream, reason);
  };

  /** The store has not answered for too long: everything that depends on it ends, without asking about each. */
  const endUnknown = () => {
    if (knownAt === undefined || elapsed() - knownAt() < revalidationTime) return undefined;
    const unknown = [...open].filter(dependsOnStore);
    return roundRobin.run(
      'streams that nothing is known of',
      inSlices(unknown, (stream) => {
        if (stream.isOpen) end(stream, 'store_unavailable');
      }),
    );
  };

  const look = async () => {
    const now = clock.now();
    notice(now);
    await endUnknown();
    if (!isOutdated && now < earliest) return;
    isOutdated = false;
    const due: OpenStream[] = [];
    for (const stream of open) {
      if (stream.mark === mark && now < stream.endsAt) continue;
      if (stream.decideBy !== undefined) isOutdated = true;
      else due.push(stream);
    }
    await decideAgain(due, { roundRobin, mark: () => mark, elapsed, end, onFault });
    earliest = Number.POSITIVE_INFINITY;
    for (const stream of open) {
      earliest = Math.min(earliest, stream.endsAt);
      if (stream.mark !== mark) isOutdated = true;
    }
  };

  /** Checks regularly while something is open. */
  const begin = () => {
    let lookedAt = elapsed();
    let isPutOff = false;
    timer = setInterval(() => {
      if (open.size === 0) return stop();
      const now = elapsed();
      // After a busy period, answers of the store may not be read yet. No bytes were sent in the meantime either.
      isPutOff = !isPutOff && now - lookedAt > 3 * interval;
      lookedAt = now;
      if (!isPutOff) void look();
    }, interval).unref();
  };

  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };

  return {
    mark: () => {
      // There are no checks while nothing is open.
      if (timer === undefined) notice(clock.now());
      return mark;
    },
    open: (stream) => {
      const opened = new OpenStream(stream, clock.now(), open);
      latest = Math.max(latest, opened.since);
      if (opened.mark !== mark) isOutdated = true;
      if (opened.endsAt < earliest) earliest = opened.endsAt;
      if (timer === undefined) begin();
      return opened;
    },
    list: () => [...open],
    count: () => {
      const count = { websocket: 0, answer: 0 };
      for (const { kind } of open) count[kind] += 1;
      return count;
    },
    end,
    cut: (id) => {
      const found = open.values().find((stream) => stream.id === id);
      if (found !== undefined) end(found, 'stopped');
      return found;
    },
    look,
    close: stop,
  };
}

/** A client of the internal entry point is admin, whatever the store contains. */
function dependsOnStore({ permitted: { identity } }: OpenStream): boolean {
  return identity !== undefined && identity.source !== 'internal';
}

/** @returns NaN, which equals nothing, if a sign cannot be read: a damaged store throws */
function valueOf(sign: () => unknown): unknown {
  try {
    return sign();
  } catch {
    return Number.NaN;
  }
}

interface DecideAgainOptions {
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
const revalidationTime = 800;

// Milliseconds on the thread per slice. A decision takes some microseconds.
const slice = 1;

/**
 * Decides streams again. For each session or API token, the first stream asks the store, and the others use the cached answer. All first
 * ones ask at the same time, so that a shared store gets their questions together. A stream that is not decided in time is cut.
 * @returns settles when all are decided
 */
async function decideAgain(
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
function* inSlices(streams: readonly OpenStream[], each: (stream: OpenStream) => void): Sliced<void> {
  let until = performance.now() + slice;
  for (const stream of streams) {
    if (performance.now() >= until) {
      yield;
      until = performance.now() + slice;
    }
    each(stream);
  }
}
