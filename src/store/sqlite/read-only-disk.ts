import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** A file that does not change and has no log: SQLite reads it without a lock, also on a read-only disk. */
export function openUnchanging(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true });
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
