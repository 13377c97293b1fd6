import { existsSync, lstatSync, readdirSync, statSync, statfsSync } from 'node:fs';
import { join, basename } from 'node:path';
import { ownerAdvice } from './own-files.ts';
import type { Configuration } from './configuration.ts';
import { readApplied } from './applied-text.ts';
import { parseConfigurationDocument } from './document.ts';
import { isAccepted, lossOf } from './lost-configuration.ts';
import { lostRestrictions } from './lost-restrictions.ts';
import { ConfigurationError, type Problem } from './problem.ts';
import { readBytes } from './read-file.ts';
import { resolveConfiguration } from './resolve.ts';
import { parseTrustedHeaders } from './trusted-headers-file.ts';
import { logLevels, type Environment } from './environment.ts';
import { nearestOf } from './wrong-value.ts';

const mountedTrustedHeaders = '/usr/local/nginx/conf/proxy_trusted_headers.conf';

export interface LoadedConfiguration {
  readonly configuration: Configuration;
  readonly directory: string;
  readonly trustedHeadersFile: string;
  /** False when there is no config.yml: everything has its default. */
  readonly fileFound: boolean;
}

/**
 * Reads config.yml and the trusted-headers file from the places that the environment names.
 * @param root directory of the program, with its own files
 * @param missingSecrets for commands that need no secret but `store.url`
 * @throws ConfigurationError with all problems of both files
 */
export function loadConfiguration(
  environment: Environment,
  root: string,
  missingSecrets?: 'ignored',
): LoadedConfiguration {
  const directory = configurationDirectory(environment);
  const file = join(directory, 'config.yml');
  const problems: Problem[] = [];
  const text = collect(problems, () => readConfigurationFile(file));
  const configuration = collect(problems, () =>
    configurationReader(environment, root, file, missingSecrets)(text ?? ''),
  );
  if (configuration === undefined || problems.length > 0) throw new ConfigurationError(problems);
  const lost = warningsOfLoss(directory, text);
  const around = [
    ...(lost ?? []),
    ...warningsAround(environment, directory, text !== undefined),
    ...(configuration.store.url === undefined ? warningsOfDrive(directory) : []),
  ];
  return {
    configuration: {
      ...configuration,
      source: text,
      warnings: [...around, ...configuration.warnings],
      lost,
    },
    directory,
    trustedHeadersFile: trustedHeadersFileOf(environment, root),
    fileFound: text !== undefined,
  };
}

/** Directory of config.yml and of the program's own files. */
export function configurationDirectory(environment: Environment): string {
  return environment['SERVICE_CONFIG_DIR'] || 'config';
}

/**
 * @param file name of the text in messages
 * @returns a function that reads a text as config.yml. It throws a ConfigurationError with all problems.
 */
export function configurationReader(
  environment: Environment,
  root: string,
  file: string,
  missingSecrets?: 'ignored',
): (text: string) => Configuration {
  return (text) => {
    const problems: Problem[] = [];
    const trustedHeadersFile = trustedHeadersFileOf(environment, root);
    const trustedHeaders = collect(problems, () =>
      parseTrustedHeaders(
        readConfigurationFile(trustedHeadersFile) ?? missing(trustedHeadersFile),
        trustedHeadersFile,
      ),
    );
    const parsed = collect(problems, () => parseConfigurationDocument(text, file));
    const configuration =
      parsed &&
      collect(problems, () =>
        resolveConfiguration(parsed.document, {
          environment,
          missingSecrets,
          trustedHeaders,
          trustedHeadersFile,
          roleOrder: parsed.roleOrder,
        }),
      );
    if (configuration === undefined || problems.length > 0) throw new ConfigurationError(problems);
    return {
      ...configuration,
      source: text,
      warnings: [...(parsed?.warnings ?? []), ...configuration.warnings],
    };
  };
}

