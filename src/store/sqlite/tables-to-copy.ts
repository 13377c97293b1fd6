import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { openToRead } from './copy-database.ts';

/** A table of a gate's files, for another database to take. */
export interface TableToCopy {
  readonly name: string;
  readonly count: number;
  /** The greatest number that a row ever had, where rows are counted up. */
  readonly lastNumber: number | undefined;
  /** By names of columns; read as they are asked for. */
  readonly rows: () => Iterable<Readonly<Record<string, SQLOutputValue>>>;
}

/** Opens a database that nobody writes to. @returns its tables, each after those that it refers to, until it is disposed of */
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

/** PostgreSQL has no text with a NUL in it; a lone surrogate is no text of SQLite's either. */
function withoutNul(row: Record<string, SQLOutputValue>): Record<string, SQLOutputValue> {
  for (const [column, value] of Object.entries(row))
    if (typeof value === 'string' && value.includes('\0')) row[column] = value.replaceAll('\0', '\uFFFD');
  return row;
}

/** As AUTOINCREMENT knows it. */
function lastNumberOf(file: DatabaseSync, name: string): number | undefined {
  if (file.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'").get() === undefined)
    return undefined;
  const seq = file.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(name)?.['seq'];
  return seq === undefined || Number(seq) < 1 ? undefined : Number(seq);
}
