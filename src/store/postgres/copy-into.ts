import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import { Pool } from 'pg';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { VersionTable } from '../migrate.ts';
import { StoreError } from '../store.ts';
import { Client, clientConfig, postgresError, requireUsableServer } from './client.ts';
import { migrateWithin } from './migrate-postgres.ts';
import { isAlone } from './open-store.ts';
import { openToRead } from '../sqlite/copy-database.ts';

type Copying = Transaction<VersionTable>;

/** The number of rows in each table now. */
export type CopiedTables = ReadonlyMap<string, number>;

// A few megabytes if all rows are long.
const rowsAtOnce = 1_000;

// Milliseconds that a busy machine may need to read the next rows.
const betweenBatches = 60_000;

/** Copies tables into an empty database, referenced tables first, in one transaction. @throws StoreError */
export async function copyInto(url: string, tables: readonly TableToCopy[]): Promise<CopiedTables> {
  const config = clientConfig(url);
  await requireUsableServer(config);
  const pool = new Pool({
    ...config,
    Client,
    max: 1,
    idle_in_transaction_session_timeout: betweenBatches,
  });
  pool.on('error', () => undefined);
  const database = new Kysely<VersionTable>({ dialect: new PostgresDialect({ pool }) });
  try {
    return await database.transaction().execute(async (transaction) => {
      await migrateWithin(transaction, isAlone);
      await requireUnused(transaction, tables);
      const copied = new Map<string, number>();
      for (const table of tables) copied.set(table.name, await copy(transaction, table));
      return copied;
    });
  } catch (error) {
    throw postgresError(error);
  } finally {
    await database.destroy();
  }
}

async function requireUnused(on: Copying, tables: readonly TableToCopy[]): Promise<void> {
  if (!(await isAlone(on))) throw new StoreError('gates work with that database: stop them first');
  for (const name of [...tables.map((table) => table.name), 'custom_roles']) {
    if ((await countOf(on, name)) > 0)
      throw new StoreError(
        `that database is in use: there are rows in its table ${name}; name an empty database`,
      );
  }
}

async function copy(on: Copying, table: TableToCopy): Promise<number> {
  const { name, count, lastNumber } = table;
  const into = sql.table(name);
  await sql`DELETE FROM ${into}`.execute(on);
  for (const rows of batches(table.rows())) {
    await sql`INSERT INTO ${into}
      SELECT * FROM json_populate_recordset(NULL::${into}, ${JSON.stringify(rows)})`.execute(on);
  }
  if (lastNumber !== undefined) await goOnAfter(on, name, lastNumber);
  const copied = await countOf(on, name);
  if (copied !== count)
    throw new StoreError(`of ${count} rows of ${name} ${copied} were copied: nothing was changed`);
  return copied;
}

/** No number is used twice. */
async function goOnAfter(on: Copying, name: string, last: number): Promise<void> {
  const { rows } = await sql<{ readonly sequence: string }>`
    SELECT pg_get_serial_sequence(table_name, column_name) AS sequence FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = ${name} AND column_default LIKE 'nextval(%'`.execute(
    on,
  );
  for (const { sequence } of rows) await sql`SELECT setval(${sequence}, ${last})`.execute(on);
}

async function countOf(on: Copying, name: string): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`SELECT count(*) FROM ${sql.table(name)}`.execute(on);
  return rows[0]?.count ?? 0;
}

function* batches<T>(rows: Iterable<T>): Generator<T[]> {
  let batch: T[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < rowsAtOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** A table of a SQLite store, to be copied to another database. */
interface TableToCopy {
  readonly name: string;
  readonly count: number;
  /** The highest number ever used, for tables with autoincrement. */
  readonly lastNumber: number | undefined;
  /** Rows by column name; they are read lazily. */
  readonly rows: () => Iterable<Readonly<Record<string, SQLOutputValue>>>;
}

/** Opens a closed database. @returns its tables, each after those it refers to, until it is disposed of */
export function tablesToCopy(path: string): Disposable & { readonly tables: readonly TableToCopy[] } {
  const file = openToRead(path);
  const names = file
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'schema_version' ORDER BY rowid",
    )
    .all();
  const tables = names.map(({ name }) => tableOf(file, String(name)));
  return { tables, [Symbol.dispose]: () => file.close() };
}

function tableOf(file: DatabaseSync, name: string): TableToCopy {
  const count = Number(file.prepare(`SELECT count(*) AS count FROM "${name}"`).get()?.['count']);
  return {
    name,
    count,
    lastNumber: lastNumberOf(file, name),
    *rows() {
      for (const row of file.prepare(`SELECT * FROM "${name}"`).iterate()) yield withoutNul(row);
    },
  };
}

/** PostgreSQL text cannot hold a NUL, and a lone surrogate is not valid text in SQLite either. */
function withoutNul(row: Record<string, SQLOutputValue>): Record<string, SQLOutputValue> {
  for (const [column, value] of Object.entries(row))
    if (typeof value === 'string' && value.includes('\0')) row[column] = value.replaceAll('\0', '\uFFFD');
  return row;
}

/** Reads AUTOINCREMENT's own table. */
function lastNumberOf(file: DatabaseSync, name: string): number | undefined {
  if (file.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'").get() === undefined)
    return undefined;
  const seq = file.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(name)?.['seq'];
  return seq === undefined || Number(seq) < 1 ? undefined : Number(seq);
}
