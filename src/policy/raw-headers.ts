/** Header lines as they arrived: name, value, name, value … with Node's Latin-1 values. */
export type RawHeaders = readonly string[];

/** @returns every value of a header, in order of arrival. `name` is lower-case. */
export function headerValues(headers: RawHeaders, name: string): string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const candidate = headers[i] as string;
    if (candidate.length === name.length && candidate.toLowerCase() === name) {
      values.push(headers[i + 1] as string);
    }
  }
  return values;
}

/**
 * The name that CGI-style servers (WSGI, PHP) may read a header as: `Remote_User` and `remote.user` end up as
 * REMOTE_USER there, and so does `Remote~User` in some.
 */
export function headerAlias(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '-');
}
