import type { Clock } from '../../clock.ts';
import type { Reason } from '../../policy/reasons.ts';
import type { RoundRobin } from '../../round-robin.ts';
import { decideAgain, revalidationTime, inSlices } from './decide-again.ts';
import { OpenStream, type Stream, type Mark } from './stream.ts';

/** What was permitted, and has not ended: it is decided again when something has changed, and cut when it is refused then. */
export interface OpenStreams {
  /** Taken before a decision: a stream that opens by it is decided again when something has changed since. */
  mark(): Mark;
  open(stream: Stream): OpenStream;
  list(): readonly OpenStream[];
  count(): Readonly<Record<OpenStream['kind'], number>>;
  /** Cuts what was found not to be permitted any more. */
  end(stream: OpenStream, reason: Reason): void;
  /** @returns what was cut; undefined: there is none such any more */
  cut(id: string): OpenStream | undefined;
  /** Decides again what has to be. It happens by itself too. @returns settles when that is decided */
  look(): Promise<void>;
  close(): void;
}

export interface OpenStreamsOptions {
  readonly clock: Clock;
  readonly roundRobin: RoundRobin;
  /** Each gives another value once decisions may be others; NaN, which equals nothing: nobody knows. */
  readonly signs: ReadonlyArray<() => unknown>;
  /** When the last answered question was sent to the store, by `elapsed`; undefined: the store cannot be away. */
  readonly knownAt?: (() => number) | undefined;
  /** Milliseconds that never go back. */
  readonly elapsed?: () => number;
  /** Told of each that was cut. */
  readonly onCut: (stream: OpenStream, reason: Reason) => void;
  /** Told what went wrong when a stream could not be decided again, and was cut. */
  readonly onFault: (error: unknown) => void;
}

// Milliseconds. While nothing has changed, a look compares some numbers.
const interval = 100;

/**
 * To open a stream and to close it again costs two objects and a place in a set, 0.25 of the 95 microseconds that a picture takes.
 * Nothing is compared then: one that was decided by the state of before a change has an older mark, however long it took to open.
 */
export function createOpenStreams(options: OpenStreamsOptions): OpenStreams {
  const { clock, roundRobin, signs, knownAt, elapsed = () => performance.now(), onCut, onFault } = options;
  const open = new Set<OpenStream>();
  let known: readonly unknown[] = [];
  /** Another one for each change that was noticed. */
  let mark = { knownAt: Number.NEGATIVE_INFINITY };
  /** Whether one may be open that was decided by an older mark. */
  let isOutdated = false;
  /** When the first decision ends by the clock. */
  let earliest = Number.POSITIVE_INFINITY;
  /** The latest moment that was seen. */
  let latest = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const notice = (now: number) => {
    const found = signs.map(valueOf);
    const isSame = found.length === known.length && found.every((value, i) => value === known[i]);
    known = found;
    // A clock that went back may be before what has begun by it: the hours of a role, say.
    const wentBack = now < latest;
    latest = now;
    const sureAt = knownAt?.() ?? elapsed();
    if (isSame && !wentBack) {
      mark.knownAt = sureAt;
      return;
    }
    // What happens in this process is noticed by the next look, however late a busy thread comes to that.
    if (knownAt === undefined) mark.knownAt = Math.max(mark.knownAt, elapsed() - interval);
    mark = { knownAt: sureAt };
    isOutdated = true;
  };

  const end = (stream: OpenStream, reason: Reason) => {
    stream.cut();
    onCut(stream, reason);
  };

  /** The store has been silent too long: everything that depends on it ends, without asking about each. */
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

  /** Looks again and again while something is open. */
  const begin = () => {
    let lookedAt = elapsed();
    let isPutOff = false;
    timer = setInterval(() => {
      if (open.size === 0) return stop();
      const now = elapsed();
      // A thread that was busy has not read yet what the store has answered meanwhile. It has sent no byte either.
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
      // There are no looks while nothing is open.
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
      if (found !== undefined) end(found, 'cut_by_admin');
      return found;
    },
    look,
    close: stop,
  };
}

/** A client of the internal entry point is admin regardless of the store. */
function dependsOnStore({ permitted: { identity } }: OpenStream): boolean {
  return identity !== undefined && identity.source !== 'internal';
}

/** @returns NaN, which equals nothing, when a sign cannot be read: a store that is damaged throws */
function valueOf(sign: () => unknown): unknown {
  try {
    return sign();
  } catch {
    return Number.NaN;
  }
}
