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
  '(?:passw|passphrase|passcode|pass|pwd|secret|token|credential|api-?_?key|key|auth|user|login|sig|cookie)';

const secretTexts: readonly RegExp[] = [
  // Whoever writes a URL by hand leaves slashes, spaces and further at-signs in the password as they are.
  /:\/\/[^]*@/,
  // A parameter of a query, a header line, or a field: `password=…`, `Authorization: …`, `"token": "…"`.
  new RegExp(`${secretWord}[\\w.-]*["']?\\s*[=:]\\s*\\S`, 'i'),
  // An option of a command: `--token …`, `-headers …`.
  new RegExp(`(?:^|[\\s"'])-[\\w-]*(?:${secretWord}|header)[\\w-]*["']?\\s+\\S`, 'i'),
  /\b(?:bearer|basic|digest)\s+[\w+/=.~-]{4,}/i,
  /-----BEGIN/,
  // A token (RFC 7519).
  /eyJ[\w-]{8,}\.[\w-]+\./,
];

/** @returns whether a text has a secret in it, by its form */
export function hasSecret(text: string): boolean {
  return secretTexts.some((pattern) => pattern.test(text));
}
