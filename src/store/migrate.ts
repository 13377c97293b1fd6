import type { ColumnDefinitionBuilder, Kysely, Transaction } from 'kysely';

/** The table that every database of ours has. */
export interface VersionTable {
  readonly schema_version: { version: number };
}

/** Takes a schema from one version to the next. */
export type Migration = (transaction: Transaction<VersionTable>) => Promise<void>;

/** A schema: the whole of one of SQLite's databases, or a part of PostgreSQL's one. */
export interface SchemaPart {
  readonly name: 'accounts' | 'activity' | 'sharing';
  /** From nothing to the schema as it is now; the version is their number. One that was released never changes. */
  readonly steps: readonly Migration[];
  /** How many steps a program must know at least to work beside this one, with the schema after all of them. */
  readonly usableFrom: number;
}

export function required(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder {
  return column.notNull();
}

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
 * @param beforeUpgrade called with the version of a database that is not new, before the first step, while nobody else can
 * write; what it throws stops the upgrade
 * @throws NewerSchemaError
 */
export async function migrate(
  database: Kysely<VersionTable>,
  steps: readonly Migration[],
  beforeUpgrade?: (found: number) => Promise<void>,
): Promise<void> {
  if (await isCurrent(database, steps.length)) return;
  await database.transaction().execute(async (transaction) => {
    await transaction.schema
      .createTable('schema_version')
      .ifNotExists()
      .addColumn('version', 'integer', (column) => column.notNull())
      .execute();
    const row = await transaction.selectFrom('schema_version').select('version').executeTakeFirst();
    const found = row?.version ?? 0;
    if (found > steps.length) throw new NewerSchemaError(found, steps.length);
    if (found === steps.length) return;
    if (found > 0) await beforeUpgrade?.(found);
    for (const step of steps.slice(found)) await step(transaction);
    if (row === undefined) {
      await transaction.insertInto('schema_version').values({ version: steps.length }).execute();
    } else {
      await transaction.updateTable('schema_version').set({ version: steps.length }).execute();
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
