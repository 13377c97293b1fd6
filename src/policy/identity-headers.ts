/**
 * The contract between the gate and the upstream: header fields with the identity, which only the gate sets. Values are
 * UTF-8 bytes; an unknown field is sent empty, so that nothing a client sent under the same name survives.
 */
export const identityHeaders = [
  'remote-user',
  'remote-role',
  'remote-groups',
  'remote-email',
  'remote-name',
] as const;

/** Version 1 signed requests with it. Services may still believe it, so a client's own is removed. */
export const retiredHeader = 'x-postern-assertion';

export type IdentityHeaders = Readonly<Record<(typeof identityHeaders)[number], string>>;

const isPlain = /^[\x20-\x7e]*$/;

/** Node writes and reads header values as Latin-1, one character per byte. */
export function toHeaderValue(text: string): string {
  return text === '' || isPlain.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @returns the text of a header value; undefined if its bytes are not UTF-8 */
export function fromHeaderValue(value: string): string | undefined {
  if (isPlain.test(value)) return value;
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return undefined;
  }
}
