/** Hits of a cache, and what it holds. */
export interface CacheTally {
  hits: number;
  misses: number;
  /** Entries by purpose of the cache: a new gate of the same process replaces its predecessor's. */
  readonly held: Map<string, () => number>;
}

/** `sessions`: validated session tokens. */
const cacheNames = ['sessions'] as const;

export type CacheTallies = Readonly<Record<(typeof cacheNames)[number], CacheTally>>;

export function createCacheTallies(): CacheTallies {
  const made = cacheNames.map((name) => [name, { hits: 0, misses: 0, held: new Map() }] as const);
  return Object.fromEntries(made) as unknown as CacheTallies;
}

/** @returns the entries of all */
export function entriesOf({ held }: CacheTally): number {
  return [...held.values()].reduce((sum, entries) => sum + entries(), 0);
}
