import { PostgresAdapter, sql, type Kysely, type RawBuilder } from 'kysely';

/** Whether a database, or a transaction of it, is PostgreSQL; otherwise it is SQLite. */
export function isPostgres(on: Pick<Kysely<never>, 'getExecutor'>): boolean {
  return on.getExecutor().adapter instanceof PostgresAdapter;
}

/** SQL for each engine, where the two have no common form. */
export function inEngine<T>(
  on: Pick<Kysely<never>, 'getExecutor'>,
  words: { readonly sqlite: string; readonly postgres: string },
): RawBuilder<T> {
  return sql.raw<T>(isPostgres(on) ? words.postgres : words.sqlite);
}

/** SQL for a random name: a different one for each row. */
export const newName = {
  sqlite: 'lower(hex(randomblob(16)))',
  postgres: "replace(gen_random_uuid()::text, '-', '')",
};
