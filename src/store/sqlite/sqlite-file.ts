import { DatabaseSync } from 'node:sqlite';

export type SqliteFile = DatabaseSync;

/**
 * Opens a SQLite file that belongs to another program, for reading only.
 * @param lockTimeout milliseconds to wait for the other program's lock; the thread waits, so keep it short
 * @throws when the file is missing or cannot be opened
 */
export function openReadOnly(path: string, lockTimeout: number): SqliteFile {
  const file = new DatabaseSync(path, { readOnly: true, timeout: lockTimeout, allowExtension: false });
  file.exec('PRAGMA trusted_schema = OFF');
  return file;
}

/** @returns an empty database that ends with its last reference */
export function openInMemory(): SqliteFile {
  return new DatabaseSync(':memory:');
}
