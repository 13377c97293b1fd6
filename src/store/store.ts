import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Kysely, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely';
import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';
import { activityMigrations } from './activity-migrations.ts';
import type { ActivityTables } from './activity-schema.ts';
import { migrate, type Migration, type VersionTable } from './migrate.ts';
import { migrations } from './migrations.ts';
import type { Tables } from './schema.ts';

/** Where the accounts' database is, below the configuration directory. */
export function storePath(directory: string): string {
  return join(directory, 'postern.db');
}

/** Where the activity database is, below the configuration directory. */
export function activityPath(directory: string): string {
  return join(directory, 'activity.db');
}

/** The accounts' database. */
export type Store = Kysely<Tables>;

/** What was done and who was seen; no decision depends on it. */
export type Activity = Kysely<ActivityTables>;

/**
 * What was read from the store still holds while this gives the same number. A write of this process changes it at once,
 * one of another process within a millisecond: before that process has closed the store.
 */
type StoreVersion = () => number;

export interface VersionedStore {
  readonly store: Store;
  readonly version: StoreVersion;
}

/** @see openVersionedStore */
export async function openStore(path: string, lockTimeout: number): Promise<Store> {
  return (await openVersionedStore(path, lockTimeout)).store;
}

/**
 * Opens the accounts' database, makes it when there is none, and brings its schema up to date. On a read-only disk
 * it is opened for reading: logins go on, changes are `store_unavailable`.
 * What is acknowledged survives a kill at any moment: the log is written through before a commit returns.
 * @param lockTimeout milliseconds to wait for another process that writes; the whole thread waits, so a server
 * keeps it short
 * @throws NewerSchemaError, or the system's error
 */
export async function openVersionedStore(path: string, lockTimeout: number): Promise<VersionedStore> {
  let version = 0;
  const onWrite = () => {
    version += 1;
  };
  const { file, database } = await openDatabase<Tables>(path, lockTimeout, 'FULL', migrations, onWrite);
  const checkOthers = atMostEvery(1, changesOfOthers(file, onWrite));
  return {
    store: database,
    version: () => {
      checkOthers();
      return version;
    },
  };
}

/**
 * Opens the activity database in the same way. What was written survives a kill of the process; a power failure may take
 * the last moments, since nothing waits for the disk.
 * @throws NewerSchemaError, or the system's error
 */
export async function openActivity(path: string, lockTimeout: number): Promise<Activity> {
  const onWrite = () => undefined;
  return (await openDatabase<ActivityTables>(path, lockTimeout, 'NORMAL', activityMigrations, onWrite))
    .database;
}

async function openDatabase<All extends VersionTable>(
  path: string,
  lockTimeout: number,
  synchronous: 'FULL' | 'NORMAL',
  steps: readonly Migration[],
  onWrite: () => void,
): Promise<{ readonly file: DatabaseSync; readonly database: Kysely<All> }> {
  const writable = isWritable(path);
  const file = writable ? new DatabaseSync(path, { timeout: lockTimeout }) : openUnchanging(path);
  try {
    if (writable)
      file.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON`);
    const dialect = new SqliteDialect({ database: bridge(file, onWrite) });
    const database = new Kysely<VersionTable>({ dialect });
    await migrate(database, steps);
    return { file, database: database as unknown as Kysely<All> };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Makes the file private from its first moment on; the -wal and -shm that SQLite makes are like it. */
function isWritable(path: string): boolean {
  try {
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EROFS') return false;
    throw error;
  }
}

/** SQLite reads a WAL database on a read-only disk only as one that never changes, without its log. */
function openUnchanging(path: string): DatabaseSync {
  const log = `${path}-wal`;
  if (existsSync(log) && statSync(log).size > 0) {
    throw new Error(
      `${log} holds changes that cannot be read on a read-only disk: start once on a writable one`,
    );
  }
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true });
}

// Of the program's own statements there are some dozens; a query with a list has one for each length.
const mostStatements = 200;

/**
 * Kysely's SQLite dialect speaks to another driver; node:sqlite differs in how parameters are passed. Statements are
 * prepared once: to prepare one takes longer than to run it.
 */
function bridge(file: DatabaseSync, onWrite: () => void): SqliteDatabase {
  const statements = new LRUCache<string, SqliteStatement>({ max: mostStatements });
  const prepare = (sql: string): SqliteStatement => {
    // A transaction that reads before it writes would fail when the command wrote in between.
    const statement = file.prepare(sql === 'begin' ? 'begin immediate' : sql);
    // Whatever is not a query counts, and a transaction once more when it ends.
    const isQuery = /^select\b/i.test(sql);
    const parameters = (values: readonly unknown[]) => {
      if (!isQuery) onWrite();
      return values as Parameters<typeof statement.all>;
    };
    return {
      reader: statement.columns().length > 0,
      all: (values) => statement.all(...parameters(values)),
      run: (values) => statement.run(...parameters(values)),
      iterate: (values) => statement.iterate(...parameters(values)),
    };
  };
  return {
    close: () => file.close(),
    prepare: (sql) => {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      const statement = prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
  };
}

/** SQLite shows another number when another connection has committed (PRAGMA data_version). */
function changesOfOthers(file: DatabaseSync, onChange: () => void): () => void {
  const statement = file.prepare('PRAGMA data_version');
  const read = () => statement.get()?.['data_version'];
  let known = read();
  return () => {
    const found = read();
    if (found !== known) onChange();
    known = found;
  };
}

/** At 1.2 microseconds each time it would be a tenth of a decision. */
function atMostEvery(milliseconds: number, check: () => void): () => void {
  let next = 0;
  return () => {
    const at = performance.now();
    if (at < next) return;
    check();
    next = at + milliseconds;
  };
}

/** Runs a write; a store that cannot take it (disk full, read-only) is `store_unavailable`. */
export async function writing<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isStoreFailure(error)) throw new AppError('store_unavailable', { cause: error });
    throw error;
  }
}

function isStoreFailure(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR';
}
