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

/** Whether there is such a header at all. `name` is lower-case. */
export function hasHeader(headers: RawHeaders, name: string): boolean {
  return headers.some((line, i) => i % 2 === 0 && i + 1 < headers.length && isNamed(line, name));
}

/** Whether the name of a header line is this one. `name` is lower-case. */
function isNamed(sent: string, name: string): boolean {
  return sent.length === name.length && sent.toLowerCase() === name;
}

/**
 * The name that CGI-style servers (WSGI, PHP) may read a header as: `Remote_User` and `remote.user` end up as
 * REMOTE_USER there, and so does `Remote~User` in some.
 */
export function headerAlias(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '-');
}
