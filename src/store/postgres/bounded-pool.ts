import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { Pool, type ClientConfig, type PoolClient } from 'pg';
import { Client, PostgresError, postgresError } from './client.ts';

export interface PoolOptions {
  readonly config: ClientConfig;
  /** How many there are at most. */
  readonly connections: number;
  /** Milliseconds from asking for a connection to the last answer on it. */
  readonly patience: number;
  /** Milliseconds that never go back. */
  readonly elapsed?: () => number;
}

// Whoever would wait behind so many gets no answer in time anyway.
const mostWaiting = 1_000;

// Milliseconds.
const idle = 60_000;

/**
 * Connections for Kysely. What is not answered in time is no answer, even when it arrives: it may be of a time that
 * is over. Its connection is cut, since nobody knows what becomes of it.
 * @throws PostgresError whatever is asked
 */
export function createBoundedPool(options: PoolOptions): PostgresPool {
  const { config, connections, patience, elapsed = () => performance.now() } = options;
  const pool = new Pool({
    ...config,
    Client,
    max: connections,
    connectionTimeoutMillis: patience,
    idleTimeoutMillis: idle,
  });
  // One that breaks while nobody uses it: whoever asks next gets another.
  pool.on('error', () => undefined);
  return {
    connect: async () => {
      const deadline = elapsed() + patience;
      if (pool.waitingCount >= mostWaiting) throw new PostgresError('PostgreSQL: too many wait for it');
      try {
        return bounded((await pool.connect()) as PoolClient & Client, deadline, elapsed);
      } catch (error) {
        throw postgresError(error);
      }
    },
    end: () => pool.end(),
    options: {},
  };
}

function bounded(client: PoolClient & Client, deadline: number, elapsed: () => number): PostgresPoolClient {
  let isLost = false;
  const lose = () => {
    isLost = true;
    client.cut();
  };
  const query = async (sql: string, parameters: readonly unknown[]) => {
    const timer = setTimeout(lose, Math.max(0, deadline - elapsed()));
    try {
      const answer = await client.query(sql, parameters.map(storable));
      // A thread that was busy reads late what came in time, and its timer is as late.
      if (elapsed() > deadline) lose();
      if (!isLost) return answer;
    } catch (error) {
      if (!isLost) throw postgresError(error);
    } finally {
      clearTimeout(timer);
    }
    throw new PostgresError('PostgreSQL did not answer in time');
  };
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(isLost || destroy),
  };
}

/** PostgreSQL has no text with a NUL in it: there is none that is equal to it either. */
function storable(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}
