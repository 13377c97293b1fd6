import { givenSecret, type Environment } from './given-secret.ts';
import type { Findings } from './problem.ts';

export interface SecretsContext {
  readonly environment: Environment;
  /** Whoever works on the accounts alone needs none of the secrets, and may not be given them. */
  readonly missingSecrets?: 'ignored' | undefined;
}

/**
 * Replaces `{SERVICE_NAME}` from the environment, or from the secret file of that name.
 * @returns undefined when a name is unknown, which is refused unless it is ignored
 */
export function expandSecret(
  path: string,
  secret: string,
  { environment, missingSecrets }: SecretsContext,
  { refuse, warn }: Findings,
): string | undefined {
  let isWhole = true;
  const misnamed = /\{(?!SERVICE_)[A-Za-z_][A-Za-z0-9_]*\}/.exec(secret)?.[0];
  if (misnamed !== undefined)
    warn(`${path} has ${misnamed} in it, which is not replaced: such names begin with SERVICE_`);
  const expanded = secret.replace(/\{(SERVICE_[A-Za-z0-9_]*)\}/g, (_, name: string) => {
    const value = givenOrNone(environment, name);
    if (value === undefined) {
      isWhole = false;
      if (missingSecrets === 'ignored') return '';
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

/** What cannot be read is refused by its name, with everything else that is wrong. */
function givenOrNone(environment: Environment, name: string): string | undefined {
  try {
    return givenSecret(environment, name)?.secret;
  } catch {
    return undefined;
  }
}
