/**
 * The contract between the gate and whatever stands behind it: who is asking, in header fields
 * that only the gate sets. Values are UTF-8 bytes; a field that is unknown is sent empty, so that
 * nothing a client sent under the same name survives.
 */
export const identityHeaders = [
  'remote-user',
  'remote-role',
  'remote-groups',
  'remote-email',
  'remote-name',
] as const;

/** The same once more, signed: an assertion, by which what stands behind can check that the gate has asked. Absent without one. */
export const assertionHeader = 'x-postern-assertion';

/** A request as it is passed on, and as an assertion says it. */
export interface AssertedRequest {
  readonly user: string;
  readonly role: string;
  readonly method: string;
  /** Request target in origin-form, with the query; bytes as Latin-1. */
  readonly target: string;
}

export type IdentityHeaders = Readonly<Record<(typeof identityHeaders)[number], string>>;

const isPlain = /^[\x20-\x7e]*$/;

/** Node writes and reads header values as Latin-1, one character a byte. */
export function toHeaderValue(text: string): string {
  return text === '' || isPlain.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @returns the text of a header value, or undefined when its bytes are not UTF-8. */
export function fromHeaderValue(value: string): string | undefined {
  if (isPlain.test(value)) return value;
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return undefined;
  }
}
