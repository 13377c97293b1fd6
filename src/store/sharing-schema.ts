import { type Generated, sql, type Transaction } from 'kysely';
import { required, type SchemaPart, type VersionTable } from './migrate.ts';

/** Tables that several processes need; only in PostgreSQL. */
export interface SharingTables {
  readonly store_version: StoreVersionTable;
  readonly camera_groups: CameraGroupsTable;
  readonly failure_windows: FailureWindowsTable;
  readonly recorder_writers: RecorderWritersTable;
  readonly recorder_roles: RecorderRolesTable;
}

/** One row. */
interface StoreVersionTable {
  /** Raised by every change, in its transaction. */
  version: number;
  /** The value of `version` after the last change of a custom role. */
  roles: number;
}

/** Which process writes custom roles to a recorder. */
interface RecorderWritersTable {
  /** Its address. */
  recorder: string;
  holder: string;
  /** After that, another process may. */
  until: Date;
}

/** Custom roles that the gates have written to a recorder. */
interface RecorderRolesTable {
  recorder: string;
  role: string;
}

/** Camera groups made in the UI; those of config.yml are not here. */
interface CameraGroupsTable {
  name: string;
  /** JSON list of camera names. */
  cameras: string;
  /** Grows with each new group. */
  position: Generated<number>;
}

/** Counts of the limits. They raise no version, because no decision uses them. */
interface FailureWindowsTable {
  /** The name of the limit. */
  name: string;
  /** The address or user that made the attempts. */
  key: string;
  /** When the window is over, in milliseconds since the epoch by the clock of PostgreSQL. */
  ends: number;
  count: number;
}

/** State that several processes share besides accounts and activity; only in PostgreSQL. */
export const sharing: SchemaPart = { name: 'sharing', steps: [createTables], usableFrom: 1 };

async function createTables(transaction: Transaction<VersionTable>): Promise<void> {
  const { schema } = transaction;
  await schema
    .createTable('store_version')
    .addColumn('version', 'bigint', required)
    .addColumn('roles', 'bigint', required)
    .execute();
  await sql`INSERT INTO store_version VALUES (1, 1)`.execute(transaction);
  // SQLite has this table too, from a later version on (`accounts-migrations.ts`).
  await schema
    .createTable('custom_roles')
    .addColumn('name', 'varchar(64)', (column) => column.primaryKey())
    .addColumn('cameras', 'text', required)
    .addColumn('position', 'integer', (column) => column.notNull().autoIncrement())
    .addColumn('access', 'text')
    .execute();
  await schema
    .createTable('camera_groups')
    .addColumn('name', 'varchar(64)', (column) => column.primaryKey())
    .addColumn('cameras', 'text', required)
    .addColumn('position', 'integer', (column) => column.notNull().autoIncrement())
    .execute();
  for (const table of ['custom_roles', 'camera_groups'])
    await schema
      .createIndex(`${table}_folded_name`)
      .unique()
      .on(table)
      .expression(sql`lower(name)`)
      .execute();
  await schema
    .createTable('failure_windows')
    .addColumn('name', 'varchar(128)', required)
    .addColumn('key', 'varchar(128)', required)
    .addColumn('ends', 'bigint', required)
    .addColumn('count', 'integer', required)
    .addPrimaryKeyConstraint('failure_windows_key', ['name', 'key'])
    .execute();
  await schema.createIndex('failure_windows_ends').on('failure_windows').columns(['ends']).execute();
  await schema
    .createTable('recorder_writers')
    .addColumn('recorder', 'text', (column) => column.primaryKey())
    .addColumn('holder', 'varchar(64)', required)
    .addColumn('until', 'timestamptz', required)
    .execute();
  await schema
    .createTable('recorder_roles')
    .addColumn('recorder', 'text', required)
    .addColumn('role', 'varchar(64)', required)
    .addPrimaryKeyConstraint('recorder_roles_key', ['recorder', 'role'])
    .execute();
}
