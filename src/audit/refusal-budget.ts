import { randomInt } from 'node:crypto';

/** How many refusals a minute are kept, in the database or in the log. */
export interface RefusalBudget {
  /** @param address of the client @returns whether another of its refusals may be kept */
  take(address: string): boolean;
}

export interface RefusalBudgetOptions {
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
export function createRefusalBudget({ perClient, perMinute, elapsed }: RefusalBudgetOptions): RefusalBudget {
  const counts = new Uint32Array(places);
  // Random, so that no one can pick an address that shares another one's count.
  let seed = randomInt(2 ** 31);
  let total = 0;
  let ends = elapsed() + minute;
  return {
    take: (address) => {
      const at = elapsed();
      if (at >= ends) {
        counts.fill(0);
        seed = randomInt(2 ** 31);
        total = 0;
        ends = at + minute;
      }
      if (total >= perMinute) return false;
      const place = placeOf(address, seed);
      const count = counts[place] ?? 0;
      if (count >= perClient) return false;
      counts[place] = count + 1;
      total += 1;
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
