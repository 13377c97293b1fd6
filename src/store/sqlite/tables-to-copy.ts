import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { openToRead } from './copy-database.ts';

/** A table of a SQLite store, to be copied to another database. */
export interface TableToCopy {
  readonly name: string;
  readonly count: number;
  /** The highest number ever used, for tables with autoincrement. */
  readonly lastNumber: number | undefined;
  /** By column name; rows are read lazily. */
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

/** From AUTOINCREMENT's own table. */
function lastNumberOf(file: DatabaseSync, name: string): number | undefined {
  if (file.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'").get() === undefined)
    return undefined;
  const seq = file.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(name)?.['seq'];
  return seq === undefined || Number(seq) < 1 ? undefined : Number(seq);
}
