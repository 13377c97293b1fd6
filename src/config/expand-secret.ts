import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Findings } from './problem.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Replaces `{SERVICE_NAME}` from the environment, or from the secret file of that name.
 * @returns undefined after a refusal because of an unknown name
 */
export function expandSecret(
  path: string,
  secret: string,
  { environment }: { readonly environment: Environment },
  { refuse, warn }: Findings,
): string | undefined {
  let isWhole = true;
  const misnamed = /\{(?!SERVICE_)[A-Za-z_][A-Za-z0-9_]*\}/.exec(secret)?.[0];
  if (misnamed !== undefined)
    warn(`${path} has ${misnamed} in it, which is not replaced: such names begin with SERVICE_`);
  const expanded = secret.replace(/\{(SERVICE_[A-Za-z0-9_]*)\}/g, (_, name: string) => {
    const value = environment[name] ?? readSecretFile(environment, name);
    if (value === undefined) {
      isWhole = false;
      refuse(path, `{${name}}`, 'the name of an environment variable that is set, or of a secret file');
    }
    return value ?? '';
  });
  if (!isWhole) return undefined;
  if (expanded.trim() === '') {
    refuse(path, 'an empty secret', 'a secret, or no such key');
  } else if (expanded !== expanded.trim()) {
    refuse(path, 'a secret with a blank at an end', 'a secret that a header can carry');
  }
  return expanded;
}

/** As systemd and Docker give it. @returns undefined when there is none that can be read */
function readSecretFile(environment: Environment, name: string): string | undefined {
  try {
    const path = join(environment['CREDENTIALS_DIRECTORY'] || '/run/secrets/', name);
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch {
    return undefined;
  }
}
