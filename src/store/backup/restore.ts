import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { giveToOwner } from '../../config/file-owner.ts';
import { endInFile, readAccountsFile, type AccountsFile } from '../sqlite/accounts-file.ts';
import { fileNames, isDatabase, isInside, pathsOf, type FileName, type Installation } from './contents.ts';
import { copyPrivately, freeName, measure, stampOf, type Measured } from './files.ts';
import { readBackup, requireSame, type Backup } from './read-backup.ts';
import { beginStaging, carryOut, commitTo, dropStaging, type Plan } from './replacement.ts';

export interface RestoreOptions {
  /** Sessions of the backup stay valid, including those ended since. */
  readonly keepSessions: boolean;
  /** API tokens of the backup stay valid, including those revoked since. */
  readonly keepTokens: boolean;
}

/** What a restore would do. */
export interface Outlook {
  readonly backup: Backup;
  /** Paths below the configuration directory that are replaced or created. */
  readonly targets: ReadonlyMap<FileName, string>;
  /** Files of the backup that belong elsewhere, where a different file exists. */
  readonly leftOut: readonly FileName[];
  /** Ids of the API tokens that are not restored. */
  readonly endedTokens: ReadonlyMap<string, string>;
  /** What an administrator should review, one line each. */
  readonly changes: readonly string[];
}

/**
 * Checks a backup and returns what it would change.
 * @param tlsFilesOf reads from a configuration file where the certificate is
 * @throws Error with what is wrong with the backup
 */
export async function considerRestore(
  installation: Installation,
  path: string,
  options: RestoreOptions,
  tlsFilesOf: (configFile: string) => Installation['tlsFiles'],
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
  const then = readAccountsFile(join(backup.path, 'postern.db'));
  const now = presentAccounts(paths.get('postern.db') ?? '');
  const endedTokens = new Map<string, string>();
  if (!options.keepTokens) {
    for (const [id, { name, username }] of then.tokens) {
      if (now?.tokens.has(id) !== true) endedTokens.set(id, `"${name}" of ${username}`);
    }
  }
  return {
    backup,
    targets,
    leftOut,
    endedTokens,
    changes: now === undefined ? [] : changesOf(now, then),
  };
}

/**
 * Puts the files of a backup in place, all or none. The caller has claimed the directory.
 * @param now milliseconds since the epoch
 * @returns where the replaced files are now; the directory does not exist if nothing was replaced
 */
export async function restore(
  { directory }: Installation,
  { backup, targets, endedTokens }: Outlook,
  { keepSessions }: RestoreOptions,
  now: number,
): Promise<string> {
  const staging = beginStaging(directory);
  try {
    for (const name of targets.keys()) {
      const staged = join(staging, name);
      const measured = await copyPrivately(join(backup.path, name), staged, 'refused');
      const expected = backup.files.get(name);
      if (expected !== undefined) requireSame(staged, measured, expected);
      giveToOwner(directory, staged);
    }
    endInFile(join(staging, 'postern.db'), keepSessions ? undefined : now, endedTokens.keys());
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

async function isSame(path: string | undefined, expected: Measured | undefined): Promise<boolean> {
  if (path === undefined || !existsSync(path)) return false;
  return (await measure(path)).sha256 === expected?.sha256;
}

/** The log of a database is replaced with it; SQLite would apply it to the new one. */
function replacementsOf(name: FileName, target: string | undefined): Plan['replacements'] {
  if (target === undefined) return [];
  const logs = isDatabase(name) ? [{ target: `${target}-wal` }, { target: `${target}-shm` }] : [];
  return [...logs, { staged: name, target }];
}

/** @returns undefined when the present accounts cannot be read */
function presentAccounts(path: string): AccountsFile | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return readAccountsFile(path);
  } catch {
    return undefined;
  }
}

function changesOf(now: AccountsFile, then: AccountsFile): string[] {
  const lines: string[] = [];
  for (const [name, { role, passwordHash }] of then.users) {
    const today = now.users.get(name);
    if (today === undefined) lines.push(`${name} comes back as ${role}: there is no such user now`);
    else {
      if (today.role !== role) lines.push(`${name} is ${role} again, and is ${today.role} now`);
      if (today.passwordHash !== passwordHash) lines.push(`${name} has an earlier password again`);
    }
  }
  for (const name of now.users.keys()) if (!then.users.has(name)) lines.push(`${name} goes`);
  for (const [id, { name, username }] of now.tokens) {
    if (!then.tokens.has(id)) lines.push(`the API token "${name}" of ${username} goes`);
  }
  return lines;
}
