import { givenSecret, type Environment } from './given-secret.ts';
import { ConfigurationError } from './problem.ts';

export const storeKeyName = 'SERVICE_STORE_KEY';

/**
 * @returns the key that what is kept is sealed with; undefined when no one has given one
 * @throws ConfigurationError when it is too short to keep anything
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
