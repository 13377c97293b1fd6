/** Header lines as they arrived: name, value, name, value … with Node's Latin-1 values. */
export type RawHeaders = readonly string[];

/** @returns every value of a header, in order of arrival. `name` is lower-case. */
export function headerValues(headers: RawHeaders, name: string): string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    if (isNamed(headers[i] as string, name)) values.push(headers[i + 1] as string);
  }
  return values;
}

/** Whether there is such a header. `name` is lower-case. */
export function hasHeader(headers: RawHeaders, name: string): boolean {
  for (let i = 0; i + 1 < headers.length; i += 2) if (isNamed(headers[i] as string, name)) return true;
  return false;
}

/** @returns the first value of a header. `name` is lower-case. */
export function firstValue(headers: RawHeaders, name: string): string | undefined {
  for (let i = 0; i + 1 < headers.length; i += 2)
    if (isNamed(headers[i] as string, name)) return headers[i + 1];
  return undefined;
}

/**
 * Whether a header line has this name. `name` is lower-case.
 * Allocates nothing: toLowerCase would create a string for each line whose name is as long, a dozen per decision.
 */
export function isNamed(sent: string, name: string): boolean {
  if (sent.length !== name.length) return false;
  // From the end: names of the same length often begin alike (`X-Forwarded-For`, `X-Forwarded-Uri`).
  for (let i = name.length - 1; i >= 0; i -= 1) {
    if (lowerCaseAt(sent, i) !== name.charCodeAt(i)) return false;
  }
  return true;
}

/** Whether `headerAlias` of a header line's name is this alias. */
export function isAliasOf(sent: string, alias: string): boolean {
  if (sent.length !== alias.length) return false;
  for (let i = alias.length - 1; i >= 0; i -= 1) {
    const lowerCase = lowerCaseAt(sent, i);
    const isPlain = (lowerCase >= 0x61 && lowerCase <= 0x7a) || (lowerCase >= 0x30 && lowerCase <= 0x39);
    if ((isPlain ? lowerCase : hyphen) !== alias.charCodeAt(i)) return false;
  }
  return true;
}

/** @returns the code of a character, in lower case if it is an ASCII letter */
function lowerCaseAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}

const hyphen = 0x2d;

/**
 * The name by which CGI-style servers (WSGI, PHP) may read a header: they turn `Remote_User` and `remote.user` into
 * REMOTE_USER, and some `Remote~User` too.
 */
export function headerAlias(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '-');
}

/**
 * Trims HTTP's white space only (RFC 9110, 5.6.3): trimming more would make two names one, and a byte such as 0xA0, which no front
 * treats as white space, would hide a name from them.
 */
export function withoutWhiteSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isWhiteSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isWhiteSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isWhiteSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
