import { sql, type Transaction } from 'kysely';
import type { VersionTable } from './migrate.ts';
import { StoreError } from './store.ts';

/** `users.username` as names compare (`foldName`), which an index has. Both engines make the letters of ASCII small, and no others. */
export const foldedUsername = sql<string>`lower(username)`;

/**
 * Before a unique index of the folded names: which of two is to stay, only people can say.
 * @throws StoreError
 */
export async function refuseTwins(
  on: Transaction<VersionTable>,
  table: 'users' | 'custom_roles',
  column: 'username' | 'name',
): Promise<void> {
  const folded = sql`lower(${sql.ref(column)})`;
  const { rows } = await sql<{ readonly name: string }>`
    SELECT ${sql.ref(column)} AS name FROM ${sql.table(table)}
    WHERE ${folded} IN (SELECT ${folded} FROM ${sql.table(table)} GROUP BY ${folded} HAVING count(*) > 1)
    ORDER BY 1`.execute(on);
  if (rows.length === 0) return;
  throw new StoreError(
    `${table}: these names differ in upper and lower case alone: ${rows.map(({ name }) => name).join(', ')}; ` +
      'keep one of each with the former program, and remove the others',
  );
}
