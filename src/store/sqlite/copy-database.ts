import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  openSync,
  renameSync,
  rmSync,
  existsSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { backup, type DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { giveToOwner } from '../../config/own-files.ts';
import { databaseError, type DatabaseError } from './database-error.ts';
import { openSqlite } from './sqlite-file.ts';

// All in one step: with several, another process's write would make SQLite start over.
const pagesAtOnce = 2_147_483_647;

/**
 * Copies a database as it is at one moment, even while it is written to. The copy replaces the target once it is complete and
 * checked; it is private.
 * @throws DatabaseError; then there is no copy
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const temporary = `${to}.${randomBytes(6).toString('hex')}`;
  try {
    closeSync(openSync(temporary, 'wx', 0o600));
    giveToOwner(dirname(to), temporary);
    const source = openToRead(from);
    try {
      await backup(source, temporary, { rate: pagesAtOnce });
    } catch (cause) {
      throw databaseError(isAbout(cause, 'damaged') ? from : to, cause);
    } finally {
      source.close();
    }
    requireIntact(temporary, from);
    renameSync(temporary, to);
  } catch (cause) {
    throw databaseError(to, cause);
  } finally {
    for (const left of ['', '-journal', '-wal', '-shm']) rmSync(`${temporary}${left}`, { force: true });
  }
}

// Waits for a server that is just starting or stopping.
const timeoutMs = 5_000;

export function openToRead(path: string): DatabaseSync {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EROFS') return openOnReadOnlyDisk(path);
    throw databaseError(path, error);
  }
  return openSqlite(path, { timeout: timeoutMs });
}

function isAbout(error: unknown, fault: DatabaseError['fault']): boolean {
  return databaseError('', error).fault === fault;
}

/**
 * Reads every page of a closed database; creates no file beside it.
 * @param name of the database in the error
 * @throws DatabaseError
 */
export function requireIntact(path: string, name = path): void {
  const file = openUnchanging(path);
  try {
    requireGoodPages(file, 'integrity_check');
  } catch (cause) {
    throw databaseError(name, cause);
  } finally {
    file.close();
  }
}

/** @returns the schema version of a closed database. @throws DatabaseError */
export function schemaVersionOf(path: string): number {
  const file = openUnchanging(path);
  try {
    return Number(file.prepare('SELECT version FROM schema_version').get()?.['version']);
  } catch (cause) {
    throw databaseError(path, cause);
  } finally {
    file.close();
  }
}

/** @throws SQLite's error for a damaged file */
export function requireGoodPages(file: DatabaseSync, check: 'quick_check' | 'integrity_check'): void {
  const found = Object.values(file.prepare(`PRAGMA ${check}(1)`).get() ?? {})[0];
  if (found === 'ok') return;
  const message = String(found).replace('*** in database main ***', '').replaceAll(/\s+/g, ' ').trim();
  throw Object.assign(new Error(message), { errcode: 11 });
}

/** A file that does not change and has no log: SQLite reads it without a lock, also on a read-only disk. */
function openUnchanging(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return openSqlite(url, { readOnly: true });
}

/** On a read-only disk, SQLite can open a WAL database only as immutable, without its log. */
export function openOnReadOnlyDisk(path: string): DatabaseSync {
  if (!existsSync(path)) throw new Error('it is not there, and cannot be made on a read-only disk');
  const log = `${path}-wal`;
  if (existsSync(log) && statSync(log).size > 0) {
    throw new Error(
      `${log} holds changes that cannot be read on a read-only disk: start once on a writable one`,
    );
  }
  return openUnchanging(path);
}
