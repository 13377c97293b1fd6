import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownerAdvice } from './file-owner.ts';
import { ConfigurationError } from './problem.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A secret exactly as given, perhaps empty. */
export interface GivenSecret {
  readonly secret: string;
  /** Where it was found, for messages. */
  readonly source: string;
}

/**
 * Finds a secret by name: in the environment, or else in the secret file, without the trailing line break.
 * @returns undefined when it is not set
 * @throws ConfigurationError when the file exists but cannot be read
 */
export function givenSecret(environment: Environment, name: string): GivenSecret | undefined {
  const variable = environment[name];
  if (variable !== undefined) return { secret: variable, source: `the environment variable ${name}` };
  const source = secretFile(environment, name);
  const text = readSecretFile(source);
  return text === undefined ? undefined : { secret: text.replace(/\r?\n$/, ''), source };
}

/** Where systemd and Docker put a secret of that name. The file may not exist. */
export function secretFile(environment: Environment, name: string): string {
  return join(environment['CREDENTIALS_DIRECTORY'] || '/run/secrets/', name);
}

/** @returns undefined when there is no such file. @throws ConfigurationError when it cannot be read */
export function readSecretFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new ConfigurationError([
      {
        path,
        found: `a file that cannot be read (${code})${ownerAdvice(path, 'file')}`,
        allowed: 'a readable file, or none',
      },
    ]);
  }
}
