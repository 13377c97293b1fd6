import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { giveToOwner } from '../../config/own-files.ts';
import { copyDatabase, schemaVersionOf } from '../sqlite/copy-database.ts';
import { DatabaseError } from '../sqlite/database-error.ts';
import {
  isDatabase,
  isInside,
  pathsOf,
  type FileName,
  type Installation,
  manifestName,
  type Manifest,
} from './contents.ts';
import { copyPrivately, freeName, measure, stampOf, syncDirectory, type Measured } from './files.ts';
import { readText } from '../../config/read-file.ts';

export interface MadeBackup {
  readonly path: string;
  readonly files: readonly FileName[];
  /** Files that an operator might expect and that are not in the backup. */
  readonly missing: readonly string[];
}

/**
 * Makes a backup of an installation while it runs. The directory gets its name once it is complete.
 * @param to the directory of backups
 * @param now milliseconds since the epoch
 * @param program version of the program
 * @throws DatabaseError, or the system's error; then there is no backup
 */
export async function makeBackup(
  installation: Installation,
  to: string,
  now: number,
  program: string,
): Promise<MadeBackup> {
  const paths = pathsOf(installation);
  const storeFile = paths.get('postern.db') ?? '';
  if (!existsSync(storeFile)) throw new Error(`there is no ${storeFile}: nothing was ever kept here`);
  const temporary = join(to, `.unfinished-${randomBytes(6).toString('hex')}`);
  try {
    if (!existsSync(dirname(to))) throw new Error(`${dirname(to)} is not there: make it first`);
    makeDirectory(to);
    makeDirectory(temporary);
    const missing: string[] = [];
    const files: Partial<Record<FileName, Measured>> = {};
    for (const [name, from] of paths) {
      if (!belongsInto(installation.directory, name, from)) {
        missing.push(`${from} (it is not below the configuration directory)`);
        continue;
      }
      if (!existsSync(from)) continue;
      try {
        files[name] = await add(name, from, join(temporary, name));
      } catch (error) {
        if (name !== 'activity.db' || !(error instanceof DatabaseError) || error.fault !== 'damaged')
          throw error;
        missing.push(error.message);
      }
    }
    const manifest: Manifest = {
      format: 1,
      program,
      made_at: new Date(now).toISOString(),
      schemas: {
        'postern.db': schemaVersionOf(join(temporary, 'postern.db')),
        ...(files['activity.db'] && { 'activity.db': schemaVersionOf(join(temporary, 'activity.db')) }),
      },
      files,
    };
    writeFileSync(join(temporary, manifestName), `${JSON.stringify(manifest, undefined, 2)}\n`, {
      mode: 0o600,
      flush: true,
    });
    giveToOwner(to, join(temporary, manifestName));
    syncDirectory(temporary);
    const path = giveName(temporary, to, `postern-${stampOf(now)}`);
    syncDirectory(to);
    return { path, files: Object.keys(files) as FileName[], missing: [...missing, ...elsewhere(paths)] };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/**
 * Renames a directory to the first free name. If another backup takes that name at the same moment, the system refuses, and the
 * next name is tried.
 */
function giveName(temporary: string, to: string, wanted: string): string {
  for (;;) {
    const path = join(to, freeName(to, wanted));
    try {
      renameSync(temporary, path);
      return path;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
}

function isTaken(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOTEMPTY' || code === 'EEXIST';
}

function makeDirectory(path: string): void {
  const made = mkdirSync(path, { mode: 0o700, recursive: true });
  if (made !== undefined) giveToOwner(dirname(path), path);
}

/** Keys of certificates that other programs manage stay with those programs; the list of headers is no secret. */
function belongsInto(directory: string, name: FileName, path: string): boolean {
  return name === 'proxy_trusted_headers.conf' || isInside(directory, path);
}

async function add(name: FileName, from: string, to: string): Promise<Measured> {
  if (!isDatabase(name)) return copyPrivately(from, to, 'followed');
  await copyDatabase(from, to);
  return measure(to);
}

function elsewhere(paths: ReadonlyMap<FileName, string>): string[] {
  const file = paths.get('config.yml') ?? '';
  const takesVariables = existsSync(file) && /\{SERVICE_\w+\}/.test(readText(file));
  return takesVariables ? ['the variables that config.yml takes from the environment'] : [];
}
