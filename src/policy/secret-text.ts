/** Recognizes secrets in a recorder's configuration, by their keys and by their texts. */

const namesOfSecrets =
  /passw|passphrase|passcode|pwd|secret|token|credential|vapid|privatekey|bearer|signature|keys?$|cookies?$|^(?:pass|auth|authorization|user|users|username|login|email|account|hash|hashes|salt|private|pin|pins)$/;

/** @returns whether the name of a key marks a value as a secret, or as one half of one */
export function isSecretKey(key: string): boolean {
  return namesOfSecrets.test(plain(key));
}

/** Amounts of tokens that language models read have such names too. */
export function isAmount(key: string): boolean {
  return /tokens/.test(plain(key));
}

function plain(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, '');
}

const secretWord =
  /passw|passphrase|passcode|pass|pwd|secret|token|credential|api-?_?key|key|auth|user|login|sig|cookie/i;

/**
 * Each word is tested once, so that the time grows linearly with the text. Otherwise a recorder that answers with millions of
 * letters would block all requests.
 */
const secretWords: ReadonlyArray<readonly [words: RegExp, isOfSecret: (word: string) => boolean]> = [
  // A query parameter, a header line, or a field: `password=…`, `Authorization: …`, `"token": "…"`.
  [/(?<![\w.-])[\w.-]+(?=["']?\s*[=:]\s*\S)/g, (word) => secretWord.test(word)],
  // A command option: `--token …`, `-headers …`.
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
  // In URLs written by hand, passwords may contain raw slashes, spaces and at signs.
  if (scheme !== -1 && text.lastIndexOf('@') > scheme) return true;
  return (
    secretTexts.some((pattern) => pattern.test(text)) ||
    secretWords.some(([words, isOfSecret]) => text.matchAll(words).some(([word]) => isOfSecret(word)))
  );
}
