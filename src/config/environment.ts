import { join } from 'node:path';
import { ownerAdvice } from './own-files.ts';
import { ConfigurationError, type Findings } from './problem.ts';
import { readText } from './read-file.ts';
import { secretFault, type GivenSecret } from './whole-secret.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

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
    return readText(path);
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

export interface SecretsContext {
  readonly environment: Environment;
  /** For commands that work only on the accounts: they need no secrets, and may not have them. */
  readonly missingSecrets?: 'ignored' | undefined;
}

/** A recorder's own file uses variables that begin with FRIGATE_. */
const placeholder = /\{((?:SERVICE|FRIGATE)_[A-Za-z0-9_]*)\}/g;

/**
 * Replaces `{SERVICE_NAME}` and a recorder's `{FRIGATE_NAME}` by the value from the environment or the secret file of that
 * name. Other braces are refused: a placeholder left in place would be a secret that anyone can read.
 * @returns undefined when the braces are wrong or a name is unknown; an unknown name is refused unless `missingSecrets`
 * ignores it
 */
export function expandSecret(
  path: string,
  secret: string,
  { environment, missingSecrets }: SecretsContext,
  { refuse, warn }: Pick<Findings, 'refuse' | 'warn'>,
): string | undefined {
  let isWhole = true;
  if (/[{}]/.test(secret.replace(placeholder, ''))) {
    refuse(
      path,
      'braces that are no placeholder',
      '{SERVICE_NAME} or {FRIGATE_NAME} with the name of an environment variable or a secret file, which may hold a secret with braces',
    );
    return undefined;
  }
  const expanded = secret.replace(placeholder, (_, name: string) => {
    const value = givenOrNone(environment, name);
    if (value === undefined) {
      isWhole = false;
      if (missingSecrets === 'ignored') return '';
      refuse(path, `{${name}}`, 'the name of an environment variable that is set, or of a secret file');
    }
    return value ?? '';
  });
  if (!isWhole) return undefined;
  const fault = secretFault(expanded);
  if (fault !== undefined) {
    refuse(path, fault, 'a secret, or no such key');
  } else if (expanded !== expanded.trim()) {
    refuse(path, 'a secret with a blank at an end', 'a secret that a header can carry');
  }
  // Shells and compose files write placeholders so.
  if (/\$\{(?:SERVICE|FRIGATE)_/.test(secret))
    warn(`${path} has a $ before a placeholder, which belongs to the secret: remove it if it is none of it`);
  if (curlyQuote.test(expanded))
    warn(
      `${path} has curly quotes, which belong to the secret: replace them if a word processor has made them`,
    );
  return expanded;
}

const curlyQuote = /[\u2018-\u201f]/;

/** An unreadable file is reported by its name, together with all other problems. */
function givenOrNone(environment: Environment, name: string): string | undefined {
  try {
    return givenSecret(environment, name)?.secret;
  } catch {
    return undefined;
  }
}

/** Values of `LOG_LEVEL`, from the most lines to none. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
