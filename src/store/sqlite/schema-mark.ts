import type { DatabaseSync } from 'node:sqlite';
import { ForeignSchemaError, type SchemaMark } from '../migrate.ts';

function read(file: DatabaseSync, sql: string): unknown {
  return Object.values(file.prepare(sql).get() ?? {})[0];
}

/**
 * Checks that a database was made by a release, or is new. 1.0.0 set no mark.
 * @throws ForeignSchemaError
 */
export function requireReleased(file: DatabaseSync, mark: SchemaMark): void {
  // One state of the file: another program may be making its tables.
  file.exec('BEGIN');
  try {
    requireMark(file, mark);
  } finally {
    file.exec('ROLLBACK');
  }
}

function requireMark(file: DatabaseSync, { applicationId, tableOfRelease }: SchemaMark): void {
  const found = read(file, 'PRAGMA application_id');
  if (found === applicationId) return requireVersion(file);
  if (found !== 0)
    throw new ForeignSchemaError('the file belongs to another program, or is another one of ours');
  const has = (table: string) =>
    read(file, `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '${table}'`) === 1;
  if (!has('schema_version')) return;
  const version = read(file, 'SELECT version FROM schema_version');
  if (version === undefined || (version === 1 && has(tableOfRelease))) return;
  throw new ForeignSchemaError(
    'the database is of a development version before 1.0.0, which no release reads: docs/upgrade.md has what to do',
  );
}

/** The mark and the version are written in one transaction, so a file that has only one of them has lost the other. */
function requireVersion(file: DatabaseSync): void {
  const hasTable = read(file, "SELECT count(*) FROM sqlite_schema WHERE name = 'schema_version'") === 1;
  const version = hasTable ? read(file, 'SELECT version FROM schema_version') : undefined;
  if (Number.isSafeInteger(version) && Number(version) >= 1) return;
  throw new ForeignSchemaError(
    'the database has lost its schema version: put a backup back with "postern restore"',
  );
}

/** The statement that marks a file; it takes part in a transaction. */
export function marking({ applicationId }: SchemaMark): string {
  return `PRAGMA application_id = ${applicationId}`;
}
