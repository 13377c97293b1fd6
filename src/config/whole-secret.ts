import { ConfigurationError } from './problem.ts';

/** A secret exactly as given, perhaps empty. */
export interface GivenSecret {
  readonly secret: string;
  /** Where it was found, for messages. */
  readonly source: string;
}

/** For messages about a secret that is there and cannot be used. */
export const allowedSecret = 'a secret, or nothing at all';

/** A file that was read as UTF-8 has U+FFFD in place of bytes that are none, such as those of erased flash. */
const visible = /[^\p{Cc}\p{Cf}\p{Z}\uFFFD]/u;

/**
 * A power cut can leave a file that has its length and only NUL in it, or only the bytes of erased flash: anyone could guess these.
 * @returns the fault of a secret that is not whole; undefined when there is none
 */
export function secretFault(secret: string): string | undefined {
  const inside = secret.trim();
  if (inside === '') return 'an empty secret';
  if (!visible.test(inside))
    return 'an empty secret: only control characters or bytes that are no text, as a power cut leaves them';
  return /\p{Cc}/u.test(inside) ? 'a secret with a control character in it' : undefined;
}

/** @returns the secret without blanks around it. @throws ConfigurationError when it is empty or not whole */
export function wholeSecret({ secret, source }: GivenSecret): string {
  const found = secretFault(secret);
  if (found !== undefined) throw new ConfigurationError([{ path: source, found, allowed: allowedSecret }]);
  return secret.trim();
}

const controlsOfText = /[^\P{Cc}\t\r\n]/u;

/**
 * @param pem the text of a file with certificates or a key
 * @returns whether it ends in the middle of one, or has bytes in it that a power cut leaves
 */
export function isCutPem(pem: string): boolean {
  const marks = (word: string) => pem.split(`-----${word} `).length;
  return controlsOfText.test(pem) || marks('BEGIN') !== marks('END');
}
