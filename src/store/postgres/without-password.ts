/** Parameters of the driver that PostgreSQL's own programs reject. */
const ofDriver = ['ssl', 'uselibpqcompat'];

/** @returns a `store.url` for PostgreSQL's own programs, which prompt for the password */
export function withoutPassword(url: string): string {
  const stripped = new URL(url);
  stripped.password = '';
  const { searchParams } = stripped;
  for (const name of ['password', ...ofDriver]) searchParams.delete(name);
  if (searchParams.get('sslmode') === 'no-verify') searchParams.set('sslmode', 'require');
  return stripped.href;
}
