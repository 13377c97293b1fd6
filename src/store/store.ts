import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Kysely, SqliteDialect, type SqliteDatabase } from 'kysely';
import { AppError } from '../errors.ts';
import { migrate } from './migrations.ts';
import type { Tables } from './schema.ts';

/** Where the database is, below the configuration directory. */
export function storePath(directory: string): string {
  return join(directory, 'postern.db');
}

/** Postern's own database. */
export type Store = Kysely<Tables>;

/**
 * Opens the database, makes it when there is none, and brings its schema up to date. On a read-only disk
 * it is opened for reading: logins go on, changes are `store_unavailable`.
 * What is acknowledged survives a kill at any moment: the log is written through before a commit returns.
 * @param lockTimeout milliseconds to wait for another process that writes; the whole thread waits, so a server
 * keeps it short
 * @throws NewerSchemaError, or the system's error
 */
export async function openStore(path: string, lockTimeout: number): Promise<Store> {
  const writable = isWritable(path);
  const file = writable ? new DatabaseSync(path, { timeout: lockTimeout }) : openUnchanging(path);
  try {
    if (writable) file.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
    const store = new Kysely<Tables>({ dialect: new SqliteDialect({ database: bridge(file) }) });
    await migrate(store);
    return store;
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

/** Kysely's SQLite dialect speaks to another driver; node:sqlite differs in how parameters are passed. */
function bridge(file: DatabaseSync): SqliteDatabase {
  return {
    close: () => file.close(),
    prepare: (sql) => {
      // A transaction that reads before it writes would fail when the command wrote in between.
      const statement = file.prepare(sql === 'begin' ? 'begin immediate' : sql);
      const parameters = (values: readonly unknown[]) => values as Parameters<typeof statement.all>;
      return {
        reader: statement.columns().length > 0,
        all: (values) => statement.all(...parameters(values)),
        run: (values) => statement.run(...parameters(values)),
        iterate: (values) => statement.iterate(...parameters(values)),
      };
    },
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
