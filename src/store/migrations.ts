import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './schema.ts';

type Migrate = (transaction: Transaction<Tables>) => Promise<void>;

/** Each step takes the schema from its index to the next version. Steps are never changed, only added. */
const migrations: readonly Migrate[] = [
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
];

/** The schema is of a later program: to go on could lose what that one knows and this one does not. */
class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';

  constructor(found: number) {
    super(
      `the database has schema version ${found}, this program knows ${migrations.length}: ` +
        'start the newer program, or restore the backup that was made before the upgrade',
    );
  }
}

/** Brings the schema up to date in one transaction: all of it, or nothing. */
export async function migrate(database: Kysely<Tables>): Promise<void> {
  if (await isCurrent(database)) return;
  await database.transaction().execute(async (transaction) => {
    await transaction.schema
      .createTable('schema_version')
      .ifNotExists()
      .addColumn('version', 'integer', (column) => column.notNull())
      .execute();
    const row = await transaction.selectFrom('schema_version').select('version').executeTakeFirst();
    const found = row?.version ?? 0;
    if (found > migrations.length) throw new NewerSchemaError(found);
    if (found === migrations.length) return;
    for (const step of migrations.slice(found)) await step(transaction);
    if (row === undefined) {
      await transaction.insertInto('schema_version').values({ version: migrations.length }).execute();
    } else {
      await transaction.updateTable('schema_version').set({ version: migrations.length }).execute();
    }
  });
}

/** Without a write, so that a database on a read-only disk can be used. */
async function isCurrent(database: Kysely<Tables>): Promise<boolean> {
  const tables = await database.introspection.getTables();
  if (!tables.some(({ name }) => name === 'schema_version')) return false;
  const row = await database.selectFrom('schema_version').select('version').executeTakeFirst();
  return row?.version === migrations.length;
}
