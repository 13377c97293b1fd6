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

/** An assertion: the same, signed, so that the upstream can verify that the gate has decided. Absent if not configured. */
export const assertionHeader = 'x-postern-assertion';

/** What one assertion may cover: one request, or all whose paths begin alike. */
export const coverages = ['request', 'prefix'] as const;
export type Coverage = (typeof coverages)[number];

/** A request as it is passed on, and as an assertion states it. */
export interface AssertedRequest {
  readonly user: string;
  readonly role: string;
  readonly method: string;
  /** Request target in origin-form, with the query; bytes as Latin-1. */
  readonly target: string;
}

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
