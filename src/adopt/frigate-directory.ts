import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { readRecorderUsers } from '../accounts/users/import-users.ts';
import { openReadOnly } from '../store/sqlite/sqlite-file.ts';
import { CannotAdopt, readFrigateFile, type FrigateFile } from './frigate-file.ts';
import { readBytes } from '../config/read-file.ts';

export interface Frigate {
  readonly directory: string;
  /** Path of its configuration, and its text. */
  readonly path: string;
  readonly text: string;
  readonly now: FrigateFile;
  /** The text before Postern, of the copy that was kept, and what it says; `text` and `now` themselves where Frigate has its own sign-in. */
  readonly original: string;
  readonly before: FrigateFile;
  readonly database: string;
  readonly users: ReturnType<typeof readRecorderUsers>;
  /** Whether it has custom roles: 0.17 and later. */
  readonly hasRoles: boolean;
  readonly notes: readonly string[];
}

const configurationNames = ['config.yml', 'config.yaml'];

/** Where the text before Postern is kept. */
export const copyOf = (path: string) => `${path}.before-postern`;

/**
 * Reads a directory that Frigate has as `/config`.
 * @param given the directory, or the configuration in it
 * @param database path of the database, where it is elsewhere
 * @throws CannotAdopt, ConfigurationError
 */
export function readFrigate(given: string, database: string | undefined): Frigate {
  const path = configurationIn(resolve(given));
  const directory = dirname(path);
  const text = readText(path);
  const now = readFrigateFile(text, path);
  const copy = copyOf(path);
  const original = now.signIn === 'postern' && existsSync(copy) ? readText(copy) : text;
  const before = original === text ? now : readFrigateFile(original, copy);
  const file = databaseOf(now, directory, database);
  const { migration, hasPasswordTimes } = inspect(file);
  return {
    directory,
    path,
    text,
    now,
    original,
    before,
    database: file,
    users: usersIn(file, migration),
    hasRoles: now.release === undefined ? hasPasswordTimes : now.release !== '0.16',
    notes: [
      ...now.notes,
      ...(isNewer(migration)
        ? [
            `${file} has the migration ${migration?.slice(0, 64)}, which is newer than Frigate 0.18 as adopt knows it: its users are read all the same`,
          ]
        : []),
    ],
  };
}

/** The last migration of Frigate 0.18, with a few to spare. */
const newestMigration = 45;

const isNewer = (migration: string | undefined) => Number.parseInt(migration ?? '', 10) > newestMigration;

function configurationIn(given: string): string {
  const status = statSync(given, { throwIfNoEntry: false });
  if (status === undefined) throw new CannotAdopt(`there is no ${given}`);
  if (!status.isDirectory()) return given;
  const found = configurationNames.map((name) => join(given, name)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  const below = configurationNames
    .map((name) => join(given, 'config', name))
    .find((path) => existsSync(path));
  throw new CannotAdopt(
    `there is no ${configurationNames.join(' or ')} in ${given}${below === undefined ? '' : `, but in ${dirname(below)}: name that`}`,
  );
}

function readText(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readBytes(path));
  } catch (error) {
    const code = error instanceof TypeError ? 'it is not UTF-8' : (error as NodeJS.ErrnoException).code;
    throw new CannotAdopt(`${path} cannot be read (${code})`, { cause: error });
  }
}

function databaseOf({ database }: FrigateFile, directory: string, given: string | undefined): string {
  if (given !== undefined) return resolve(given);
  if (database.startsWith('/config/')) return join(directory, database.slice('/config/'.length));
  if (isAbsolute(database) && existsSync(database)) return database;
  throw new CannotAdopt(
    `Frigate has its database at ${database} in its container: name it as --database, as it is called here`,
  );
}

/** Advice for the operator, by the reason why the users can't be read. */
const remedies: ReadonlyArray<readonly [reason: RegExp, remedy: string]> = [
  [/^there is no /, 'start Frigate once, or name its database as --database'],
  [/locked/, 'Frigate is writing to it: run adopt again, or stop Frigate first'],
  [/unable to open|readonly/, 'run adopt as root, or as a user who may read and write beside it'],
];

function usersIn(database: string, migration: string | undefined): Frigate['users'] {
  if (statSync(database, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new CannotAdopt(`${database} is a directory: name the database as --database`);
  try {
    return readRecorderUsers(database);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    if (isNewer(migration) && said.includes('no such'))
      throw new CannotAdopt(
        `${database} is of a newer Frigate (${migration?.slice(0, 64)}) than adopt knows, which is 0.16 to 0.18: upgrade Postern`,
        { cause: error },
      );
    const [, remedy] = remedies.find(([reason]) => reason.test(said)) ?? [];
    throw new CannotAdopt(remedy === undefined ? said : `${said}: ${remedy}`, { cause: error });
  }
}

/** Reads the signs of a release in the database. Finds none when it cannot be read, which `usersIn` reports. */
function inspect(database: string): { readonly migration?: string; readonly hasPasswordTimes: boolean } {
  if (!existsSync(database)) return { hasPasswordTimes: false };
  try {
    const file = openReadOnly(database, 5_000);
    try {
      const columns = file.prepare('PRAGMA table_info(user)').all();
      const hasPasswordTimes = columns.some(({ name }) => name === 'password_changed_at');
      const hasHistory = file.prepare("SELECT 1 FROM sqlite_master WHERE name = 'migratehistory'").get();
      if (hasHistory === undefined) return { hasPasswordTimes };
      const last = file.prepare('SELECT name FROM migratehistory ORDER BY name DESC LIMIT 1').get();
      return { hasPasswordTimes, migration: String(last?.['name'] ?? '') };
    } finally {
      file.close();
    }
  } catch {
    return { hasPasswordTimes: false };
  }
}

/** Whether two paths lead to one directory. */
export function isSameDirectory(one: string, other: string): boolean {
  return existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other);
}
