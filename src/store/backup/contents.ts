import { isAbsolute, join, relative, resolve } from 'node:path';
import * as v from 'valibot';
import { lstatSync } from 'node:fs';
import { ownJwtSecretFile, selfSignedFiles } from '../../config/own-files.ts';
import { activityPath, storePath } from '../sqlite/open-store.ts';
import { accounts } from '../accounts-migrations.ts';
import { activity } from '../activity-schema.ts';
import { requireIntact, schemaVersionOf } from '../sqlite/copy-database.ts';
import { measure, type Measured } from './files.ts';
import { readText } from '../../config/read-file.ts';

/** Everything a backup may hold, by its name there. */
export const fileNames = [
  'postern.db',
  'activity.db',
  'config.yml',
  '.jwt_secret',
  'self-signed.pem',
  'self-signed.key',
  'certificate.pem',
  'certificate.key',
  'proxy_trusted_headers.conf',
] as const;

export type FileName = (typeof fileNames)[number];

export function isDatabase(name: FileName): name is 'postern.db' | 'activity.db' {
  return name === 'postern.db' || name === 'activity.db';
}

/** Where the files of an installation are. */
export interface Installation {
  readonly directory: string;
  readonly trustedHeadersFile: string;
  /** `tls.certificate` and `tls.key`, if configured. */
  readonly tlsFiles: { readonly certificate: string; readonly key: string } | undefined;
}

/** @returns the path of each file, whether it exists or not */
export function pathsOf({
  directory,
  trustedHeadersFile,
  tlsFiles,
}: Installation): ReadonlyMap<FileName, string> {
  const selfSigned = selfSignedFiles(directory);
  const paths: Array<readonly [FileName, string]> = [
    ['postern.db', storePath(directory)],
    ['activity.db', activityPath(directory)],
    ['config.yml', join(directory, 'config.yml')],
    ['.jwt_secret', ownJwtSecretFile(directory)],
    ['self-signed.pem', selfSigned.cert],
    ['self-signed.key', selfSigned.key],
    ['proxy_trusted_headers.conf', trustedHeadersFile],
  ];
  if (tlsFiles !== undefined) {
    paths.push(['certificate.pem', tlsFiles.certificate], ['certificate.key', tlsFiles.key]);
  }
  return new Map(paths);
}

/** Compares the paths as text; links are not followed. */
export function isInside(directory: string, path: string): boolean {
  const way = relative(resolve(directory), resolve(path));
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}

export const manifestName = 'manifest.json';

const size = v.pipe(v.number(), v.integer(), v.minValue(0));
const version = v.pipe(v.number(), v.integer(), v.minValue(1));

const manifest = v.strictObject({
  /** The version of the manifest and of the contents of a backup. */
  format: v.literal(1),
  /** Version of the program that made it. */
  program: v.string(),
  made_at: v.pipe(v.string(), v.isoTimestamp()),
  /** Versions of the schemas. */
  schemas: v.strictObject({ 'postern.db': version, 'activity.db': v.optional(version) }),
  files: v.record(
    v.picklist(fileNames),
    v.strictObject({ size, sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) }),
  ),
});

/** The files of a backup, with their checksums. */
export type Manifest = v.InferOutput<typeof manifest>;

/** @returns `undefined` if the text is no manifest, has a later format, or names a file that no backup has */
function parseManifest(text: string): Manifest | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = v.safeParse(manifest, document);
  return parsed.success ? parsed.output : undefined;
}

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
  const manifest = parseManifest(readText(manifestFile));
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
