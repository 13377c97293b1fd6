import { sql } from 'kysely';
import type { Migration } from './migrate.ts';
import { refuseTwins } from './folded-names.ts';

/** How many of the steps a program must know at least that works with what all of them make. */
export const usableFrom = 6;

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
  async ({ schema }) => {
    const columns = [
      ['blocked', 'varchar(16)'],
      ['issuer', 'text'],
      ['subject', 'varchar(255)'],
      ['role_reason', 'text'],
      ['last_login_at', 'bigint'],
    ] as const;
    for (const [name, type] of columns) await schema.alterTable('users').addColumn(name, type).execute();
    await schema.createIndex('users_person').unique().on('users').columns(['issuer', 'subject']).execute();
    await schema
      .createTable('passkeys')
      .addColumn('credential_id', 'text', (column) => column.primaryKey())
      .addColumn('username', 'varchar(64)', (column) =>
        column.notNull().references('users.username').onDelete('cascade'),
      )
      .addColumn('name', 'varchar(64)', (column) => column.notNull())
      .addColumn('public_key', 'text', (column) => column.notNull())
      .addColumn('counter', 'bigint', (column) => column.notNull())
      .addColumn('transports', 'text', (column) => column.notNull())
      .addColumn('user_handle', 'varchar(64)', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint')
      .execute();
    await schema.createIndex('passkeys_username').on('passkeys').columns(['username']).execute();
    await schema
      .createTable('one_time_codes')
      .addColumn('username', 'varchar(64)', (column) =>
        column.primaryKey().references('users.username').onDelete('cascade'),
      )
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('last_step', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await schema
      .createTable('recovery_codes')
      .addColumn('code_hash', 'varchar(64)', (column) => column.primaryKey())
      .addColumn('username', 'varchar(64)', (column) =>
        column.notNull().references('users.username').onDelete('cascade'),
      )
      .execute();
    await schema.createIndex('recovery_codes_username').on('recovery_codes').columns(['username']).execute();
    await schema
      .createTable('provider_sessions')
      .addColumn('session_id', 'varchar(64)', (column) => column.primaryKey())
      .addColumn('username', 'varchar(64)', (column) =>
        column.notNull().references('users.username').onDelete('cascade'),
      )
      .addColumn('issuer', 'text', (column) => column.notNull())
      .addColumn('subject', 'varchar(255)', (column) => column.notNull())
      .addColumn('provider_sid', 'varchar(255)')
      .addColumn('refresh_token', 'text')
      .addColumn('id_token', 'text')
      .addColumn('checked_at', 'bigint', (column) => column.notNull())
      .addColumn('refreshing_until', 'bigint', (column) => column.notNull())
      .addColumn('fault', 'varchar(32)')
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await schema
      .createIndex('provider_sessions_person')
      .on('provider_sessions')
      .columns(['subject', 'issuer'])
      .execute();
    await schema
      .createIndex('provider_sessions_username')
      .on('provider_sessions')
      .columns(['username'])
      .execute();
    await schema
      .createTable('used_once')
      .addColumn('purpose', 'varchar(32)', (column) => column.notNull())
      .addColumn('key', 'varchar(255)', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('used_once_key', ['purpose', 'key'])
      .execute();
  },
  async ({ schema }) => {
    await schema
      .createTable('shares')
      .addColumn('share_id', 'varchar(64)', (column) => column.primaryKey())
      .addColumn('secret_hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('kind', 'varchar(16)', (column) => column.notNull())
      .addColumn('object', 'varchar(255)')
      .addColumn('camera', 'varchar(255)')
      .addColumn('starts_at', 'bigint', (column) => column.notNull())
      .addColumn('ends_at', 'bigint', (column) => column.notNull())
      .addColumn('password_hash', 'varchar(255)')
      .addColumn('label', 'varchar(255)')
      .addColumn('username', 'varchar(255)', (column) => column.notNull())
      .addColumn('role', 'varchar(64)', (column) => column.notNull())
      .addColumn('source', 'varchar(16)', (column) => column.notNull())
      .addColumn('account', 'varchar(64)', (column) =>
        column.references('users.username').onDelete('cascade'),
      )
      .addColumn('token_id', 'varchar(64)', (column) =>
        column.references('api_tokens.token_id').onDelete('cascade'),
      )
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    for (const column of ['username', 'account', 'token_id', 'expires_at'])
      await schema.createIndex(`shares_${column}`).on('shares').columns([column]).execute();
    await schema
      .createTable('assertion_keys')
      .addColumn('key_id', 'varchar(64)', (column) => column.primaryKey())
      .addColumn('private_key', 'text', (column) => column.notNull())
      .addColumn('public_key', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
  },
  async (transaction) => {
    await refuseTwins(transaction, 'users', 'username');
    await transaction.schema
      .createIndex('users_folded_name')
      .unique()
      .on('users')
      .expression(sql`lower(username)`)
      .execute();
  },
];
