import { fileURLToPath } from 'node:url';
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';
import { requireFileOrNone } from '../../config/read-file.ts';

export type SqliteFile = DatabaseSync;

/** A database and the files that SQLite looks for beside it. */
const parts = ['', '-wal', '-shm', '-journal'];

/**
 * Opens a SQLite file. A pipe or a device in place of it, or of a file beside it, is refused: SQLite would wait for its other end.
 * @throws NoFileError, or SQLite's error
 */
export function openSqlite(path: string | URL, options: DatabaseSyncOptions = {}): SqliteFile {
  const name = typeof path === 'string' ? path : fileURLToPath(path);
  for (const part of parts) requireFileOrNone(`${name}${part}`);
  return new DatabaseSync(path, options);
}

/**
 * Opens a SQLite file that belongs to another program, for reading only.
 * @param lockTimeout milliseconds to wait for the other program's lock; the thread waits, so keep it short
 * @throws when the file is missing or cannot be opened
 */
export function openReadOnly(path: string, lockTimeout: number): SqliteFile {
  const file = openSqlite(path, { readOnly: true, timeout: lockTimeout, allowExtension: false });
  file.exec('PRAGMA trusted_schema = OFF');
  return file;
}

/** @returns an empty database that ends with its last reference */
export function openInMemory(): SqliteFile {
  return new DatabaseSync(':memory:');
}
