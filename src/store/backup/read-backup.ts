import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accounts } from '../accounts-migrations.ts';
import { activity } from '../activity-migrations.ts';
import { requireIntact, schemaVersionOf } from '../sqlite/copy-database.ts';
import { isDatabase, type FileName } from './contents.ts';
import { measure, type Measured } from './files.ts';
import { manifestName, parseManifest, type Manifest } from './manifest.ts';

/** A backup that passed all checks. */
export interface Backup {
  readonly path: string;
  readonly manifest: Manifest;
  readonly files: ReadonlyMap<FileName, Measured>;
}

// Our manifests are a few kilobytes.
const largestManifest = 65_536;

const knownSchemas = { 'postern.db': accounts.steps.length, 'activity.db': activity.steps.length };

/**
 * Checks a whole backup without changing it: the manifest; that each file exists, is no link and has its checksum; and that the
 * databases are intact and not from a later program.
 * @throws Error with what is wrong
 */
export async function readBackup(path: string): Promise<Backup> {
  requireKind(path, 'isDirectory', 'is no directory');
  const manifestFile = join(path, manifestName);
  requireKind(manifestFile, 'isFile', 'is no file', 'is not there: give the directory of one backup');
  if (lstatSync(manifestFile).size > largestManifest) throw new Error(`${manifestFile} is too long`);
  const manifest = parseManifest(readFileSync(manifestFile, 'utf8'));
  if (manifest === undefined) {
    throw new Error(`${manifestFile} is no manifest that this program knows: it may be of a later one`);
  }
  const files = new Map(Object.entries(manifest.files) as Array<[FileName, Measured]>);
  if (!files.has('postern.db')) throw new Error(`${manifestFile} has no postern.db`);
  for (const [name, expected] of files) await requireFile(join(path, name), expected);
  for (const name of files.keys()) if (isDatabase(name)) requireDatabase(join(path, name), name);
  return { path, manifest, files };
}

function requireDatabase(file: string, name: 'postern.db' | 'activity.db'): void {
  requireIntact(file);
  const [found, known] = [schemaVersionOf(file), knownSchemas[name]];
  if (!(found >= 1 && found <= known)) {
    throw new Error(
      `${file} has schema version ${found}, this program knows ${known}: use the newer program`,
    );
  }
}

async function requireFile(file: string, expected: Measured): Promise<void> {
  requireKind(file, 'isFile', 'is no file');
  requireSame(file, await measure(file), expected);
}

/** @throws Error when a file does not match the manifest */
export function requireSame(file: string, found: Measured, expected: Measured): void {
  if (found.size !== expected.size || found.sha256 !== expected.sha256) {
    throw new Error(`${file} is not what it was when the backup was made`);
  }
}

function requireKind(
  path: string,
  kind: 'isFile' | 'isDirectory',
  otherwise: string,
  absent = 'is not there',
): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new Error(`${path} ${absent}`);
  if (!found[kind]()) throw new Error(`${path} ${otherwise}`);
}
