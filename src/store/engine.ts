import { PostgresAdapter, sql, type Kysely, type RawBuilder } from 'kysely';

/** Whether a database, or a transaction of it, is PostgreSQL's; otherwise it is SQLite's. */
export function isPostgres(on: Pick<Kysely<never>, 'getExecutor'>): boolean {
  return on.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * A further column for whoever reads an account: the version of the custom roles, where they are in the store. A role that was
 * made a moment ago is otherwise one that nobody knows, and its user counts as viewer.
 */
export function rolesVersionBeside(on: Pick<Kysely<never>, 'getExecutor'>): RawBuilder<number> {
  return inEngine<number>(on, { sqlite: '0', postgres: '(SELECT roles FROM store_version)' });
}

/** SQL in the words of the engine, where the two have none in common. */
export function inEngine<T>(
  on: Pick<Kysely<never>, 'getExecutor'>,
  words: { readonly sqlite: string; readonly postgres: string },
): RawBuilder<T> {
  return sql.raw<T>(isPostgres(on) ? words.postgres : words.sqlite);
}
