import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { databaseError } from './database-error.ts';
import { naming } from './open-database.ts';

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
export async function requireWritable(file: DatabaseSync, path: string, timeoutMs: number): Promise<void> {
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
 * @throws the error of SQLite
 */
export async function requireUnlocked(
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
    await wait(lockedRetry);
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
