import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import { setTimeout as wait } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import { AppError } from '../../errors.ts';
import { withCleanup, writing, type Activity, type VersionedStore } from '../store.ts';
import type { ActivityTables } from '../activity-schema.ts';
import type { VersionTable } from '../migrate.ts';
import type { Change } from '../permit.ts';
import { withAlerts } from '../outbox.ts';
import type { Tables } from '../schema.ts';
import type { SharingTables } from '../sharing-schema.ts';
import { createBoundedPool, type BoundedPool } from './bounded-pool.ts';
import {
  clientConfig,
  isLocked,
  mayPass,
  PostgresError,
  postgresError,
  requireUsableServer,
} from './client.ts';
import { migratePostgres, requireOwnStore } from './migrate-postgres.ts';
import { channel, presenceLock, startHeartbeat, type Counters, type HeartbeatOptions } from './heartbeat.ts';

/** Milliseconds that a decision waits: docs/growth.md says that a gate answers 503 after a second. */
export const decisionTimeoutMs = 800;

/** Connections of each process besides that of the heartbeat, and how long it waits for them. */
const pools = {
  reading: { connections: 4, timeoutMs: decisionTimeoutMs },
  changing: { connections: 2, timeoutMs: 5_000 },
  activity: { connections: 2, timeoutMs: 10_000 },
  /** Separate, so that a flood of guesses takes connections from no one else. */
  counting: { connections: 2, timeoutMs: decisionTimeoutMs },
} as const;

/** A schema change may rewrite a long table. */
const migrating = { connections: 1, timeoutMs: 600_000 } as const;

/** All pools and the heartbeat. */
export const connectionsOfProcess = Object.values(pools).reduce(
  (sum, { connections }) => sum + connections,
  1,
);

export interface SharedStore extends VersionedStore {
  readonly activity: Activity;
  /** Writes `failure_windows` without raising the version. */
  readonly counting: Kysely<SharingTables>;
}

/**
 * Opens a store that several processes share, creates missing tables, and brings them up to date.
 * @param url `postgres://user:password@host/database`
 * @throws StoreError
 */
export async function openSharedStore(
  url: string,
  options: Pick<HeartbeatOptions, 'clock' | 'onTrouble' | 'onRecovery'> & {
    /** Called once when PostgreSQL does not answer yet. Without it, nothing waits. */
    readonly onWait?: (error: Error) => void;
    /**
     * How long a decision waits for PostgreSQL, in milliseconds: 800 by default, since a later answer could rely on a right that was taken
     * away a second ago.
     */
    readonly decisionTimeoutMs?: number;
  },
): Promise<SharedStore> {
  const { clock, onTrouble, onRecovery } = options;
  const config = clientConfig(url);
  await untilItAnswers(() => prepare(config), options.onWait);
  return withCleanup(async (closing) => {
    const connections: BoundedPool[] = [];
    const connected = <All>(name: keyof typeof pools, timeoutMs: number = pools[name].timeoutMs) => {
      const pool = createBoundedPool({ config, ...pools[name], timeoutMs, inspect: requireOwnStore });
      connections.push(pool);
      const database = databaseOf<All>(pool);
      closing.defer(database.destroy.bind(database));
      return database;
    };
    const reading = connected<Tables>('reading', options.decisionTimeoutMs);
    const changing = connected<Tables & SharingTables>('changing');
    const activity = connected<ActivityTables>('activity');
    const counting = connected<SharingTables>('counting', options.decisionTimeoutMs);
    const onLost = () => {
      for (const pool of connections) pool.renew();
    };
    const askElsewhere = async (question: string) =>
      (await sql.raw<Counters & { readonly standby: boolean }>(question).execute(reading)).rows;
    const heartbeat = await untilItAnswers(
      () => startHeartbeat({ config, askElsewhere, onLost, onTrouble, onRecovery, clock }),
      options.onWait,
    );
    closing.defer(heartbeat.close);
    const close = () => closing.disposeAsync();
    return {
      store: Object.assign(reading, { change: changeBy(changing, heartbeat), destroy: close }),
      activity: Object.assign(activity, { destroy: async () => undefined }),
      counting,
      version: heartbeat.version,
      knownAt: heartbeat.knownAt,
      rolesVersion: heartbeat.rolesVersion,
      sawRoles: heartbeat.sawRoles,
      requireWritable: async () => {
        await sql`UPDATE store_version SET version = version WHERE false`.execute(changing);
      },
    };
  });
}

