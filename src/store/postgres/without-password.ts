/** Of the driver alone: PostgreSQL's own programs refuse them. */
const ofDriver = ['ssl', 'uselibpqcompat'];

/** @returns a `store.url` as PostgreSQL's own programs take it, which ask for the password */
export function withoutPassword(url: string): string {
  const stripped = new URL(url);
  stripped.password = '';
  const { searchParams } = stripped;
  for (const name of ['password', ...ofDriver]) searchParams.delete(name);
  if (searchParams.get('sslmode') === 'no-verify') searchParams.set('sslmode', 'require');
  return stripped.href;
}
