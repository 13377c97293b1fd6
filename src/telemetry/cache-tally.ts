/** Hits and size of a cache. */
export interface CacheTally {
  hits: number;
  misses: number;
  /** Entries by purpose of the cache: a new gate of the same process replaces its predecessor's. */
  readonly held: Map<string, HeldEntries>;
}

interface HeldEntries {
  readonly entries: () => number;
  readonly bytes: () => number;
}

/** `sessions`: validated session tokens. */
const cacheNames = ['sessions'] as const;

export type CacheTallies = Readonly<Record<(typeof cacheNames)[number], CacheTally>>;

export function createCacheTallies(): CacheTallies {
  const made = cacheNames.map((name) => [name, { hits: 0, misses: 0, held: new Map() }] as const);
  return Object.fromEntries(made) as unknown as CacheTallies;
}

export function heldBy({ held }: CacheTally): { readonly entries: number; readonly bytes: number } {
  let [entries, bytes] = [0, 0];
  for (const cache of held.values()) {
    entries += cache.entries();
    bytes += cache.bytes();
  }
  return { entries, bytes };
}
