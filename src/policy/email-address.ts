import { foldName } from './names.ts';

/** The parts of an address that mail servers take without quoting (RFC 5321, 4.1.2: Dot-string and Domain), in ASCII. */
const longest = 254;
const localPart = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*";
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const address = new RegExp(`^(${localPart})?@(${label}(?:\\.${label})*)$`);

/** An e-mail address, or with an empty `local` all addresses of a domain. */
export interface EmailAddress {
  readonly local: string;
  readonly domain: string;
}

/**
 * Reads `olaf@example.org`, or `@example.org`. Letters are made small, since no one keeps two mailboxes apart by them.
 * @returns undefined when the text is neither, with two at signs or a quoted part, for one
 */
export function parseEmail(text: string): EmailAddress | undefined {
  const [, local = '', domain] = (text.length > longest ? undefined : address.exec(text)) ?? [];
  return domain === undefined ? undefined : { local: foldName(local), domain: foldName(domain) };
}
