import { join, dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { constants, existsSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { atMostEvery } from '../../telemetry/pacing.ts';
import { accounts } from '../accounts-migrations.ts';
import { activity, type ActivityTables } from '../activity-schema.ts';
import type { Change } from '../permit.ts';
import { withAlerts } from '../outbox.ts';
import type { Tables } from '../schema.ts';
import { writing, type Activity, type Store, type VersionedStore } from '../store.ts';
import { naming, openDatabase, type OpeningNotices } from './open-database.ts';
import { databaseError } from './database-error.ts';
import { openSqlite } from './sqlite-file.ts';

/** Where the accounts' database is, below the configuration directory. */
export function storePath(directory: string): string {
  return join(directory, 'postern.db');
}

/** Where the activity database is, below the configuration directory. */
export function activityPath(directory: string): string {
  return join(directory, 'activity.db');
}

/** Milliseconds between two looks for changes of other processes: a look takes as long as a decision. */
const lookEvery = 1;

/** Milliseconds that a change waits for one of another process, which may write config.yml to a slow disk. */
const changeTimeout = 1_000;

/** @see openVersionedStore */
export async function openStore(path: string, lockTimeout: number): Promise<Store> {
  return (await openVersionedStore(path, lockTimeout)).store;
}

/** Settles when all other processes have what was changed before the call. */
export async function lookedForByOthers(): Promise<void> {
  // Timers may be a millisecond early.
  await pause(lookEvery + 1);
}

/**
 * Opens the accounts' database, creates it if it is missing, and brings its schema up to date. On a read-only disk it is opened
 * for reading: logins still work, changes are `store_unavailable`. Acknowledged changes survive a kill at any moment: the log is
 * synced before a commit returns.
 * @param lockTimeout milliseconds that a statement waits for another writing process; the whole thread waits, so a server keeps it short
 * @throws DatabaseError, DirectoryBusyError
 */
export async function openVersionedStore(
  path: string,
  lockTimeout: number,
  notices?: OpeningNotices,
): Promise<VersionedStore> {
  let version = 0;
  let rolesVersion = 0;
  const onWrite = (sql: string) => {
    version += 1;
    if (writesRoles.test(sql)) rolesVersion += 1;
  };
  const onChangeElsewhere = () => {
    version += 1;
    rolesVersion += 1;
  };
  const { file, database } = await openDatabase<Tables>(path, {
    lockTimeout,
    synchronous: 'FULL',
    steps: accounts.steps,
    mark: accounts.mark,
    onWrite,
    ...(notices && { notices }),
  });
  const checkOthers = atMostEvery(lookEvery, changesOfOthers(file, onChangeElsewhere));
  const change: Change = (permit, work) =>
    writing(async () => {
      await requireUnlocked(file, path, changeTimeout);
      return database.transaction().execute(async (on) => {
        const permission = await permit(on);
        return withAlerts(on, permission, work);
      });
    });
  return {
    store: Object.assign(database, { change }),
    version: () => {
      checkOthers();
      return version;
    },
    rolesVersion: () => {
      checkOthers();
      return rolesVersion;
    },
    requireWritable: () => requireWritable(file, path, lockTimeout),
  };
}

/**
 * Opens the activity database in the same way. Writes survive a kill of the process; a power failure may lose the last moments,
 * because nothing waits for the disk.
 * @throws DatabaseError, DirectoryBusyError
 */
export async function openActivity(
  path: string,
  lockTimeout: number,
  notices?: OpeningNotices,
): Promise<Activity> {
  const { database } = await openDatabase<ActivityTables>(path, {
    lockTimeout,
    synchronous: 'NORMAL',
    steps: activity.steps,
    mark: activity.mark,
    onWrite: () => undefined,
    ...(notices && { notices }),
  });
  return database;
}

/** As Kysely writes the names of tables. Whoever reads waits for the transaction to end, so the statement itself is early enough. */
const writesRoles = /"(?:custom|personal)_roles"/;

/** SQLite returns another number after another connection has committed (PRAGMA data_version). */
function changesOfOthers(file: DatabaseSync, onChange: () => void): () => void {
  const statement = file.prepare('PRAGMA data_version');
  const path = file.location() ?? '';
  const read = () => naming(path, () => statement.get()?.['data_version']);
  let known = read();
  return () => {
    const found = read();
    if (found !== known) onChange();
    known = found;
  };
}

// A change writes a few pages of 4 KiB to the database's log.
const leastBytes = 65_536;

// Unlike BEGIN IMMEDIATE, it fails for a file opened for reading only.
const emptyWrite = 'DELETE FROM schema_version WHERE FALSE';

// Milliseconds.
const lockedRetry = 25;

/**
 * Checks whether a database would accept a change now, without writing or blocking the thread.
 * @param timeoutMs to wait for another program that has locked it
 * @throws DatabaseError, or the system's: EROFS on a read-only disk
 */
async function requireWritable(file: DatabaseSync, path: string, timeoutMs: number): Promise<void> {
  await requireRoom(dirname(path));
  try {
    await requireUnlocked(file, path, timeoutMs, emptyWrite);
  } catch (error) {
    throw databaseError(path, error);
  }
}

/**
 * Waits, without blocking the thread, until no other program has locked the database for writing.
 * @param statement needs the lock, and writes nothing
 * @throws SQLite's error
 */
async function requireUnlocked(
  file: DatabaseSync,
  path: string,
  timeoutMs: number,
  statement = 'BEGIN IMMEDIATE; ROLLBACK',
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return naming(path, () => takeWriteLock(file, statement));
    } catch (error) {
      if (databaseError(path, error).fault !== 'locked' || performance.now() >= deadline) throw error;
    }
    await pause(lockedRetry);
  }
}

async function requireRoom(directory: string): Promise<void> {
  await access(directory, constants.W_OK);
  const { blocks, bavail, bsize } = await statfs(directory);
  const left = bavail * bsize;
  // Some file systems do not report their size.
  if (blocks > 0 && left < leastBytes)
    throw new Error(`the disk of ${directory} is full: ${left} bytes are left`);
}

/** Releases the lock at once. Other statements wait as long as before. */
function takeWriteLock(file: DatabaseSync, statement: string): void {
  // A write of ours holds the lock already.
  if (file.isTransaction) return;
  const lockTimeout = Number(file.prepare('PRAGMA busy_timeout').get()?.['timeout']);
  try {
    file.exec('PRAGMA busy_timeout = 0');
    file.exec(statement);
  } finally {
    file.exec(`PRAGMA busy_timeout = ${lockTimeout}`);
  }
}

/**
 * Reads the users of an accounts' database without opening it for a gate: nothing is created or upgraded.
 * @returns an empty list when the file is missing or cannot be read
 */
export function readUserRoles(
  path: string,
): ReadonlyArray<{ readonly username: string; readonly role: string }> {
  const rows = readRows(path, 'SELECT username, role FROM users ORDER BY role, username');
  return rows.map(({ username, role }) => ({ username: String(username), role: String(role) }));
}

/** Reads the names of roles that an accounts' database defines, in the same way. */
export function readRoleNames(path: string): ReadonlySet<string> {
  return new Set(readRows(path, 'SELECT name FROM custom_roles').map(({ name }) => String(name)));
}

function readRows(path: string, sql: string): ReadonlyArray<Readonly<Record<string, unknown>>> {
  if (!existsSync(path)) return [];
  let file: DatabaseSync | undefined;
  try {
    file = openSqlite(path, { readOnly: true, timeout: 1_000, allowExtension: false });
    return file.prepare(sql).all();
  } catch {
    return [];
  } finally {
    file?.close();
  }
}
