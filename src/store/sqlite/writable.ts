import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { databaseError } from './database-error.ts';

// A change writes a few pages of 4 KiB to the log of the database.
const leastBytes = 65_536;

// Milliseconds.
const lockedRetry = 25;

/**
 * Asks whether a database would take a change now, without writing anything and without holding the thread up.
 * @param timeoutMs milliseconds for another program that has locked it
 * @throws DatabaseError, or the system's: EROFS on a read-only disk
 */
export async function requireWritable(file: DatabaseSync, path: string, timeoutMs: number): Promise<void> {
  await requireRoom(dirname(path));
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return takeWriteLock(file, timeoutMs);
    } catch (cause) {
      const error = databaseError(path, cause);
      if (error.fault !== 'locked' || performance.now() >= deadline) throw error;
    }
    await wait(lockedRetry);
  }
}

async function requireRoom(directory: string): Promise<void> {
  await access(directory, constants.W_OK);
  const { blocks, bavail, bsize } = await statfs(directory);
  const left = bavail * bsize;
  // Some file systems do not know their size, and say none.
  if (blocks > 0 && left < leastBytes)
    throw new Error(`the disk of ${directory} is full: ${left} bytes are left`);
}

/** Lets the lock go at once. @param lockTimeout milliseconds that statements wait otherwise */
function takeWriteLock(file: DatabaseSync, lockTimeout: number): void {
  // A write of ours, which has it.
  if (file.isTransaction) return;
  try {
    file.exec('PRAGMA busy_timeout = 0');
    // Unlike BEGIN IMMEDIATE it fails for a file that was opened for reading only.
    file.exec('DELETE FROM schema_version WHERE FALSE');
  } finally {
    file.exec(`PRAGMA busy_timeout = ${lockTimeout}`);
  }
}
