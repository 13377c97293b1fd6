import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { givenSecret, readSecretFile, secretFile, type Environment } from '../../config/environment.ts';
import { ConfigurationError } from '../../config/problem.ts';
import { ownJwtSecretFile, giveToOwner } from '../../config/own-files.ts';
import { readJson } from '../../policy/json.ts';
import { readText } from '../../config/read-file.ts';
import { wholeSecret, type GivenSecret } from '../../config/whole-secret.ts';

export interface JwtSecret extends GivenSecret {
  readonly isNew: boolean;
}

const name = 'SERVICE_JWT_SECRET';
const recommendedLength = 64;

/** Below this, a program can try every secret until a token of a user fits. */
const guessableLength = 16;

/** @returns what to say about the length of a secret, and how loudly; undefined when it is long enough */
export function jwtSecretWarning({
  secret,
}: Pick<JwtSecret, 'secret'>): { readonly level: 'warn' | 'error'; readonly text: string } | undefined {
  if (secret.length >= recommendedLength) return undefined;
  const advice = `at least ${recommendedLength} characters are recommended`;
  return secret.length < guessableLength
    ? {
        level: 'error',
        text: `the JWT secret is short: with fewer than ${guessableLength} characters, anyone with a session can guess it and sign in as any user; ${advice}`,
      }
    : { level: 'warn', text: `the JWT secret is short: ${advice}` };
}

/**
 * Finds the secret in the four places of the specification, in their order, or creates one.
 * @param directory the configuration directory
 * @throws ConfigurationError when the first place that has one holds one that is empty, not whole or unreadable
 */
export function findJwtSecret(environment: Environment, directory: string): JwtSecret {
  const given = givenJwtSecret(environment, directory);
  if (given !== undefined) return given;
  const { own } = filesOf(environment, directory);
  const made = makeSecret(own);
  return { secret: made.secret, source: own, isNew: made.isNew };
}

/**
 * The same for a gate that shares its store, where each process would create a different secret.
 * @throws ConfigurationError likewise, and when no secret is set
 */
export function sharedJwtSecret(...where: Parameters<typeof findJwtSecret>): JwtSecret {
  const given = givenJwtSecret(...where);
  const { own } = filesOf(...where);
  if (given !== undefined && given.source !== own) return given;
  return refuse(
    name,
    given === undefined ? 'nothing' : `only ${own}, which this gate made for itself`,
    'the same secret for every gate at store.url: in the environment, a secret file or the options file',
  );
}

/** The same, but creates none. @throws ConfigurationError likewise */
export function givenJwtSecret(environment: Environment, directory: string): JwtSecret | undefined {
  const { options, own } = filesOf(environment, directory);
  const given =
    givenSecret(environment, name) ??
    foundAt(`jwt_secret in ${options}`, readOption(options)) ??
    foundAt(own, readSecretFile(own));
  if (given === undefined) return undefined;
  return { secret: wholeSecret(given), source: given.source, isNew: false };
}

/** @returns places outside the configuration directory that hold or may hold a secret, for the operator */
export function foreignJwtSecrets(...[environment, directory]: Parameters<typeof findJwtSecret>): string[] {
  const { credentials, options } = filesOf(environment, directory);
  const files = [credentials, options].filter((file) => existsSync(file));
  return [...(environment['SERVICE_JWT_SECRET'] === undefined ? [] : [`the variable ${name}`]), ...files];
}

/** The files that may hold the secret, whether they exist or not. */
export function jwtSecretFiles(...where: Parameters<typeof findJwtSecret>): string[] {
  return Object.values(filesOf(...where));
}

function filesOf(environment: Environment, directory: string) {
  return {
    credentials: secretFile(environment, name),
    options: environment['SERVICE_OPTIONS_FILE'] || '/data/options.json',
    own: ownJwtSecretFile(directory),
  };
}

function foundAt(source: string, secret: string | undefined): GivenSecret | undefined {
  return secret === undefined ? undefined : { secret, source };
}

function readOption(path: string): string | undefined {
  const text = readSecretFile(path);
  if (text === undefined) return undefined;
  const options = readJson(text);
  if (typeof options !== 'object' || options === null) return refuse(path, 'no JSON object', 'a JSON object');
  const secret = (options as { jwt_secret?: unknown }).jwt_secret;
  if (secret === undefined || secret === null) return undefined;
  return typeof secret === 'string' ? secret : refuse(`jwt_secret in ${path}`, typeof secret, 'text');
}

/** Written under another name and then linked: no one reads half a secret, and of two starts the first wins. */
function makeSecret(path: string): { readonly secret: string; readonly isNew: boolean } {
  const secret = randomBytes(64).toString('hex');
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    // Writes all of it or throws: a single write may write less.
    writeFileSync(temporary, `${secret}\n`, { flag: 'wx', mode: 0o600, flush: true });
    giveToOwner(dirname(path), temporary);
    linkSync(temporary, path);
    return { secret, isNew: true };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') {
      throw new Error(
        `${path} cannot be written (${message}): make room there, or give a secret in ${name}`,
        {
          cause: error,
        },
      );
    }
    return { secret: wholeSecret({ secret: readText(path), source: path }), isNew: false };
  } finally {
    rmSync(temporary, { force: true });
  }
}

function refuse(path: string, found: string, allowed: string): never {
  throw new ConfigurationError([{ path, found, allowed }]);
}
