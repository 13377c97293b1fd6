import type { DatabaseSync } from 'node:sqlite';
import { wholeSeconds } from '../../clock.ts';
import { newName } from '../engine.ts';
import { fatesOfTables } from '../fates.ts';

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
  /** Whether the accounts here are later ones of the same installation: then the merge knows what ended since the backup. */
  readonly isSameInstallation: boolean;
  /** One line for each change that the restore makes, and for each difference that it leaves. */
  readonly lines: readonly string[];
  /** Roles that users keep, because they had wider ones at the backup. */
  readonly keptRoles: readonly string[];
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
  const lines = [...(people?.lines ?? [])];
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
  return { isSameInstallation, lines, keptRoles: people?.keptRoles ?? [] };
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

/** How a person signs in, and whether they may: for those who are in both, it stays as it is here. */
const ownColumns = [
  'user_id',
  'password_hash',
  'generated_password_unused',
  'password_generated',
  'blocked',
  'email',
  'last_login_at',
  'invited_by',
];

/** The surest sign first. Users of an earlier schema got their ids only in the upgrade. */
const samePerson = [
  'n.user_id = t.user_id',
  "rtrim(n.issuer, '/') = rtrim(t.issuer, '/') AND n.subject = t.subject",
  'n.username = t.username AND n.created_at = t.created_at',
];

/** Greater gives access to more. */
const rank = (role: string) => `(CASE ${role} WHEN 'admin' THEN 2 WHEN 'viewer' THEN 1 ELSE 0 END)`;

/**
 * Makes the users of a backup, in `main`, those of a restore; `now` gets the names that the backup uses, and loses everyone else.
 * Someone who was removed since the backup comes back blocked, so that a user who was removed by mistake is not lost.
 * @returns lines for the summary and the roles that users keep, or `undefined` if no one is in both: then `now` is another installation
 */
function mergePeople(file: DatabaseSync): Pick<Merged, 'lines' | 'keptRoles'> | undefined {
  file.exec('CREATE TEMP TABLE people (name TEXT UNIQUE, here TEXT UNIQUE)');
  for (const isSame of samePerson)
    file.exec(
      `INSERT OR IGNORE INTO people SELECT t.username, n.username FROM main.users t JOIN now.users n ON ${isSame}`,
    );
  if (texts(file, 'SELECT name FROM people').length === 0) return undefined;
  const lines = [
    ...texts(
      file,
      `SELECT username || ' was removed since the backup and comes back blocked: postern users unblock ' || username
        FROM main.users WHERE username NOT IN (SELECT name FROM people) ORDER BY username`,
    ),
    ...texts(
      file,
      `SELECT username || ' will be deleted: this user was added after the backup'
        FROM now.users WHERE username NOT IN (SELECT here FROM people) ORDER BY username`,
    ),
    ...texts(
      file,
      `SELECT here || ' is called ' || name || ' again' FROM people WHERE here <> name ORDER BY name`,
    ),
  ];
  file.exec("UPDATE main.users SET blocked = 'admin' WHERE username NOT IN (SELECT name FROM people)");
  useNamesOfBackup(file);
  lines.push(...differences(file));
  const keptRoles = texts(
    file,
    `SELECT DISTINCT n.role FROM main.users t JOIN now.users n USING (username)
      WHERE ${rank('n.role')} < ${rank('t.role')} ORDER BY 1`,
  );
  file.exec(`
    UPDATE main.users AS t SET (${ownColumns.join()}) =
        (SELECT ${ownColumns.join()} FROM now.users n WHERE n.username = t.username)
      WHERE username IN (SELECT username FROM now.users);
    UPDATE main.users AS t SET (role, role_reason) =
        (SELECT role, role_reason FROM now.users n WHERE n.username = t.username)
      WHERE EXISTS (SELECT 1 FROM now.users n WHERE n.username = t.username AND ${rank('n.role')} < ${rank('t.role')})`);
  if (texts(file, "SELECT 1 FROM main.users WHERE role = 'admin' AND blocked IS NULL").length === 0)
    lines.push('no admin can sign in: let one in with postern users unblock');
  return { lines, keptRoles };
}

/** Renames in two steps, through names that no one has, because people may have swapped theirs. */
function useNamesOfBackup(file: DatabaseSync): void {
  const columns = fatesOfTables.flatMap(([table, { user }]) =>
    user !== undefined && columnsOf(file, 'now', table).includes(user) ? [{ table, user }] : [],
  );
  // Comparable forms belong to the names.
  file.exec('UPDATE now.users SET folded_name = NULL');
  for (const { table, user } of columns)
    file.exec(`
      DELETE FROM now."${table}" WHERE "${user}" NOT IN (SELECT here FROM people);
      UPDATE now."${table}" SET "${user}" = '/' || "${user}"`);
  for (const { table, user } of columns)
    file.exec(`UPDATE now."${table}" SET "${user}" =
      (SELECT name FROM people WHERE '/' || here = "${user}") WHERE "${user}" IS NOT NULL`);
  file.exec('UPDATE now.shares SET username = account WHERE account IS NOT NULL');
}

function differences(file: DatabaseSync): readonly string[] {
  const whose = (said: string, where: string) =>
    texts(
      file,
      `SELECT username || ' ' || ${said} FROM
        (SELECT username, t.role AS then_role, n.role AS now_role, ${rank('t.role')} AS then_rank, ${rank('n.role')} AS now_rank,
          t.blocked AS then_blocked, n.blocked AS now_blocked, t.email IS NOT n.email AS is_moved,
          t.password_hash <> n.password_hash AS has_password
          FROM main.users t JOIN now.users n USING (username)) t
        WHERE ${where} ORDER BY username`,
    );
  return [
    ...whose("'stays ' || now_role || ', and is ' || then_role || ' in the backup'", 'now_rank < then_rank'),
    ...whose(
      "'is ' || then_role || ' again, and is ' || now_role || ' now'",
      'now_role <> then_role AND now_rank >= then_rank',
    ),
    ...whose("'stays blocked'", 'now_blocked IS NOT NULL AND then_blocked IS NULL'),
    ...whose("'stays unblocked'", 'now_blocked IS NULL AND then_blocked IS NOT NULL'),
    ...whose("'keeps the present password'", 'has_password'),
    ...whose("'keeps the present address for alerts'", 'is_moved'),
    ...whose("'keeps the present passkeys'", differs('passkeys', 'credential_id')),
    ...whose("'keeps the present one-time codes'", differs('one_time_codes', 'created_at')),
    ...whose("'keeps the present recovery codes'", differs('recovery_codes', 'code_hash')),
  ];
}

function differs(table: string, key: string): string {
  const of = (schema: string) =>
    `(SELECT group_concat(k) FROM (SELECT "${key}" AS k FROM ${schema}."${table}" WHERE username = t.username ORDER BY 1))`;
  return `${of('main')} IS NOT ${of('now')}`;
}

/** @returns the names of a table's columns; none: there is no such table */
export function columnsOf(file: DatabaseSync, schema: 'main' | 'now', table: string): readonly string[] {
  return texts(file, `SELECT name FROM pragma_table_info('${table}', '${schema}')`);
}

/** @returns the first column of each row */
function texts(file: DatabaseSync, sql: string): readonly string[] {
  return file
    .prepare(sql)
    .all()
    .map((row) => String(Object.values(row)[0]));
}