/**
 * Opens only the activity tables. A long read there does not count as a process that works with the accounts.
 * @throws StoreError
 */
export async function openSharedActivity(url: string): Promise<Activity> {
  const config = clientConfig(url);
  await prepare(config);
  return databaseOf<ActivityTables>(createBoundedPool({ config, ...pools.activity }));
}

type Forgetting = Pick<Awaited<ReturnType<typeof startHeartbeat>>, 'forget' | 'changed'>;

/**
 * Each change raises the counter first, and so waits for the one before: what the permit reads stays true until the commit, as
 * in SQLite. A notification of the commit carries the counter.
 */
function changeBy(database: Kysely<Tables & SharingTables>, heartbeat: Forgetting): Change {
  return (permit, work) =>
    writing(async () => {
      let counters: Counters | undefined;
      heartbeat.forget();
      try {
        const result = await database.transaction().execute(async (transaction) => {
          const on = transaction as unknown as Transaction<Tables>;
          await transaction
            .updateTable('store_version')
            .set(({ eb }) => ({ version: eb('version', '+', 1) }))
            .execute();
          const permission = await permit(on);
          const done = await withAlerts(on, permission, work);
          counters = await notify(transaction);
          return done;
        });
        if (counters !== undefined) heartbeat.changed(counters);
        return result;
      } catch (error) {
        // The commit may have succeeded, with its answer lost.
        heartbeat.forget();
        throw error;
      }
    });
}

/** Notifies the other processes of the counters, once committed. */
async function notify(on: Transaction<SharingTables>): Promise<Counters> {
  const { rows } = await sql<Counters>`
    SELECT version, roles, pg_notify(${channel}, version || ' ' || roles) FROM store_version`.execute(on);
  const [counters] = rows;
  if (counters === undefined) throw new PostgresError('PostgreSQL: store_version is empty');
  return counters;
}

function databaseOf<All>(pool: BoundedPool): Kysely<All> {
  return new Kysely<All>({ dialect: new PostgresDialect({ pool }) });
}

// Machines start in any order. A migration is waited for as long as it takes.
const openTimeoutMs = 30_000;
const pause = 500;

async function untilItAnswers<T>(work: () => Promise<T>, onWait?: (error: Error) => void): Promise<T> {
  const deadline = performance.now() + openTimeoutMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await work();
    } catch (error) {
      const isLate = performance.now() > deadline && !isLocked(error);
      if (onWait === undefined || !mayPass(error) || isLate) throw error;
      if (isFirst) onWait(error as Error);
    }
    await wait(pause);
  }
}

/** Runs once, before any process works with the store. */
async function prepare(config: ClientConfig): Promise<void> {
  await requireUsableServer(config);
  const database = databaseOf<VersionTable>(createBoundedPool({ config, ...migrating }));
  try {
    await migratePostgres(database, isAlone);
    await forgetFailures(database);
  } catch (error) {
    throw postgresError(error instanceof AppError ? error.cause : error);
  } finally {
    await database.destroy();
  }
}

/** Counts end with the last process that counted: when all have restarted. */
async function forgetFailures(database: Kysely<VersionTable>): Promise<void> {
  await database.transaction().execute(async (on) => {
    if (await isAlone(on)) await sql`DELETE FROM failure_windows`.execute(on);
  });
}

/** Whether no process works with the store. Until the transaction ends no other one begins. */
export async function isAlone(on: Transaction<VersionTable>): Promise<boolean> {
  const { rows } = await sql<{
    readonly alone: boolean;
  }>`SELECT pg_try_advisory_xact_lock(${presenceLock}) AS alone`.execute(on);
  return rows[0]?.alone === true;
}
