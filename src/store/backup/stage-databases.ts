import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { accounts } from '../accounts-migrations.ts';
import { activity } from '../activity-migrations.ts';
import { fatesOfTables } from '../fates.ts';
import { copyDatabase } from '../sqlite/copy-database.ts';
import { databaseError, DatabaseError } from '../sqlite/database-error.ts';
import { upgradeFile } from '../sqlite/open-database.ts';
import { mergeAccounts, type Keeping, type Merged } from './merge.ts';
import { columnsOf } from './query.ts';

const presentName = 'present.db';

/**
 * Merges the staged accounts of a backup with the present ones.
 * @param present path of the present accounts; they are only read
 */
export async function stageAccounts(
  staging: string,
  present: string | undefined,
  keep: Keeping,
  now: number,
): Promise<Merged> {
  const staged = join(staging, 'postern.db');
  await upgradeFile(staged, accounts);
  const copy = join(staging, presentName);
  const state = present === undefined ? 'unreadable' : await copyPresent(present, copy);
  if (state !== 'unreadable') {
    try {
      return using(staged, (file) => {
        file.prepare('ATTACH ? AS now').run(copy);
        return mergeAccounts(file, true, keep, now);
      });
    } catch (error) {
      // A later program may have moved what is compared: then it counts as unknown.
      if (state === 'current') throw error;
    }
  }
  return using(staged, (file) => mergeAccounts(file, false, keep, now));
}

/** The same for the activity database: nothing in it is compared. */
export async function stageActivity(staging: string): Promise<void> {
  const staged = join(staging, 'activity.db');
  await upgradeFile(staged, activity);
  using(staged, (file) => {
    for (const [table, { restore }] of fatesOfTables)
      if (restore === 'none' && columnsOf(file, 'main', table).length > 0)
        file.exec(`DELETE FROM "${table}"`);
  });
}

async function copyPresent(from: string, to: string): Promise<'current' | 'newer' | 'unreadable'> {
  if (!existsSync(from)) return 'unreadable';
  const isDamaged = (error: unknown) => error instanceof DatabaseError && error.fault === 'damaged';
  try {
    await copyDatabase(from, to);
  } catch (error) {
    if (isDamaged(error)) return 'unreadable';
    throw error;
  }
  try {
    await upgradeFile(to, accounts);
    return 'current';
  } catch (error) {
    return error instanceof DatabaseError && error.fault === 'newer' ? 'newer' : 'unreadable';
  }
}

function using<T>(path: string, work: (file: DatabaseSync) => T): T {
  const file = new DatabaseSync(path);
  try {
    return work(file);
  } catch (cause) {
    throw databaseError(path, cause);
  } finally {
    file.close();
  }
}