/** Collects the problems instead of throwing, so that all are reported at once. */
function collect<T>(problems: Problem[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

/** @param root directory of the program */
export function trustedHeadersFileOf(environment: Environment, root: string): string {
  return (
    environment['SERVICE_TRUSTED_HEADERS_FILE'] ||
    (existsSync(mountedTrustedHeaders) ? mountedTrustedHeaders : join(root, 'proxy_trusted_headers.conf'))
  );
}

/** @returns undefined when there is no such file */
function readConfigurationFile(path: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readBytes(path));
  } catch (error) {
    const found = faultOf(path, error);
    if (found === undefined) return undefined;
    throw new ConfigurationError([{ path, found, allowed: 'a readable text file' }]);
  }
}

/** @returns undefined when there is no such file */
function faultOf(path: string, error: unknown): string | undefined {
  if (error instanceof TypeError) return 'bytes that are not UTF-8';
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return isLink(path) ? 'a link that leads nowhere' : undefined;
  if (code === 'EISDIR')
    return 'a directory (EISDIR), as Docker makes one where it mounts a file that is missing';
  return `a file that cannot be read (${code})${ownerAdvice(path, 'file')}`;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function missing(path: string): never {
  throw new ConfigurationError([{ path, found: 'no file', allowed: 'a trusted-headers file' }]);
}

/** @returns warnings about what is around the text of config.yml: its place, its mode, and the environment */
function warningsAround(environment: Environment, directory: string, fileFound: boolean): readonly string[] {
  return [
    ...(fileFound ? warningsOfMode(join(directory, 'config.yml')) : warningsOfName(directory)),
    ...warningsOfLevel(environment['LOG_LEVEL']),
  ];
}

/** @returns what a file lost since Postern applied it: its end, limits of roles, users or groups that were refused; undefined: it is the same */
function warningsOfLoss(directory: string, text: string | undefined): readonly string[] | undefined {
  const applied = readApplied(directory);
  const [last] = applied;
  if (last === undefined || text === undefined || isAccepted(applied, text)) return undefined;
  return [...(lossOf(applied, text, 'start')?.warnings ?? []), ...lostRestrictions(last, text)];
}

/** A file beside a missing config.yml was probably meant to be it. */
function warningsOfName(directory: string): readonly string[] {
  const misnamed = filesIn(directory).find((name) => /^config\.ya?ml(?:\.txt)?$/i.test(name));
  if (misnamed === undefined) return [];
  return [`${misnamed} is not read: Postern reads config.yml only, which is missing. Rename the file`];
}

function filesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function warningsOfMode(file: string): readonly string[] {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o002) === 0) return [];
  return [
    `${basename(file)} can be changed by every user of this machine, who can become admin: chmod o-w ${file}`,
  ];
}

/** Types of network file systems, as Linux numbers them (statfs(2)). */
const networkDrives: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0x01021997, '9p'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
]);

/** SQLite needs locks that network drives may not keep. @param typeOf the file system of a directory */
export function warningsOfDrive(
  directory: string,
  typeOf = (path: string): number => statfsSync(path).type,
): readonly string[] {
  if (!existsSync(directory)) return [];
  // Some systems report the number with a sign.
  const drive = networkDrives.get(typeOf(directory) >>> 0);
  if (drive === undefined) return [];
  return [
    `${directory} is on a network drive (${drive}), where postern.db can be damaged and a start can hang: move it to a disk of this machine`,
  ];
}

function warningsOfLevel(level: string | undefined): readonly string[] {
  if (level === undefined || level === '' || logLevels.some((name) => name === level)) return [];
  const lower = level.toLowerCase();
  const meant = logLevels.find((name) => lower.startsWith(name)) ?? nearestOf(level, logLevels);
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  return [
    `LOG_LEVEL is ${JSON.stringify(level.slice(0, 32))}, and counts as info: use one of ${logLevels.join(', ')}${hint}`,
  ];
}
