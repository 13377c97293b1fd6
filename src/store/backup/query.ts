import type { DatabaseSync } from 'node:sqlite';

/** @returns the names of a table's columns; none: there is no such table */
export function columnsOf(file: DatabaseSync, schema: 'main' | 'now', table: string): readonly string[] {
  return texts(file, `SELECT name FROM pragma_table_info('${table}', '${schema}')`);
}

/** @returns the first column of each row */
export function texts(file: DatabaseSync, sql: string): readonly string[] {
  return file
    .prepare(sql)
    .all()
    .map((row) => String(Object.values(row)[0]));
}
