import { randomInt } from 'node:crypto';

/**
 * @param make may return a promise: callers get the same one until it settles
 * @param elapsed milliseconds, monotonic
 * @returns caches what `make` returned for so many milliseconds
 */
export function atMostEvery<T>(
  milliseconds: number,
  make: () => T,
  elapsed: () => number = () => performance.now(),
): () => T {
  let until = Number.NEGATIVE_INFINITY;
  let last: T;
  return () => {
    const at = elapsed();
    if (at >= until) {
      last = make();
      until = at + milliseconds;
    }
    return last;
  };
}

/** Limits how much clients can add to the database or the log each minute. */
interface MinuteBudget {
  /** @param cost of one more @returns whether it may be kept */
  take(client: string, cost?: number): boolean;
}

interface MinuteBudgetOptions {
  readonly perClient: number;
  readonly perMinute: number;
  /** Milliseconds, monotonic. */
  readonly elapsed: () => number;
}

const places = 4096;
const minute = 60_000;

/**
 * Each client gets a small part of the whole, so that a flood does not crowd out others. Addresses are counted by hash: a
 * table of texts would grow with every address that an attacker invents.
 */
export function createMinuteBudget({ perClient, perMinute, elapsed }: MinuteBudgetOptions): MinuteBudget {
  const counts = new Uint32Array(places);
  // Random, so that no one can pick an address that shares another one's count.
  let seed = randomInt(2 ** 31);
  let total = 0;
  let ends = elapsed() + minute;
  return {
    take: (client, cost = 1) => {
      const at = elapsed();
      if (at >= ends) {
        counts.fill(0);
        seed = randomInt(2 ** 31);
        total = 0;
        ends = at + minute;
      }
      if (total + cost > perMinute) return false;
      const place = placeOf(client, seed);
      const count = counts[place] ?? 0;
      if (count + cost > perClient) return false;
      counts[place] = count + cost;
      total += cost;
      return true;
    },
  };
}

/** FNV-1a over the units of a text. */
function placeOf(text: string, seed: number): number {
  let hash = seed;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 16_777_619);
  return (hash ^ (hash >>> 16)) & (places - 1);
}
