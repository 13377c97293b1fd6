import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { giveToOwner } from '../../config/own-files.ts';
import {
  fileNames,
  isDatabase,
  isInside,
  pathsOf,
  type FileName,
  type Installation,
  readBackup,
  requireSame,
  type Backup,
} from './contents.ts';
import { copyPrivately, freeName, measure, stampOf, type Measured } from './files.ts';
import { type Keeping, mergeAccounts, type Merged, columnsOf } from './merge.ts';
import { beginStaging, carryOut, commitTo, dropStaging, type Plan } from './replacement.ts';
import { accounts } from '../accounts-migrations.ts';
import { activity } from '../activity-schema.ts';
import { fatesOfTables } from '../fates.ts';
import { copyDatabase } from '../sqlite/copy-database.ts';
import { databaseError, DatabaseError } from '../sqlite/database-error.ts';
import { upgradeFile } from '../sqlite/open-database.ts';
import { openSqlite } from '../sqlite/sqlite-file.ts';

/** The effects of a restore whose files are staged. */
export interface Outlook {
  readonly backup: Backup;
  /** Paths below the configuration directory that are replaced or created. */
  readonly targets: ReadonlyMap<FileName, string>;
  /** Files of the backup that belong elsewhere, where a different file exists. */
  readonly leftOut: readonly FileName[];
  /** One line for each difference, and for each thing that stays as it is here. */
  readonly changes: readonly string[];
}

interface RestoreOptions {
  readonly keep: Keeping;
  /** Reads from a configuration file where the certificate is. */
  readonly tlsFilesOf: (configFile: string) => Installation['tlsFiles'];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /**
   * Keeps roles that users keep, in the staged config.yml.
   * @param roles as they are in the present one
   * @returns lines for the summary
   */
  readonly keepRoles: (
    files: { readonly present: string; readonly staging: string },
    roles: readonly string[],
  ) => Promise<readonly string[]>;
}

/**
 * Checks a backup and stages what a restore puts in place; nothing else is changed. The caller has claimed the directory, and calls
 * `restore` or `dropStaging`.
 * @throws Error with what is wrong with the backup; then nothing is staged
 */
export async function considerRestore(
  installation: Installation,
  path: string,
  { keep, tlsFilesOf, now, keepRoles }: RestoreOptions,
): Promise<Outlook> {
  const backup = await readBackup(resolve(path));
  const { directory } = installation;
  const configFile = join(backup.path, 'config.yml');
  const tlsFiles = backup.files.has('config.yml') ? tlsFilesOf(configFile) : installation.tlsFiles;
  const paths = pathsOf({ ...installation, tlsFiles });
  const present = [...backup.files.keys()];
  const fits = (name: FileName) => {
    const target = paths.get(name);
    return target !== undefined && isInside(directory, target);
  };
  const targets = new Map(
    present
      .filter(fits)
      .map((name) => [name, relative(resolve(directory), resolve(paths.get(name) ?? ''))] as const),
  );
  const leftOut: FileName[] = [];
  for (const name of present) {
    if (!fits(name) && !(await isSame(paths.get(name), backup.files.get(name)))) leftOut.push(name);
  }
  const staging = beginStaging(directory);
  try {
    for (const name of targets.keys()) {
      const staged = join(staging, name);
      const measured = await copyPrivately(join(backup.path, name), staged, 'refused');
      const expected = backup.files.get(name);
      if (expected !== undefined) requireSame(staged, measured, expected);
      giveToOwner(directory, staged);
    }
    const { isSameInstallation, lines, keptRoles } = await stageAccounts(
      staging,
      paths.get('postern.db'),
      keep,
      now,
    );
    if (targets.has('activity.db')) await stageActivity(staging);
    const changes = [...lines];
    const isOther = async (name: FileName) =>
      targets.has(name) &&
      existsSync(paths.get(name) ?? '') &&
      !(await isSame(paths.get(name), backup.files.get(name)));
    if (await isOther('config.yml'))
      changes.push(
        'config.yml is another one in the backup: check its roles, camera groups and settings',
        ...(await keepRoles({ present: paths.get('config.yml') ?? '', staging }, keptRoles)),
      );
    // A secret that was replaced since has ended; what is kept of the present accounts is sealed with the present one.
    if (isSameInstallation && !keep.keepSessions && (await isOther('.jwt_secret'))) {
      targets.delete('.jwt_secret');
      changes.push('.jwt_secret stays the present one: it was replaced after the backup');
    }
    return { backup, targets, leftOut, changes };
  } catch (error) {
    dropStaging(directory);
    throw error;
  }
}

/**
 * Puts what is staged in place, all or none.
 * @param now milliseconds since the epoch
 * @returns where the replaced files are now; the directory does not exist if nothing was replaced
 */
export function restore(directory: string, { backup, targets }: Outlook, now: number): string {
  try {
    const kept = freeName(directory, `before-restore-${stampOf(now)}`);
    const plan: Plan = {
      source: backup.path,
      kept,
      replacements: fileNames.flatMap((name) => replacementsOf(name, targets.get(name))),
    };
    commitTo(directory, plan);
    carryOut(directory, plan);
    return join(directory, kept);
  } catch (error) {
    dropStaging(directory);
    throw error;
  }
}

/** The file in use may be a link, as in the container image. One that is missing or can't be read is another file. */
async function isSame(path: string | undefined, expected: Measured | undefined): Promise<boolean> {
  if (path === undefined) return false;
  const found = await measure(path, 'followed').catch(() => undefined);
  return found !== undefined && found.sha256 === expected?.sha256;
}

/** The log of a database is replaced with it; SQLite would apply it to the new one. */
function replacementsOf(name: FileName, target: string | undefined): Plan['replacements'] {
  if (target === undefined) return [];
  const logs = isDatabase(name) ? [{ target: `${target}-wal` }, { target: `${target}-shm` }] : [];
  return [...logs, { staged: name, target }];
}

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

/** Prepares the activity database in the same way, without comparing anything. */
async function stageActivity(staging: string): Promise<void> {
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
  const file = openSqlite(path);
  try {
    return work(file);
  } catch (cause) {
    throw databaseError(path, cause);
  } finally {
    file.close();
  }
}
