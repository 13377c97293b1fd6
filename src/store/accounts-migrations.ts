import { sql, type ColumnDefinitionBuilder, type Transaction } from 'kysely';
import { inEngine, isPostgres, newName } from './engine.ts';
import { required, type SchemaPart, type VersionTable } from './migrate.ts';

export const accounts: SchemaPart = {
  name: 'accounts',
  steps: [
    createTables,
    addShareWord,
    addUserIds,
    addRotation,
    addFoldedNames,
    addLastPruning,
    addPersonalRoles,
    dropAssertionKeys,
    addInviters,
    addTrustedTime,
    addCustomRoles,
  ],
  // Earlier programs read roles made for one person from config.yml, and take who has none for a viewer.
  usableFrom: 11,
  mark: { applicationId: 0x50_73_74_01, tableOfRelease: 'outbox' },
};

/** Shares made before `share` was a word of `may` run out by their time. */
async function addShareWord({ schema }: Transaction<VersionTable>): Promise<void> {
  await schema
    .alterTable('shares')
    .addColumn('needs_word', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}

/** Deleted with the user. */
function ofUser(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder {
  return column.notNull().references('users.username').onDelete('cascade');
}

async function createTables({ schema }: Transaction<VersionTable>): Promise<void> {
  await schema
    .createTable('users')
    .addColumn('username', 'varchar(64)', (column) => column.primaryKey())
    .addColumn('password_hash', 'varchar(255)', required)
    .addColumn('role', 'varchar(64)', required)
    .addColumn('session_generation', 'varchar(64)', required)
    .addColumn('sessions_not_before', 'bigint', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('generated_password_unused', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('password_generated', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('blocked', 'varchar(16)')
    .addColumn('issuer', 'text')
    .addColumn('subject', 'varchar(255)')
    .addColumn('role_reason', 'text')
    .addColumn('last_login_at', 'bigint')
    .addColumn('email', 'varchar(254)')
    .execute();
  await schema.createIndex('users_person').unique().on('users').columns(['issuer', 'subject']).execute();
  await schema
    .createIndex('users_folded_name')
    .unique()
    .on('users')
    .expression(sql`lower(username)`)
    .execute();
  await schema
    .createTable('revoked_sessions')
    .addColumn('session_id', 'varchar(64)', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', required)
    .execute();
  await schema
    .createTable('api_tokens')
    .addColumn('token_id', 'varchar(64)', (column) => column.primaryKey())
    .addColumn('kind', 'varchar(16)', (column) => column.notNull().defaultTo('token'))
    .addColumn('token_hash', 'varchar(64)', (column) => column.unique())
    .addColumn('name', 'varchar(64)', required)
    .addColumn('username', 'varchar(64)', ofUser)
    .addColumn('role', 'varchar(64)', required)
    .addColumn('cameras', 'text')
    .addColumn('access', 'text')
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint')
    .addColumn('device_hash', 'varchar(64)', (column) => column.unique())
    .addColumn('is_framed', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('rotated_at', 'bigint')
    .addUniqueConstraint('api_tokens_name', ['username', 'kind', 'name'])
    .execute();
  await schema
    .createTable('former_credentials')
    .addColumn('credential_hash', 'varchar(64)', (column) => column.primaryKey())
    .addColumn('token_id', 'varchar(64)', (column) =>
      column.notNull().references('api_tokens.token_id').onDelete('cascade'),
    )
    .addColumn('replaced_at', 'bigint', required)
    .addColumn('valid_until', 'bigint')
    .execute();
  await schema
    .createIndex('former_credentials_token_id')
    .on('former_credentials')
    .columns(['token_id'])
    .execute();
  await schema
    .createTable('invitations')
    .addColumn('invitation_id', 'varchar(64)', (column) => column.primaryKey())
    .addColumn('secret_hash', 'varchar(64)', required)
    .addColumn('name', 'varchar(64)')
    .addColumn('role', 'varchar(64)', required)
    .addColumn('makes_role', 'integer', required)
    .addColumn('made_by', 'varchar(64)', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .execute();
  await schema.createTable('forgotten_revocations').addColumn('latest_expiry', 'bigint', required).execute();
  await schema
    .createTable('first_run')
    .addColumn('fact', 'varchar(16)', (column) => column.primaryKey())
    .execute();
  await schema
    .createTable('passkeys')
    .addColumn('credential_id', 'text', (column) => column.primaryKey())
    .addColumn('username', 'varchar(64)', ofUser)
    .addColumn('name', 'varchar(64)', required)
    .addColumn('public_key', 'text', required)
    .addColumn('counter', 'bigint', required)
    .addColumn('transports', 'text', required)
    .addColumn('user_handle', 'varchar(64)', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('last_used_at', 'bigint')
    .execute();
  await schema.createIndex('passkeys_username').on('passkeys').columns(['username']).execute();
  await schema
    .createTable('one_time_codes')
    .addColumn('username', 'varchar(64)', (column) =>
      column.primaryKey().references('users.username').onDelete('cascade'),
    )
    .addColumn('secret', 'text', required)
    .addColumn('last_step', 'bigint', required)
    .addColumn('created_at', 'bigint', required)
    .execute();
  await schema
    .createTable('recovery_codes')
    .addColumn('code_hash', 'varchar(64)', (column) => column.primaryKey())
    .addColumn('username', 'varchar(64)', ofUser)
    .execute();
  await schema.createIndex('recovery_codes_username').on('recovery_codes').columns(['username']).execute();
  await schema
    .createTable('provider_sessions')
    .addColumn('session_id', 'varchar(64)', (column) => column.primaryKey())
    .addColumn('username', 'varchar(64)', ofUser)
    .addColumn('issuer', 'text', required)
    .addColumn('subject', 'varchar(255)', required)
    .addColumn('provider_sid', 'varchar(255)')
    .addColumn('refresh_token', 'text')
    .addColumn('id_token', 'text')
    .addColumn('checked_at', 'bigint', required)
    .addColumn('refreshing_until', 'bigint', required)
    .addColumn('fault', 'varchar(32)')
    .addColumn('expires_at', 'bigint', required)
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
    .addColumn('purpose', 'varchar(32)', required)
    .addColumn('key', 'varchar(255)', required)
    .addColumn('expires_at', 'bigint', required)
    .addPrimaryKeyConstraint('used_once_key', ['purpose', 'key'])
    .execute();
  await schema
    .createTable('shares')
    .addColumn('share_id', 'varchar(64)', (column) => column.primaryKey())
    .addColumn('secret_hash', 'varchar(64)', required)
    .addColumn('kind', 'varchar(16)', required)
    .addColumn('object', 'varchar(255)')
    .addColumn('camera', 'varchar(255)')
    .addColumn('starts_at', 'bigint', required)
    .addColumn('ends_at', 'bigint', required)
    .addColumn('password_hash', 'varchar(255)')
    .addColumn('label', 'varchar(255)')
    .addColumn('username', 'varchar(255)', required)
    .addColumn('role', 'varchar(64)', required)
    .addColumn('source', 'varchar(16)', required)
    .addColumn('account', 'varchar(64)', (column) => column.references('users.username').onDelete('cascade'))
    .addColumn('token_id', 'varchar(64)', (column) =>
      column.references('api_tokens.token_id').onDelete('cascade'),
    )
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .execute();
  for (const column of ['username', 'account', 'token_id', 'expires_at'])
    await schema.createIndex(`shares_${column}`).on('shares').columns([column]).execute();
  await schema
    .createTable('assertion_keys')
    .addColumn('key_id', 'varchar(64)', (column) => column.primaryKey())
    .addColumn('private_key', 'text', required)
    .addColumn('public_key', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .execute();
  await schema
    .createTable('stops')
    .addColumn('stop_id', 'varchar(64)', (column) => column.primaryKey())
    .addColumn('kind', 'varchar(16)', required)
    .addColumn('name', 'varchar(255)', required)
    .addColumn('session_id', 'varchar(64)')
    .addColumn('cameras', 'text')
    .addColumn('made_by', 'varchar(255)', required)
    .addColumn('made_at', 'bigint', required)
    .addColumn('ends_at', 'bigint', required)
    .execute();
  await schema
    .createTable('outbox')
    .addColumn('delivery_id', 'varchar(128)', (column) => column.primaryKey())
    .addColumn('alert_id', 'varchar(64)', required)
    .addColumn('target', 'varchar(128)')
    .addColumn('alert', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('due_at', 'bigint', required)
    .addColumn('attempts', 'integer', required)
    .addColumn('lost_at', 'bigint')
    .execute();
  await schema.createIndex('outbox_due_at').on('outbox').columns(['due_at']).execute();
  await schema
    .createTable('push_keys')
    .addColumn('public_key', 'text', required)
    .addColumn('private_key', 'text', required)
    .execute();
  await schema
    .createTable('push_subscriptions')
    .addColumn('subscription_id', 'varchar(64)', (column) => column.primaryKey())
    .addColumn('username', 'varchar(64)', ofUser)
    .addColumn('session_id', 'varchar(64)', required)
    .addColumn('session_generation', 'varchar(64)', required)
    .addColumn('endpoint', 'text', required)
    .addColumn('public_key', 'text', required)
    .addColumn('auth', 'text', required)
    .addColumn('language', 'varchar(16)', required)
    .addColumn('created_at', 'bigint', required)
    .execute();
  for (const column of ['username', 'session_id'])
    await schema
      .createIndex(`push_subscriptions_${column}`)
      .on('push_subscriptions')
      .columns([column])
      .execute();
  await schema
    .createTable('access_requests')
    .addColumn('username', 'varchar(64)', ofUser)
    .addColumn('camera', 'varchar(255)', required)
    .addColumn('asked_at', 'bigint', required)
    .addColumn('answered', 'integer', (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('access_requests_key', ['username', 'camera'])
    .execute();
}

/** Names change and are used again, so what must follow one person has the id of the user. */
async function addUserIds(transaction: Transaction<VersionTable>): Promise<void> {
  // SQLite adds no column with a computed default. In PostgreSQL, earlier programs may add users until all are upgraded.
  const byDefault = inEngine(transaction, { sqlite: "''", postgres: newName.postgres });
  await sql`ALTER TABLE users ADD COLUMN user_id varchar(64) NOT NULL DEFAULT ${byDefault}`.execute(
    transaction,
  );
  await sql`UPDATE users SET user_id = ${inEngine(transaction, newName)} WHERE user_id = ''`.execute(
    transaction,
  );
  const { schema } = transaction;
  await schema.createIndex('users_user_id').on('users').column('user_id').execute();
  await schema.alterTable('stops').addColumn('user_id', 'varchar(64)').execute();
  await sql`UPDATE stops SET user_id =
    (SELECT user_id FROM users WHERE lower(users.username) = lower(stops.name)) WHERE kind = 'account'`.execute(
    transaction,
  );
}

/** Credentials of displays that carry a generation. Those of 1.0 keep their hashes. */
async function addRotation({ schema }: Transaction<VersionTable>): Promise<void> {
  const change = schema.alterTable('api_tokens');
  await change.addColumn('salt', 'varchar(64)').execute();
  await change.addColumn('secret_mark', 'varchar(64)').execute();
  await change.addColumn('generation', 'bigint', (column) => column.notNull().defaultTo(0)).execute();
  await change.addColumn('rotation', 'text').execute();
}

/** Names of federated users may have letters that the engines do not lower. The names until now have none. */
async function addFoldedNames({ schema }: Transaction<VersionTable>): Promise<void> {
  await schema.alterTable('users').addColumn('folded_name', 'text').execute();
  await schema
    .createIndex('users_comparable_name')
    .unique()
    .on('users')
    .expression(sql`coalesce(folded_name, lower(username))`)
    .execute();
}

async function addLastPruning({ schema }: Transaction<VersionTable>): Promise<void> {
  await schema.createTable('last_pruning').addColumn('at', 'bigint', required).execute();
}

/** An empty name stands for roles of invitations that were used before there was this list. */
async function addPersonalRoles(transaction: Transaction<VersionTable>): Promise<void> {
  await transaction.schema
    .createTable('personal_roles')
    .addColumn('role', 'varchar(64)', (column) => column.primaryKey())
    .execute();
  await sql`INSERT INTO personal_roles (role) SELECT DISTINCT role FROM invitations WHERE makes_role = 1`.execute(
    transaction,
  );
  await sql`INSERT INTO personal_roles (role) SELECT '' WHERE EXISTS (SELECT 1 FROM users)`.execute(
    transaction,
  );
}

/** Version 2 signs no requests. Programs of version 1 use the keys only with `assertion.enabled`. */
async function dropAssertionKeys({ schema }: Transaction<VersionTable>): Promise<void> {
  await schema.dropTable('assertion_keys').execute();
}

async function addInviters({ schema }: Transaction<VersionTable>): Promise<void> {
  await schema.alterTable('users').addColumn('invited_by', 'varchar(64)').execute();
}

async function addTrustedTime({ schema }: Transaction<VersionTable>): Promise<void> {
  await schema
    .createTable('trusted_time')
    .addColumn('at', 'bigint', required)
    .addColumn('resets', 'bigint', required)
    .execute();
}

/** PostgreSQL has `custom_roles` already. Definitions of roles made for one person are in config.yml until the next start copies them. */
async function addCustomRoles(transaction: Transaction<VersionTable>): Promise<void> {
  const { schema } = transaction;
  await schema.alterTable('personal_roles').addColumn('copied_at', 'bigint').execute();
  await sql`UPDATE personal_roles SET copied_at = 0`.execute(transaction);
  if (isPostgres(transaction)) return;
  await schema
    .createTable('custom_roles')
    .addColumn('name', 'varchar(64)', (column) => column.primaryKey())
    .addColumn('cameras', 'text', required)
    .addColumn('position', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('access', 'text')
    .execute();
  await schema
    .createIndex('custom_roles_folded_name')
    .unique()
    .on('custom_roles')
    .expression(sql`lower(name)`)
    .execute();
}
