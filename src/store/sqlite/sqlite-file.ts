import { DatabaseSync } from 'node:sqlite';

export type SqliteFile = DatabaseSync;

/**
 * Opens a SQLite file that belongs to another program, for reading only.
 * @param lockTimeout milliseconds to wait for the other program's lock; everything else waits with us, so keep it short
 * @throws when there is no such file or it cannot be opened
 */
export function openReadOnly(path: string, lockTimeout: number): SqliteFile {
  const file = new DatabaseSync(path, { readOnly: true, timeout: lockTimeout, allowExtension: false });
  file.exec('PRAGMA trusted_schema = OFF');
  return file;
}
