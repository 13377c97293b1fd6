/** Upper bounds of the duration buckets, in seconds; a warm decision takes some microseconds. */
export const durationBounds: readonly number[] = [
  0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
];

interface CountedDecisions {
  readonly front: string;
  readonly verdict: string;
  readonly reason: string;
  count: number;
}

interface MeasuredDecisions {
  readonly front: string;
  /** Decisions in each bucket, not cumulative; the last bucket has no upper bound. */
  readonly counts: Float64Array;
  /** Total duration in seconds. */
  seconds: number;
}

/**
 * Counts decisions. Every response passes it, so it reads small tables and allocates nothing. All texts are the program's own
 * words, never a client's: each keeps its place forever.
 */
export interface DecisionTally {
  /** @returns a moment for `count` */
  begin(): number;
  /** @param began when the gate got the request. Omit it to leave the duration unmeasured */
  count(front: string | undefined, verdict: string, reason: string, began: number | undefined): void;
  /** Starts a counter at zero: an alert on its growth would miss a counter that starts at one. */
  expectNone(front: string | undefined, verdict: string, reason: string): void;
  counted(): Iterable<CountedDecisions>;
  measured(): Iterable<MeasuredDecisions>;
}

/** The front label of a request to the gate itself that came through another front. */
const noFront = 'none';

/** @param elapsed milliseconds, monotonic */
export function createDecisionTally(elapsed: () => number = () => performance.now()): DecisionTally {
  const byFront = new Map<string, Map<string, Map<string, CountedDecisions>>>();
  const durations = new Map<string, MeasuredDecisions>();

  const addPlace = (front: string, verdict: string, reason: string): CountedDecisions => {
    const place = { front, verdict, reason, count: 0 };
    const byVerdict = byFront.get(front) ?? new Map<string, Map<string, CountedDecisions>>();
    const byReason = byVerdict.get(verdict) ?? new Map<string, CountedDecisions>();
    byFront.set(front, byVerdict.set(verdict, byReason.set(reason, place)));
    return place;
  };
  const addDurations = (front: string): MeasuredDecisions => {
    const made = { front, counts: new Float64Array(durationBounds.length + 1), seconds: 0 };
    durations.set(front, made);
    return made;
  };
  const measure = (front: string, seconds: number) => {
    const measured = durations.get(front) ?? addDurations(front);
    const { counts } = measured;
    let at = 0;
    while (at < durationBounds.length && seconds > (durationBounds[at] as number)) at += 1;
    counts[at] = (counts[at] as number) + 1;
    measured.seconds += seconds;
  };

  const count = (front: string, verdict: string, reason: string, began: number | undefined) => {
    const place = byFront.get(front)?.get(verdict)?.get(reason) ?? addPlace(front, verdict, reason);
    place.count += 1;
    if (began !== undefined) measure(front, (elapsed() - began) / 1_000);
  };

  return {
    begin: elapsed,
    count: (front = noFront, verdict, reason, began) => count(front, verdict, reason, began),
    expectNone: (front = noFront, verdict, reason) => {
      addPlace(front, verdict, reason);
    },
    counted: function* () {
      for (const byVerdict of byFront.values())
        for (const byReason of byVerdict.values()) yield* byReason.values();
    },
    measured: () => durations.values(),
  };
}
