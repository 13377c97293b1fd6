import type { Kysely, Transaction } from 'kysely';

/** The table that every database of ours has. */
export interface VersionTable {
  readonly schema_version: { version: number };
}

/** One step. @param found version of the schema before the first step; 0: the database is new */
export type Migration = (transaction: Transaction<VersionTable>, found: number) => Promise<void>;

/** The schema is of a later program: to go on could lose what that one knows and this one does not. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
  readonly found: number;
  readonly known: number;

  constructor(found: number, known: number) {
    super(`the database has schema version ${found}, this program knows ${known}`);
    this.found = found;
    this.known = known;
  }
}

/**
 * Brings the schema up to date in one transaction: all of it, or nothing.
 * @param migrations each takes the schema from its index to the next version
 * @param beforeUpgrade called with the version of a database that is not new, before the first step, while nobody else can
 * write; what it throws stops the upgrade
 * @throws NewerSchemaError
 */
export async function migrate(
  database: Kysely<VersionTable>,
  migrations: readonly Migration[],
  beforeUpgrade?: (found: number) => Promise<void>,
): Promise<void> {
  if (await isCurrent(database, migrations.length)) return;
  await database.transaction().execute(async (transaction) => {
    await transaction.schema
      .createTable('schema_version')
      .ifNotExists()
      .addColumn('version', 'integer', (column) => column.notNull())
      .execute();
    const row = await transaction.selectFrom('schema_version').select('version').executeTakeFirst();
    const found = row?.version ?? 0;
    if (found > migrations.length) throw new NewerSchemaError(found, migrations.length);
    if (found === migrations.length) return;
    if (found > 0) await beforeUpgrade?.(found);
    for (const step of migrations.slice(found)) await step(transaction, found);
    if (row === undefined) {
      await transaction.insertInto('schema_version').values({ version: migrations.length }).execute();
    } else {
      await transaction.updateTable('schema_version').set({ version: migrations.length }).execute();
    }
  });
}

/** Without a write, so that a database on a read-only disk can be used. */
async function isCurrent(database: Kysely<VersionTable>, version: number): Promise<boolean> {
  const tables = await database.introspection.getTables();
  if (!tables.some(({ name }) => name === 'schema_version')) return false;
  const row = await database.selectFrom('schema_version').select('version').executeTakeFirst();
  return row?.version === version;
}
