import { sql } from 'kysely';
import type { Migration } from './migrate.ts';

/** How many of the steps a program must know at least that works with what all of them make. */
export const usableFrom = 4;

/** Of the accounts' database. Steps are never changed, only added. */
export const migrations: readonly Migration[] = [
  async ({ schema }) => {
    await schema
      .createTable('users')
      .addColumn('username', 'varchar(64)', (column) => column.primaryKey())
      .addColumn('password_hash', 'varchar(255)', (column) => column.notNull())
      .addColumn('role', 'varchar(64)', (column) => column.notNull())
      .addColumn('session_generation', 'varchar(64)', (column) => column.notNull())
      .addColumn('sessions_not_before', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await schema
      .createTable('revoked_sessions')
      .addColumn('session_id', 'varchar(64)', (column) => column.primaryKey())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
  },
  async ({ schema }) => {
    await schema
      .alterTable('users')
      .addColumn('generated_password_unused', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
  async ({ schema }) => {
    await schema
      .createTable('api_tokens')
      .addColumn('token_id', 'varchar(64)', (column) => column.primaryKey())
      .addColumn('token_hash', 'varchar(64)', (column) => column.notNull().unique())
      .addColumn('name', 'varchar(64)', (column) => column.notNull())
      .addColumn('username', 'varchar(64)', (column) =>
        column.notNull().references('users.username').onDelete('cascade'),
      )
      .addColumn('role', 'varchar(64)', (column) => column.notNull())
      .addColumn('cameras', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint')
      .addUniqueConstraint('api_tokens_name', ['username', 'name'])
      .execute();
    await schema
      .createTable('forgotten_revocations')
      .addColumn('latest_expiry', 'bigint', (column) => column.notNull())
      .execute();
  },
  async (transaction, found) => {
    const { schema } = transaction;
    await schema
      .alterTable('users')
      .addColumn('password_generated', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    // Of one that was used, nobody has kept whether it was changed.
    await sql`UPDATE users SET password_generated = generated_password_unused`.execute(transaction);
    await schema
      .createTable('first_run')
      .addColumn('fact', 'varchar(16)', (column) => column.primaryKey())
      .execute();
    // Whoever has had a gate before knows the way.
    if (found === 0) await sql`INSERT INTO first_run VALUES ('begun')`.execute(transaction);
  },
];
