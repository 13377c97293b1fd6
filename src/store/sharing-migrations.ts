import { sql } from 'kysely';
import { refuseTwins } from './folded-names.ts';
import type { Migration } from './migrate.ts';

/** How many of the steps a program must know at least that works with what all of them make. */
export const sharingUsableFrom = 4;

/** Of what several processes share besides accounts and activity, with PostgreSQL alone. Steps are never changed, only added. */
export const sharingMigrations: readonly Migration[] = [
  async (transaction) => {
    const { schema } = transaction;
    await schema
      .createTable('store_version')
      .addColumn('version', 'bigint', (column) => column.notNull())
      .addColumn('roles', 'bigint', (column) => column.notNull())
      .execute();
    await sql`INSERT INTO store_version VALUES (1, 1)`.execute(transaction);
    await schema
      .createTable('custom_roles')
      .addColumn('name', 'varchar(64)', (column) => column.primaryKey())
      .addColumn('cameras', 'text', (column) => column.notNull())
      .addColumn('position', 'integer', (column) => column.notNull().autoIncrement())
      .execute();
  },
  async ({ schema }) => {
    await schema
      .createTable('failure_windows')
      .addColumn('name', 'varchar(128)', (column) => column.notNull())
      .addColumn('key', 'varchar(128)', (column) => column.notNull())
      .addColumn('ends', 'bigint', (column) => column.notNull())
      .addColumn('count', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('failure_windows_key', ['name', 'key'])
      .execute();
    await schema.createIndex('failure_windows_ends').on('failure_windows').columns(['ends']).execute();
  },
  async ({ schema }) => {
    await schema
      .createTable('recorder_writers')
      .addColumn('recorder', 'text', (column) => column.primaryKey())
      .addColumn('holder', 'varchar(64)', (column) => column.notNull())
      .addColumn('until', 'timestamptz', (column) => column.notNull())
      .execute();
    await schema
      .createTable('recorder_roles')
      .addColumn('recorder', 'text', (column) => column.notNull())
      .addColumn('role', 'varchar(64)', (column) => column.notNull())
      .addPrimaryKeyConstraint('recorder_roles_key', ['recorder', 'role'])
      .execute();
  },
  async ({ schema }) => {
    await schema.alterTable('custom_roles').addColumn('access_window', 'text').execute();
  },
  async (transaction) => {
    await refuseTwins(transaction, 'custom_roles', 'name');
    await transaction.schema
      .createIndex('custom_roles_folded_name')
      .unique()
      .on('custom_roles')
      .expression(sql`lower(name)`)
      .execute();
  },
];
