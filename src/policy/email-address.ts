import { foldName } from './names.ts';

/** The parts of an address that need no quoting (RFC 5321, 4.1.2: Dot-string and Domain), in ASCII. */
const longest = 254;
const localPart = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*";
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const address = new RegExp(`^(${localPart})?@(${label}(?:\\.${label})*)$`);

/** An e-mail address, or all addresses of a domain if `local` is empty. */
export interface EmailAddress {
  readonly local: string;
  readonly domain: string;
}

/**
 * Reads `olaf@example.org`, or `@example.org`, in lower case: no two mailboxes differ only in case.
 * @returns undefined if the text is neither; two at signs or a quoted part, for example
 */
export function parseEmail(text: string): EmailAddress | undefined {
  const [, local = '', domain] = (text.length > longest ? undefined : address.exec(text)) ?? [];
  return domain === undefined ? undefined : { local: foldName(local), domain: foldName(domain) };
}
