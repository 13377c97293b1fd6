import type { DatabaseSync } from 'node:sqlite';
import { wholeSeconds } from '../../clock.ts';
import { newName } from '../engine.ts';
import { fatesOfTables } from '../fates.ts';
import { columnsOf, texts } from './query.ts';
import { mergePeople } from './merge-people.ts';

export interface Keeping {
  /** Sessions of the backup stay valid, including those that ended since. */
  readonly keepSessions: boolean;
  /** API tokens and screens of the backup stay valid, including those that ended since. */
  readonly keepTokens: boolean;
  /** The same for shares. */
  readonly keepShares: boolean;
}

const options = { keepTokens: '--keep-tokens', keepShares: '--keep-shares' } as const;

/** The outcome of a merge. */
export interface Merged {
  /** Whether the accounts here are later ones of the same installation: then it is known what ended since the backup. */
  readonly isSameInstallation: boolean;
  /** What the restore changes, and what it leaves as it is here, one line each. */
  readonly lines: readonly string[];
}

/**
 * Makes a backup's accounts those of a restore, by the list of fates: what ended since the backup stays ended.
 * @param file the accounts of the backup, with the current schema. A database `now` with the present accounts may be attached; it
 * is changed too
 * @param now milliseconds since the epoch
 */
export function mergeAccounts(file: DatabaseSync, hasPresent: boolean, keep: Keeping, now: number): Merged {
  // Rows of users and tokens that are gone are removed at the end.
  file.exec('PRAGMA foreign_keys = OFF; BEGIN');
  const people = hasPresent ? mergePeople(file) : undefined;
  const isSameInstallation = people !== undefined;
  const lines = [...(people ?? [])];
  for (const [table, { restore, user }] of fatesOfTables) {
    if (columnsOf(file, 'main', table).length === 0) continue;
    const isHere = isSameInstallation && columnsOf(file, 'now', table).length > 0;
    const shared = isHere
      ? columnsOf(file, 'main', table).filter((column) => columnsOf(file, 'now', table).includes(column))
      : [];
    const copy = (where = 'TRUE') =>
      file.exec(
        `INSERT OR REPLACE INTO main."${table}" (${shared.join()})
          SELECT ${shared.join()} FROM now."${table}" WHERE ${where}`,
      );
    if (restore === 'none' || (restore === 'session' && !keep.keepSessions))
      file.exec(`DELETE FROM main."${table}"`);
    else if (typeof restore === 'object') {
      const { key, later, called, keptBy } = restore;
      const isEnded = isHere ? `"${key}" NOT IN (SELECT "${key}" FROM now."${table}")` : 'TRUE';
      if (keptBy === undefined || !keep[keptBy]) {
        const option = keptBy && ` (${options[keptBy]} keeps it)`;
        for (const name of texts(file, `SELECT ${called} FROM main."${table}" WHERE ${isEnded} ORDER BY 1`))
          lines.push(
            isHere
              ? `the ${name} stays ended${option ?? ''}`
              : `the ${name} is left out, because it may have ended since${option ?? ''}`,
          );
        file.exec(`DELETE FROM main."${table}" WHERE ${isEnded}`);
      }
      if (!isHere) continue;
      const isLater = `"${key}" NOT IN (SELECT "${key}" FROM main."${table}")`;
      for (const name of texts(file, `SELECT ${called} FROM now."${table}" WHERE ${isLater} ORDER BY 1`))
        lines.push(`the ${name} will be deleted: it was made after the backup`);
      const isOlder =
        later === undefined
          ? ''
          : ` AND "${key}" NOT IN (SELECT t."${key}" FROM main."${table}" t JOIN now."${table}" n USING ("${key}")
              WHERE t."${later}" > n."${later}")`;
      copy(`NOT ${isLater}${isOlder}`);
    } else if (isHere && restore === 'now') {
      file.exec(`DELETE FROM main."${table}"`);
      copy();
    } else if (isHere && restore === 'either') copy();
    else if (isHere && restore === 'person' && table !== 'users') {
      file.exec(`DELETE FROM main."${table}" WHERE "${user}" IN (SELECT username FROM now.users)`);
      copy();
    }
  }
  if (!keep.keepSessions)
    file
      .prepare(`UPDATE main.users SET session_generation = ${newName.sqlite}, sessions_not_before = ?`)
      .run(wholeSeconds(now));
  removeOrphans(file);
  file.exec('COMMIT');
  return { isSameInstallation, lines };
}

/** Deletes rows that refer to rows that are gone, and then those that referred to them. */
function removeOrphans(file: DatabaseSync): void {
  for (;;) {
    const orphans = file.prepare('PRAGMA main.foreign_key_check').all();
    if (orphans.length === 0) return;
    for (const { table, rowid } of orphans)
      file.prepare(`DELETE FROM main."${String(table)}" WHERE rowid = ?`).run(Number(rowid));
  }
}
