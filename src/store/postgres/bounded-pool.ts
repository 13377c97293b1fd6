import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { Pool, type ClientBase, type ClientConfig, type PoolClient } from 'pg';
import { AppError } from '../../errors.ts';
import { withTimeout } from '../../clock.ts';
import { Client, connectTimeoutMs, PostgresError, postgresError } from './client.ts';

export interface PoolOptions {
  readonly config: ClientConfig;
  /** The most open ones. */
  readonly connections: number;
  /** Limits the time from the request for a connection to the last answer on it. */
  readonly timeoutMs: number;
  /** Checks each new connection before its first use. If it throws, the caller waiting for the connection gets the error. */
  readonly inspect?: (connection: Client) => Promise<void>;
  /** Milliseconds that never go back. */
  readonly elapsed?: () => number;
}

export interface BoundedPool extends PostgresPool {
  /** Gives each caller a new connection from now on: after a failover, the old ones may lead to the previous server. */
  renew(): void;
}

type Connection = PoolClient & Client;

// Behind so many, an answer would come too late anyway.
const mostWaiting = 1_000;

/**
 * Connections for Kysely. A late answer counts as none: it may be out of date. Its connection is cut, because its state is
 * unknown. A connection that takes longer to open serves a later caller.
 * @throws AppError `store_unavailable` for every failure; its cause is a StoreError
 */
export function createBoundedPool(options: PoolOptions): BoundedPool {
  const { timeoutMs, elapsed = () => performance.now() } = options;
  let pool = makePool(options);
  return {
    renew: () => {
      const previous = pool;
      pool = makePool(options);
      previous.end().catch(() => undefined);
    },
    connect: async () => {
      const deadline = elapsed() + timeoutMs;
      if (pool.waitingCount >= mostWaiting) throw unavailable('PostgreSQL: too many wait for it');
      return bounded(await connectWithTimeout(pool, timeoutMs), deadline, elapsed);
    },
    end: () => pool.end(),
    options: {},
  };
}

function makePool({ config, connections, timeoutMs, inspect = async () => undefined }: PoolOptions): Pool {
  const pool = new Pool({
    ...config,
    // The server stops statements whose answer would come too late.
    statement_timeout: timeoutMs,
    Client,
    max: connections,
    // Opening a connection takes several round trips.
    idleTimeoutMillis: 0,
    ...({ onConnect: inspectBy(inspect) } satisfies PoolHooks),
  });
  // An idle connection that breaks is replaced on the next request.
  pool.on('error', () => undefined);
  return pool;
}

/** Hooks of pg-pool, which waits for the promise; its types lack them. */
interface PoolHooks {
  readonly onConnect: (made: ClientBase) => Promise<void>;
}

function inspectBy(inspect: NonNullable<PoolOptions['inspect']>): PoolHooks['onConnect'] {
  return async (client) => {
    const made = client as Client;
    const late = setTimeout(() => made.cut(), connectTimeoutMs);
    try {
      await inspect(made);
    } catch (error) {
      made.cut();
      throw error;
    } finally {
      clearTimeout(late);
    }
  };
}

async function connectWithTimeout(pool: Pool, timeoutMs: number): Promise<Connection> {
  const connecting = pool.connect() as Promise<Connection>;
  let connection: Connection | undefined;
  try {
    connection = await withTimeout(connecting, timeoutMs);
  } catch (error) {
    throw unavailable(error);
  }
  if (connection !== undefined) return connection;
  // A connection that opens too late serves others.
  connecting.then(
    (late) => late.release(),
    () => undefined,
  );
  throw unavailable();
}

function bounded(client: Connection, deadline: number, elapsed: () => number): PostgresPoolClient {
  let isLost = false;
  const lose = () => {
    isLost = true;
    client.cut();
  };
  const query = async (sql: string, parameters: readonly unknown[]) => {
    const timer = setTimeout(lose, Math.max(0, deadline - elapsed()));
    try {
      const answer = await client.query(sql, parameters.map(storable));
      // A busy thread reads late what arrived in time, and its timer is late too.
      if (elapsed() > deadline) lose();
      if (!isLost) return answer;
    } catch (error) {
      if (!isLost) throw unavailable(error);
    } finally {
      clearTimeout(timer);
    }
    throw unavailable();
  };
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(isLost || destroy),
  };
}

function unavailable(error: unknown = new PostgresError('PostgreSQL did not answer in time')): AppError {
  const cause = typeof error === 'string' ? new PostgresError(error) : postgresError(error);
  return new AppError('store_unavailable', { cause });
}

/** PostgreSQL text cannot hold a NUL, so no stored text equals one with a NUL. */
function storable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(storable);
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}
