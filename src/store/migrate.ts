import type { ColumnDefinitionBuilder, Kysely, Transaction } from 'kysely';

/** Every database of the program has this table. */
export interface VersionTable {
  readonly schema_version: { version: number };
}

/** Migrates a schema to the next version. */
export type Migration = (transaction: Transaction<VersionTable>) => Promise<void>;

/** A schema: a whole SQLite database, or a part of the PostgreSQL one. */
export interface SchemaPart {
  readonly name: 'accounts' | 'activity' | 'sharing';
  /** Lead from an empty database to the current schema; the version is the number of steps. A released step never changes. */
  readonly steps: readonly Migration[];
  /** How many steps a program must have at least to work with a schema that has all of them. */
  readonly usableFrom: number;
  /** Tells a released database from one of the development before 1.0.0, whose versions began at 1 too. */
  readonly mark?: SchemaMark;
}

export interface SchemaMark {
  /** `application_id` of a SQLite file, from 2.0 on. */
  readonly applicationId: number;
  /** A table that 1.0.0 has with version 1, and no version 1 before. */
  readonly tableOfRelease: string;
}

/** The schema is not one of a release: its numbers mean other tables. */
export class ForeignSchemaError extends Error {
  override readonly name = 'ForeignSchemaError';
}

export function required(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder {
  return column.notNull();
}

/** The schema is from a later program: to continue could lose data that only the later one handles. */
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
 * Brings the schema up to date in one transaction.
 * @param begin called in the transaction of an upgrade, or of a new database
 * @param beforeUpgrade called with the version of an existing database before the first step, while no one else can write; an
 * error it throws stops the upgrade
 * @throws NewerSchemaError
 */
export async function migrate(
  database: Kysely<VersionTable>,
  steps: readonly Migration[],
  beforeUpgrade?: (found: number) => Promise<void>,
  begin?: (transaction: Transaction<VersionTable>) => Promise<unknown>,
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
    await begin?.(transaction);
    for (const step of steps.slice(found)) await step(transaction);
    if (row === undefined) {
      await transaction.insertInto('schema_version').values({ version: steps.length }).execute();
    } else {
      await transaction.updateTable('schema_version').set({ version: steps.length }).execute();
    }
  });
}

/** Needs no write, so that a database on a read-only disk can be used. */
async function isCurrent(database: Kysely<VersionTable>, version: number): Promise<boolean> {
  const tables = await database.introspection.getTables();
  if (!tables.some(({ name }) => name === 'schema_version')) return false;
  const row = await database.selectFrom('schema_version').select('version').executeTakeFirst();
  return row?.version === version;
}
