import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { activityPath, openActivity, openStore, storePath } from '../../../../src/store/sqlite/open-store.ts';
import { createCheckpoints } from '../../../../src/store/sqlite/checkpoint.ts';
import { temporaryDirectory } from '../temporary-store.ts';

afterEach(() => void vi.useRealTimers());

/** A database with its log, and what its file alone holds. */
function database() {
  const directory = temporaryDirectory();
  const path = join(directory, 'a.db');
  const file = new DatabaseSync(path);
  onTestFinished(() => file.close());
  file.exec('PRAGMA journal_mode = WAL; CREATE TABLE rows (n INTEGER)');
  return {
    path,
    file,
    write: () => file.exec('INSERT INTO rows VALUES (1)'),
    inFile: () => rowsOfCopy(path, 'rows'),
  };
}

function rowsOfCopy(path: string, table: string): number | undefined {
  copyFileSync(path, `${path}.copy`);
  const copy = new DatabaseSync(`${path}.copy`);
  try {
    return Number(copy.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']);
  } catch {
    return undefined;
  } finally {
    copy.close();
  }
}

test('a log that stays the same between two looks is copied', () => {
  const { path, file, write, inFile } = database();
  const look = createCheckpoints(file, path, () => 0);
  write();
  look();
  expect(inFile()).toBeUndefined();
  look();
  expect(inFile()).toBe(1);
  write();
  look();
  expect(inFile()).toBe(1);
  look();
  expect(inFile()).toBe(2);
});

test('a log that is never idle is copied once an hour', () => {
  const { path, file, write, inFile } = database();
  let now = 0;
  const look = createCheckpoints(file, path, () => now);
  for (now = 0; now < 3_600_000; now += 600_000) {
    write();
    look();
    expect(inFile()).toBeUndefined();
  }
  write();
  look();
  expect(inFile()).toBe(7);
});

test('what another process writes counts, and a reader only delays it', () => {
  const { path, file, write, inFile } = database();
  const look = createCheckpoints(file, path, () => 0);
  const other = new DatabaseSync(path);
  onTestFinished(() => other.close());
  write();
  other.exec('BEGIN');
  other.prepare('SELECT count(*) FROM rows').get();
  write();
  look();
  look();
  other.exec('COMMIT');
  look();
  expect(inFile()).toBe(2);
  other.exec('INSERT INTO rows VALUES (1)');
  look();
  look();
  expect(inFile()).toBe(3);
});

test('both databases of the gate are whole without their logs when they are idle', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const directory = temporaryDirectory();
  const store = await openStore(storePath(directory), 100);
  const activity = await openActivity(activityPath(directory), 100);
  onTestFinished(async () => {
    await store.destroy();
    await activity.destroy();
  });
  expect([
    rowsOfCopy(storePath(directory), 'users'),
    rowsOfCopy(activityPath(directory), 'audit_records'),
  ]).toEqual([undefined, undefined]);
  vi.advanceTimersByTime(30_000);
  expect([
    rowsOfCopy(storePath(directory), 'users'),
    rowsOfCopy(activityPath(directory), 'audit_records'),
  ]).toEqual([0, 0]);
});
