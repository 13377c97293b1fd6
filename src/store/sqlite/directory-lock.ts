import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makePrivate } from '../../config/own-files.ts';
import { openSqlite } from './sqlite-file.ts';

/** Held until it is released, or the process ends for any reason. */
export interface DirectoryLock {
  release(): void;
}

/** Another process has the directory to itself, or left it half restored. */
export class DirectoryBusyError extends Error {
  override readonly name = 'DirectoryBusyError';
}

/** The locked file below the configuration directory. SQLite takes the locks; the file stays empty. */
const lockFile = 'postern.lock';

/** The plan of an unfinished restore, below the configuration directory. While it exists, the files are incomplete. */
export const pendingRestore = 'restore.pending';

// A restore replaces the files in some milliseconds.
const timeoutMs = 5_000;

/**
 * Blocks a restore while the directory is in use. Where no file can be locked (read-only or full disk), it continues without.
 * @throws DirectoryBusyError while a restore replaces the files, and after one was interrupted
 */
export function shareDirectory(directory: string): DirectoryLock {
  const key = resolve(directory);
  const held = shared.get(key);
  if (held !== undefined) return shareAgain(key, held);
  const lock = take(directory, 'shared');
  if (lock === 'busy')
    throw new DirectoryBusyError(`a restore is under way in ${directory}: start again when it is done`);
  if (existsSync(join(directory, pendingRestore))) {
    lock?.release();
    throw new DirectoryBusyError(`a restore was cut off in ${directory}: run "postern restore" to finish it`);
  }
  const first = { users: 0, lock };
  shared.set(key, first);
  return shareAgain(key, first);
}

interface Shared {
  users: number;
  readonly lock: DirectoryLock | undefined;
}

// One lock for all databases of a directory: POSIX releases all locks of a process on a file once any handle is closed.
const shared = new Map<string, Shared>();

function shareAgain(key: string, held: Shared): DirectoryLock {
  held.users += 1;
  let isHeld = true;
  return {
    release: () => {
      if (isHeld) held.users -= 1;
      isHeld = false;
      if (held.users > 0) return;
      shared.delete(key);
      held.lock?.release();
    },
  };
}

/** Takes exclusive use of the directory. @throws DirectoryBusyError while another process uses it */
export function claimDirectory(directory: string): DirectoryLock {
  const lock = take(directory, 'exclusive');
  if (lock === 'busy') {
    throw new DirectoryBusyError(`${directory} is in use: stop the server and every postern command first`);
  }
  if (lock === undefined) {
    throw new Error(
      `${join(directory, lockFile)} cannot be locked: the disk is full, read-only or not yours`,
    );
  }
  return lock;
}

/** @returns `undefined` if no file can be locked */
function take(directory: string, kind: 'shared' | 'exclusive'): DirectoryLock | 'busy' | undefined {
  const path = join(directory, lockFile);
  let file: DatabaseSync | undefined;
  try {
    const readOnly = !isWritable(path);
    file = openSqlite(path, { readOnly, timeout: kind === 'shared' ? timeoutMs : 0 });
    if (kind === 'exclusive') file.exec('BEGIN EXCLUSIVE');
    // The first read takes the lock, and the open transaction keeps it.
    else file.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    const held = file;
    return { release: () => held.close() };
  } catch (error) {
    file?.close();
    return (error as { readonly errcode?: unknown }).errcode === 5 ? 'busy' : undefined;
  }
}

function isWritable(path: string): boolean {
  try {
    makePrivate(path);
    return true;
  } catch {
    return false;
  }
}
