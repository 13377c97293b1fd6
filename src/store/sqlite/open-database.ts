import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely';
import { LRUCache } from 'lru-cache';
import { makePrivate } from '../../config/file-owner.ts';
import { copyDatabase, requireGoodPages } from './copy-database.ts';
import { DatabaseError, databaseError } from './database-error.ts';
import { DirectoryBusyError, shareDirectory } from './directory-lock.ts';
import { migrate, NewerSchemaError, type Migration, type VersionTable } from '../migrate.ts';
import { openOnReadOnlyDisk } from './read-only-disk.ts';

interface DatabaseOptions {
  /** Milliseconds to wait for another process that writes, once it is open. */
  readonly lockTimeout: number;
  readonly synchronous: 'FULL' | 'NORMAL';
  readonly steps: readonly Migration[];
  /** Told before each statement that may write. */
  readonly onWrite: () => void;
  readonly notices?: OpeningNotices;
}

/** What happened when a database was opened, for the log. */
export interface OpeningNotices {
  /** A copy was made before an upgrade. */
  readonly copied: (path: string) => void;
  /** The disk is full: until it is closed no other process can use the database. */
  readonly alone: () => void;
}

// Nothing is served before it is open, so that it may wait for a command that is just writing. Milliseconds.
const openTimeoutMs = 5_000;

/**
 * Opens a database of ours, makes it when there is none, and brings its schema up to date, after a copy of it was made
 * beside it: `postern.db.v2`. As long as it is open nobody restores anything in its directory.
 * @throws DatabaseError, DirectoryBusyError
 */
export async function openDatabase<All extends VersionTable>(
  path: string,
  { lockTimeout, synchronous, steps, onWrite, notices }: DatabaseOptions,
): Promise<{ readonly file: DatabaseSync; readonly database: Kysely<All> }> {
  const lock = shareDirectory(dirname(path));
  let file: DatabaseSync | undefined;
  try {
    const writable = isWritable(path);
    file = writable ? openWritable(path, notices?.alone) : openOnReadOnlyDisk(path);
    if (writable) file.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON`);
    requireGoodPages(file, 'quick_check');
    const database = kyselyOf(file, onWrite, lock.release);
    await migrate(database, steps, async (found) => {
      const copy = `${path}.v${found}`;
      await copyBeforeUpgrade(path, copy);
      notices?.copied(copy);
    });
    file.exec(`PRAGMA busy_timeout = ${lockTimeout}`);
    return { file, database: database as unknown as Kysely<All> };
  } catch (error) {
    file?.close();
    lock.release();
    throw openingError(path, error);
  }
}

/**
 * A database of ours that is nowhere but in memory.
 * @param bytes it takes at most; then it is full, as a disk would be
 */
export async function openInMemory<All extends VersionTable>(
  steps: readonly Migration[],
  bytes: number,
): Promise<Kysely<All>> {
  const file = new DatabaseSync(':memory:');
  file.exec(`PRAGMA foreign_keys = ON; PRAGMA max_page_count = ${Math.floor(bytes / pageSize)}`);
  const database = kyselyOf(
    file,
    () => undefined,
    () => undefined,
  );
  await migrate(database, steps);
  return database as unknown as Kysely<All>;
}

const pageSize = 4_096;

function kyselyOf(file: DatabaseSync, onWrite: () => void, onClose: () => void): Kysely<VersionTable> {
  return new Kysely<VersionTable>({
    dialect: new SqliteDialect({ database: bridge(file, onWrite, onClose) }),
  });
}

function openingError(path: string, error: unknown): Error {
  if (error instanceof DirectoryBusyError) return error;
  if (!(error instanceof NewerSchemaError)) return databaseError(path, error);
  const { found, known } = error;
  const message =
    `${path}: the database has schema version ${found}, this program knows ${known}: ` +
    `start the newer program, or restore the backup that was made before the upgrade (${path}.v${known})`;
  return new DatabaseError('newer', message, { cause: error });
}

async function copyBeforeUpgrade(path: string, copy: string): Promise<void> {
  try {
    await copyDatabase(path, copy);
  } catch (cause) {
    const { fault, message } = databaseError(path, cause);
    const why = `${path} is not upgraded, since no copy of it could be made before: ${message}`;
    throw new DatabaseError(fault, why, { cause });
  }
}

/**
 * On a full disk there is no room for the index that processes share. A process that has the file alone needs none, so that
 * decisions and logins go on there.
 */
function openWritable(path: string, onAlone: OpeningNotices['alone'] | undefined): DatabaseSync {
  const open = (before: string) => {
    const file = new DatabaseSync(path, { timeout: openTimeoutMs });
    try {
      file.exec(`${before} PRAGMA journal_mode = WAL; SELECT count(*) FROM sqlite_schema`);
      return file;
    } catch (error) {
      file.close();
      throw error;
    }
  };
  try {
    return open('');
  } catch (error) {
    const { fault } = databaseError(path, error);
    if (fault !== 'full' && fault !== 'failing') throw error;
    const file = open('PRAGMA locking_mode = EXCLUSIVE;');
    onAlone?.();
    return file;
  }
}

/**
 * Makes the file private; the -wal and -shm that SQLite makes are like it, and of the same owner. One that is not ours
 * to write is an error: unlike on a read-only disk, somebody may change it while it is read.
 */
function isWritable(path: string): boolean {
  try {
    makePrivate(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EROFS') return false;
    throw error;
  }
}

// Of the program's own statements there are some dozens; a query with a list has one for each length.
const mostStatements = 200;

/**
 * Kysely's SQLite dialect speaks to another driver; node:sqlite differs in how parameters are passed. Statements are
 * prepared once: to prepare one takes longer than to run it.
 */
function bridge(file: DatabaseSync, onWrite: () => void, onClose: () => void): SqliteDatabase {
  const path = file.location() ?? 'the database in memory';
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
      all: (values) => naming(path, () => statement.all(...parameters(values))),
      run: (values) => naming(path, () => statement.run(...parameters(values))),
      iterate: (values) => statement.iterate(...parameters(values)),
    };
  };
  return {
    close: () => {
      file.close();
      onClose();
    },
    prepare: (sql) => {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      const statement = naming(path, () => prepare(sql));
      statements.set(sql, statement);
      return statement;
    },
  };
}

/** An error of the file itself says which file it is; everything else of it stays. */
export function naming<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { fault, message } = databaseError(path, error);
    if (error instanceof Error && fault !== 'other') error.message = message;
    throw error;
  }
}
