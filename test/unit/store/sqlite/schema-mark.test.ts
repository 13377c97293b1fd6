import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { accounts } from '../../../../src/store/accounts-migrations.ts';
import { requireReleased } from '../../../../src/store/sqlite/schema-mark.ts';
import { temporaryDirectory } from '../temporary-store.ts';

test('a file whose tables another program makes in the meantime is a new one', () => {
  const path = join(temporaryDirectory(), 'new.db');
  const other = new DatabaseSync(path);
  const file = new DatabaseSync(path);
  onTestFinished(() => {
    file.close();
    other.close();
  });
  other.exec('PRAGMA journal_mode = WAL');
  const { mark } = accounts;
  const prepare = file.prepare.bind(file);
  // It has read the mark by now, and not yet the tables.
  file.prepare = (sql, ...rest) => {
    if (sql.includes('sqlite_schema'))
      other.exec(
        `BEGIN; PRAGMA application_id = ${mark?.applicationId}; CREATE TABLE IF NOT EXISTS schema_version (version INTEGER); INSERT INTO schema_version VALUES (9); COMMIT`,
      );
    return prepare(sql, ...rest);
  };
  if (mark === undefined) throw new Error('no mark');
  expect(() => requireReleased(file, mark)).not.toThrow();
});
