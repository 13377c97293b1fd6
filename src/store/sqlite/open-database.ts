import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  Kysely,
  sql,
  SqliteDialect,
  type SqliteDatabase,
  type SqliteStatement,
  type Transaction,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { makePrivate } from '../../config/own-files.ts';
import { copyDatabase, requireGoodPages, openOnReadOnlyDisk } from './copy-database.ts';
import { DatabaseError, databaseError } from './database-error.ts';
import { DirectoryBusyError, shareDirectory } from './directory-lock.ts';
import {
  ForeignSchemaError,
  migrate,
  NewerSchemaError,
  type Migration,
  type SchemaMark,
  type SchemaPart,
  type VersionTable,
} from '../migrate.ts';
import { marking, requireReleased } from './schema-mark.ts';
import { keepCheckpoints } from './checkpoint.ts';
import { openSqlite } from './sqlite-file.ts';

interface DatabaseOptions {
  /** Milliseconds to wait for another writing process, once it is open. */
  readonly lockTimeout: number;
  readonly synchronous: 'FULL' | 'NORMAL';
  readonly steps: readonly Migration[];
  readonly mark?: SchemaMark | undefined;
  /** Called with the SQL of each statement that may write, before it does. */
  readonly onWrite: (sql: string) => void;
  readonly notices?: OpeningNotices;
}

/** Events while a database is opened, for the log. */
export interface OpeningNotices {
  /** A copy was made before an upgrade. */
  readonly copied: (path: string) => void;
  /** The disk is full: until the database is closed, no other process can use it. */
  readonly alone: () => void;
}

// Nothing is served before it is open, so it may wait for a command that is writing. Milliseconds.
const openTimeoutMs = 5_000;

/**
 * Opens a database, creates it if it is missing, and brings its schema up to date, after copying it to a file beside it:
 * `postern.db.v2`. While it is open, its directory cannot be restored.
 * @throws DatabaseError, DirectoryBusyError
 */
export async function openDatabase<All extends VersionTable>(
  path: string,
  { lockTimeout, synchronous, steps, mark, onWrite, notices }: DatabaseOptions,
): Promise<{ readonly file: DatabaseSync; readonly database: Kysely<All> }> {
  const lock = shareDirectory(dirname(path));
  let file: DatabaseSync | undefined;
  try {
    const writable = isWritable(path);
    file = writable ? openWritable(path, notices?.alone) : openOnReadOnlyDisk(path);
    if (writable) file.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON`);
    requireGoodPages(file, 'quick_check');
    if (mark !== undefined) requireReleased(file, mark);
    let stopCheckpoints = () => {};
    const database = kyselyOf(file, onWrite, () => {
      stopCheckpoints();
      lock.release();
    });
    const copyFirst = async (found: number) => {
      const copy = `${path}.v${found}`;
      await copyBeforeUpgrade(path, copy);
      notices?.copied(copy);
    };
    await migrate(database, steps, copyFirst, beginWith(mark));
    file.exec(`PRAGMA busy_timeout = ${lockTimeout}`);
    if (writable) stopCheckpoints = keepCheckpoints(file, path);
    return { file, database: database as unknown as Kysely<All> };
  } catch (error) {
    file?.close();
    lock.release();
    throw openingError(path, error);
  }
}

/** Brings the schema of a closed database that no other process uses up to date. @throws DatabaseError */
export async function upgradeFile(path: string, { steps, mark }: SchemaPart): Promise<void> {
  try {
    const nothing = () => undefined;
    const file = openSqlite(path);
    const database = kyselyOf(file, nothing, nothing);
    try {
      if (mark !== undefined) requireReleased(file, mark);
      await migrate(database, steps, undefined, beginWith(mark));
    } finally {
      await database.destroy();
    }
  } catch (error) {
    throw openingError(path, error);
  }
}

/** Marks a database in the transaction that makes or upgrades it. */
function beginWith(mark: SchemaMark | undefined) {
  return mark && ((on: Transaction<VersionTable>) => sql.raw(marking(mark)).execute(on));
}

/** A database in memory only. @param bytes at most; after that it counts as full, like a disk */
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

function kyselyOf(
  file: DatabaseSync,
  onWrite: DatabaseOptions['onWrite'],
  onClose: () => void,
): Kysely<VersionTable> {
  return new Kysely<VersionTable>({
    dialect: new SqliteDialect({ database: bridge(file, onWrite, onClose) }),
  });
}

function openingError(path: string, error: unknown): Error {
  if (error instanceof DirectoryBusyError) return error;
  if (error instanceof ForeignSchemaError)
    return new DatabaseError('foreign', `${path}: ${error.message}`, { cause: error });
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
 * A full disk has no room for the index that processes share. A process with exclusive use of the file needs none, so decisions
 * and logins still work.
 */
function openWritable(path: string, onAlone: OpeningNotices['alone'] | undefined): DatabaseSync {
  const open = (before: string) => {
    const file = openSqlite(path, { timeout: openTimeoutMs });
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
 * Makes the file private; SQLite gives its -wal and -shm the same mode and owner. A file we may not write is an error: unlike
 * on a read-only disk, another program may change it while it is read.
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

// The program has a few dozen statements; a query with a list has one for each length.
const mostStatements = 200;

const nothingDone = { changes: 0, lastInsertRowid: 0 };

/**
 * Adapts node:sqlite, which passes parameters differently, to Kysely's SQLite dialect. Statements are cached: preparing one
 * takes longer than running it.
 */
function bridge(
  file: DatabaseSync,
  onWrite: DatabaseOptions['onWrite'],
  onClose: () => void,
): SqliteDatabase {
  const path = file.location() ?? 'the database in memory';
  const statements = new LRUCache<string, SqliteStatement>({ max: mostStatements });
  const prepare = (sql: string): SqliteStatement => {
    // A transaction that reads before it writes would fail if the command wrote in between.
    const statement = file.prepare(sql === 'begin' ? 'begin immediate' : sql);
    // Everything else counts as a write, and a transaction once more when it ends. Nothing has changed where it begins: until its first
    // write, which may take a while, what is remembered of the store is true.
    const isHarmless = /^(?:select|begin)\b/i.test(sql);
    const parameters = (values: readonly unknown[]) => {
      if (!isHarmless) onWrite(sql);
      return values as Parameters<typeof statement.all>;
    };
    return {
      reader: statement.columns().length > 0,
      all: (values) => naming(path, () => statement.all(...parameters(values))),
      run: (values) => {
        // SQLite rolls back by itself where the disk is full: the error to report is that one, and not the second rollback's.
        if (sql === 'rollback' && !file.isTransaction) return nothingDone;
        return naming(path, () => statement.run(...parameters(values)));
      },
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

/** Adds the file's name to an error of the file itself; other errors pass unchanged. */
export function naming<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { fault, message } = databaseError(path, error);
    if (error instanceof Error && fault !== 'other') error.message = message;
    throw error;
  }
}
