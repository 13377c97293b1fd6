import {
  sql,
  type Kysely,
  type Transaction,
  DataTypeNode,
  OperationNodeTransformer,
  RawNode,
  type ColumnDefinitionNode,
  type KyselyPlugin,
  type QueryId,
} from 'kysely';
import { accounts } from '../accounts-migrations.ts';
import { activity } from '../activity-schema.ts';
import type { SchemaPart, VersionTable } from '../migrate.ts';
import { sharing } from '../sharing-schema.ts';
import { StoreError } from '../store.ts';
import type { Client } from './client.ts';

/** Each has a version of its own. */
const parts: readonly SchemaPart[] = [accounts, activity, sharing];

/** The versions of the parts. `accounts` keeps the name that SQLite uses for its only part. */
interface PartsTable {
  readonly schema_version: {
    part: SchemaPart['name'] | typeof markName;
    version: number;
    usable_from: number;
  };
}

/** The row by which a database of a release is known, from 2.0 on. */
const markName = 'postern';

/** Held during a migration; other processes wait. */
export const migrationLock = 7_065_163_002;

/**
 * Brings the schema up to date in one transaction. If several processes start, the first one does it.
 * @param isAlone whether no other process works with the store
 * @throws StoreError
 */
export async function migratePostgres(
  database: Kysely<VersionTable>,
  isAlone: (on: Transaction<VersionTable>) => Promise<boolean>,
  known: readonly SchemaPart[] = parts,
): Promise<void> {
  await database.transaction().execute((transaction) => migrateWithin(transaction, isAlone, known));
}

/** Does the same within a transaction. Until it ends no other process migrates. @throws StoreError */
export async function migrateWithin(
  transaction: Transaction<VersionTable>,
  isAlone: (on: Transaction<VersionTable>) => Promise<boolean>,
  known: readonly SchemaPart[] = parts,
): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${migrationLock})`.execute(transaction);
  const on = transaction.withPlugin(columnTypes);
  await on.schema
    .createTable('schema_version')
    .ifNotExists()
    .addColumn('part', 'varchar(16)', (column) => column.primaryKey())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('usable_from', 'integer', (column) => column.notNull())
    .execute();
  const versions = transaction as unknown as Transaction<PartsTable>;
  const rows = await versions.selectFrom('schema_version').selectAll().execute();
  const found = new Map(rows.map((row) => [row.part, row]));
  if (!found.has(markName)) {
    await requireReleased(transaction, found.get('accounts')?.version);
    await versions
      .insertInto('schema_version')
      .values({ part: markName, version: 1, usable_from: 0 })
      .execute();
  }
  for (const { name, steps, usableFrom: oldest } of known) {
    const { version = 0, usable_from: usable = 0 } = found.get(name) ?? {};
    if (usable > steps.length) throw newer(name, version, steps.length);
    if (version >= steps.length) continue;
    // Running programs support at least as many steps as the schema has.
    if (version > 0 && version < oldest && !(await isAlone(transaction)))
      throw notAlone(name, version, steps.length);
    for (const step of steps.slice(version)) await step(on);
    const row = { version: steps.length, usable_from: oldest };
    await versions
      .insertInto('schema_version')
      .values({ part: name, ...row })
      .onConflict((conflict) => conflict.column('part').doUpdateSet(row))
      .execute();
  }
}

/**
 * Checks that a connection leads to the store this program works with: not a replica, which may lag behind, and not a schema
 * that a newer program upgraded while this one was cut off.
 * @throws StoreError
 */
export async function requireOwnStore(connection: Client): Promise<void> {
  const { rows } = await connection.query<{
    readonly standby: boolean;
    readonly part: SchemaPart['name'];
    readonly version: number;
    readonly usable_from: number;
  }>('SELECT pg_is_in_recovery() AS standby, part, version, usable_from FROM schema_version');
  for (const { standby, part, version, usable_from: usable } of rows) {
    if (standby) throw new StoreError('store.url: this is a read-only copy of another server');
    const known = parts.find(({ name }) => name === part)?.steps.length;
    if (known !== undefined && usable > known) throw newer(part, version, known);
  }
}

/** 1.0.0 set no mark. @param version of the accounts, or `undefined` for a new database. @throws StoreError */
async function requireReleased(on: Transaction<VersionTable>, version: number | undefined): Promise<void> {
  if (version === undefined) return;
  const table = accounts.mark?.tableOfRelease ?? '';
  const { rows } = await sql<{
    readonly has: boolean;
  }>`SELECT to_regclass(${table}) IS NOT NULL AS has`.execute(on);
  if (version > 1 || rows[0]?.has !== true)
    throw new StoreError(
      'store.url: the database is of a development version before 1.0.0, which no release reads: docs/upgrade.md has what to do',
    );
}

function newer(part: string, found: number, known: number): StoreError {
  return new StoreError(
    `store.url: the database has version ${found} of the schema "${part}", this program knows ${known}: start the newer program`,
  );
}

function notAlone(part: string, found: number, known: number): StoreError {
  return new StoreError(
    `store.url: the database has version ${found} of the schema "${part}", and processes work with it that do not know version ${known}: stop all of them, then start this program`,
  );
}

/**
 * Maps column types of the migrations to PostgreSQL: autoincrement is a type of its own, and names compare byte by byte, as in
 * SQLite, whatever the language of the database is.
 */
const columnTypes: KyselyPlugin = {
  transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
  transformResult: async ({ result }) => result,
};

class ColumnTypes extends OperationNodeTransformer {
  protected override transformColumnDefinition(
    node: ColumnDefinitionNode,
    queryId?: QueryId,
  ): ColumnDefinitionNode {
    const column = super.transformColumnDefinition(node, queryId);
    if (column.autoIncrement === true)
      return { ...column, autoIncrement: false, dataType: DataTypeNode.create('bigserial') };
    const { dataType } = column;
    const isName = DataTypeNode.is(dataType) && dataType.dataType.startsWith('varchar');
    return isName ? { ...column, dataType: RawNode.createWithSql('text COLLATE "C"') } : column;
  }
}

const transformer = new ColumnTypes();
