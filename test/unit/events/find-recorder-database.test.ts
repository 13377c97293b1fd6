import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { findRecorderDatabase } from '../../../src/events/find-recorder-database.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';

test("a recorder's database is found beside config.yml, else in a usual place, and nothing else of that name", () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'frigate.db');
  expect(findRecorderDatabase(directory, [])).toBeUndefined();
  writeFileSync(path, 'no database');
  expect(findRecorderDatabase(directory, [])).toBeUndefined();
  const other = temporaryDirectory();
  mkdirSync(join(other, 'frigate.db'));
  expect(findRecorderDatabase(other, [])).toBeUndefined();

  const found = temporaryDirectory();
  const file = new DatabaseSync(join(found, 'frigate.db'));
  file.exec('CREATE TABLE user (name TEXT)');
  expect(findRecorderDatabase(found, [])).toBeUndefined();
  file.exec('CREATE TABLE event (id TEXT, camera TEXT)');
  file.close();
  const beside = join(found, 'frigate.db');
  expect(findRecorderDatabase(found, [])).toBe(beside);
  expect(findRecorderDatabase(directory, [path, beside])).toBe(beside);

  const nearer = temporaryDirectory();
  copyFileSync(beside, join(nearer, 'frigate.db'));
  expect(findRecorderDatabase(nearer, [beside])).toBe(join(nearer, 'frigate.db'));
});
