import { createDecisionTally, type DecisionTally } from './decision-tally.ts';

/** `limited`: turned away by a limit before the password was checked. `error`: an internal fault. */
export type LoginResult = 'success' | 'failure' | 'limited' | 'error';

/**
 * `login_failures`: `auth.failed_login_rate_limit`. `password_hashes`: the queue of hashes is full. `pipelining`: requests
 * behind an unfinished one. The others: the keys of `limits`.
 */
type Limit =
  | 'login_failures'
  | 'password_hashes'
  | 'pipelining'
  | 'body_timeout'
  | 'write_timeout'
  | 'connections_per_client'
  | 'upstream_connections';

type RoleChangeResult = 'written' | 'refused' | 'unanswered';

/** Counters, read when the metrics are scraped. */
export interface Tallies {
  readonly decisions: DecisionTally;
  readonly caches: CacheTallies;
  readonly logins: Record<LoginResult, number>;
  /** Requests and connections that a limit turned away. */
  readonly limited: Record<Limit, number>;
  /** Changes of custom roles sent to the recorder, by result. */
  readonly recorderRoleChanges: Record<RoleChangeResult, number>;
  /** Streams that were cut, by reason. */
  readonly streamsCut: Record<string, number>;
  /** Stretches of someone watching that were not recorded. */
  viewingDropped: number;
}

export function createTallies(): Tallies {
  return {
    decisions: createDecisionTally(),
    caches: createCacheTallies(),
    logins: { success: 0, failure: 0, limited: 0, error: 0 },
    limited: {
      login_failures: 0,
      password_hashes: 0,
      pipelining: 0,
      body_timeout: 0,
      write_timeout: 0,
      connections_per_client: 0,
      upstream_connections: 0,
    },
    recorderRoleChanges: { written: 0, refused: 0, unanswered: 0 },
    streamsCut: { stopped: 0 },
    viewingDropped: 0,
  };
}

/** Hits of a cache, and what it holds. */
export interface CacheTally {
  hits: number;
  misses: number;
  /** Entries by purpose of the cache: a new gate of the same process replaces its predecessor's. */
  readonly held: Map<string, () => number>;
}

/** `sessions`: validated session tokens. */
const cacheNames = ['sessions'] as const;

type CacheTallies = Readonly<Record<(typeof cacheNames)[number], CacheTally>>;

export function createCacheTallies(): CacheTallies {
  const made = cacheNames.map((name) => [name, { hits: 0, misses: 0, held: new Map() }] as const);
  return Object.fromEntries(made) as unknown as CacheTallies;
}

/** @returns the entries of all */
export function entriesOf({ held }: CacheTally): number {
  return [...held.values()].reduce((sum, entries) => sum + entries(), 0);
}
