import { givenSecret, type Environment } from './given-secret.ts';
import { ConfigurationError } from './problem.ts';

export const storeKeyName = 'SERVICE_STORE_KEY';

/**
 * @returns the key that seals secrets in the store; undefined when it is not set
 * @throws ConfigurationError when it is too short to be secure
 */
export function storeKeyOf(environment: Environment): string | undefined {
  const given = givenSecret(environment, storeKeyName);
  if (given === undefined) return undefined;
  const key = given.secret.trim();
  if (key.length < 32)
    throw new ConfigurationError([
      { path: given.source, found: 'a short key', allowed: 'at least 32 characters, or nothing at all' },
    ]);
  return key;
}
