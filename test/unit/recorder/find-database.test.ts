import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { findDatabase } from '../../../src/recorder/find-database.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';

test("a recorder's database is found beside config.yml, and nothing else of that name", () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'frigate.db');
  expect(findDatabase(directory)).toBeUndefined();
  writeFileSync(path, 'no database');
  expect(findDatabase(directory)).toBeUndefined();
  const other = temporaryDirectory();
  mkdirSync(join(other, 'frigate.db'));
  expect(findDatabase(other)).toBeUndefined();

  const found = temporaryDirectory();
  const file = new DatabaseSync(join(found, 'frigate.db'));
  file.exec('CREATE TABLE user (name TEXT)');
  expect(findDatabase(found)).toBeUndefined();
  file.exec('CREATE TABLE event (id TEXT, camera TEXT)');
  file.close();
  expect(findDatabase(found)).toBe(join(found, 'frigate.db'));
});
