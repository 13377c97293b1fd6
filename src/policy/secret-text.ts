/** Which parts of a recorder's configuration are secrets, by their keys and by their texts. */

const namesOfSecrets =
  /passw|passphrase|passcode|pwd|secret|token|credential|vapid|privatekey|bearer|signature|keys?$|cookies?$|^(?:pass|auth|authorization|user|users|username|login|email|account|hash|hashes|salt|private|pin|pins)$/;

/** @returns whether a value is a secret, or one half of one, by the name of its key */
export function isSecretKey(key: string): boolean {
  return namesOfSecrets.test(plain(key));
}

/** Amounts of what language models read are called so too. */
export function isAmount(key: string): boolean {
  return /tokens/.test(plain(key));
}

function plain(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, '');
}

const secretWord =
  /passw|passphrase|passcode|pass|pwd|secret|token|credential|api-?_?key|key|auth|user|login|sig|cookie/i;

/**
 * Whatever is asked about words is asked once of each: the time it takes grows with the length of the text alone. A recorder that
 * answers with millions of letters would hold up everybody otherwise.
 */
const secretWords: ReadonlyArray<readonly [words: RegExp, isOfSecret: (word: string) => boolean]> = [
  // A parameter of a query, a header line, or a field: `password=…`, `Authorization: …`, `"token": "…"`.
  [/(?<![\w.-])[\w.-]+(?=["']?\s*[=:]\s*\S)/g, (word) => secretWord.test(word)],
  // An option of a command: `--token …`, `-headers …`.
  [
    /(?:^|(?<=[\s"']))-[\w-]*(?=["']?\s+\S)/g,
    (option) => secretWord.test(option.slice(1)) || /header/i.test(option),
  ],
  // A token (RFC 7519).
  [/(?<![\w-])[\w-]{11,}(?=\.[\w-]+\.)/g, (word) => /eyJ[\w-]{8}/.test(word)],
];

const secretTexts: readonly RegExp[] = [/\b(?:bearer|basic|digest)\s+[\w+/=.~-]{4,}/i, /-----BEGIN/];

/** @returns whether a text has a secret in it, by its form */
export function hasSecret(text: string): boolean {
  const scheme = text.indexOf('://');
  // Whoever writes a URL by hand leaves slashes, spaces and further at-signs in the password as they are.
  if (scheme !== -1 && text.lastIndexOf('@') > scheme) return true;
  return (
    secretTexts.some((pattern) => pattern.test(text)) ||
    secretWords.some(([words, isOfSecret]) => text.matchAll(words).some(([word]) => isOfSecret(word)))
  );
}
