/** @returns the value of `Authorization: Basic` (RFC 7617) */
export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
