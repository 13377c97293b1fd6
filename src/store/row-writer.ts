import { sql, type RawBuilder } from 'kysely';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ActivityTables } from './activity-schema.ts';
import { inEngine, isPostgres } from './engine.ts';
import type { Activity } from './store.ts';
import { createWriteBehind, type WriteBehindOptions } from './write-behind.ts';

/** How the values of a column merge when a later row has the same key. */
type Merging = 'later' | 'sum' | 'least' | 'greatest';

type Row<Key extends string> = Readonly<Record<Key, string> & Record<string, string | number | null>>;

/** Rows that describe what was last seen of something: they are written later, and no caller waits for it. */
export interface RowWriter<Written> {
  /** Merges the row with an existing or pending one. */
  put(row: Written): void;
  /** Whether a row with another key would be dropped. */
  isFull(): boolean;
  remove(key: string): void;
  /** Deletes written rows at once. */
  removeWritten(keys: readonly string[]): Promise<void>;
  /** @returns all rows, including those not written yet */
  list(): Promise<Written[]>;
  /** Deletes all rows except those with these keys. */
  keep(keys: ReadonlySet<string>): Promise<void>;
  /** Writes everything that is pending. */
  flush(): Promise<void>;
  /** Writes what is pending and stops. */
  close(): Promise<void>;
}

export interface RowWriterOptions<Key extends string, Written extends Row<Key>> extends Pick<
  WriteBehindOptions<Written>,
  'interval' | 'batch' | 'most' | 'onError'
> {
  readonly activity: Activity;
  readonly table: keyof ActivityTables;
  readonly key: Key;
  readonly columns: Readonly<Record<Exclude<keyof Written, Key>, Merging>>;
  /** Called after each successful write. */
  readonly onWritten?: () => void;
  /** Called for each row that found no place. */
  readonly onDrop?: () => void;
}

type Note<Written> = { readonly row: Written } | { readonly removed: string };

export function createRowWriter<Key extends string, Written extends Row<Key>>(
  options: RowWriterOptions<Key, Written>,
): RowWriter<Written> {
  const { activity, table, key, columns, onWritten, ...behindOptions } = options;
  const mergings = Object.entries(columns) as Array<[column: keyof Written & string, how: Merging]>;

  const merge = (earlier: Written, later: Written): Written => ({
    ...later,
    ...Object.fromEntries(
      mergings.map(([column, how]) => [column, merged(how, earlier[column], later[column])]),
    ),
  });

  const remove = async (keys: readonly string[]) => {
    const listed = inEngine(activity, { sqlite: 'json_each', postgres: 'json_array_elements_text' });
    await sql`DELETE FROM ${sql.table(table)} WHERE ${sql.ref(key)} IN (
      SELECT value FROM ${listed}(${JSON.stringify(keys)}))`.execute(activity);
  };

  /** One statement for any number of rows: Kysely would take longer to build one for each than SQLite to run it. */
  const upsert = async (rows: readonly Written[]) => {
    // Sorted, so that two processes wait for each other in one direction only, and cannot deadlock.
    const json = JSON.stringify(rows.toSorted((one, other) => (one[key] < other[key] ? -1 : 1)));
    const inPostgres = isPostgres(activity);
    const names = [key, ...mergings.map(([column]) => column)];
    const values = names.map((name) => (inPostgres ? sql.ref(name) : sql`value ->> ${sql.lit(name)}`));
    const from = inPostgres
      ? sql`json_populate_recordset(NULL::${sql.table(table)}, ${json}::json)`
      : sql`json_each(${json})`;
    const changes = mergings.map(([column, how]) => {
      const [before, later] = [sql.ref(`${table}.${column}`), sql.ref(`excluded.${column}`)];
      return sql`${sql.ref(column)} = ${mergedInStore(how, before, later, inPostgres)}`;
    });
    await sql`
      INSERT INTO ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
      SELECT ${sql.join(values)} FROM ${from} WHERE true
      ON CONFLICT (${sql.ref(key)}) DO UPDATE SET ${sql.join(changes)}`.execute(activity);
  };

  const behind = createWriteBehind<Note<Written>>({
    ...behindOptions,
    write: async (notes) => {
      // Between batches, other work gets its turn.
      await nextTurn();
      const rows = notes.flatMap((note) => ('row' in note ? [note.row] : []));
      const removed = notes.flatMap((note) => ('removed' in note ? [note.removed] : []));
      if (rows.length > 0) await upsert(rows);
      if (removed.length > 0) await remove(removed);
      onWritten?.();
    },
    merge: (earlier, later) =>
      'row' in earlier && 'row' in later ? { row: merge(earlier.row, later.row) } : later,
  });
  const select = async <Selected>(selected: 'all' | 'keys') =>
    (
      await sql<Selected>`SELECT ${selected === 'all' ? sql`*` : sql.ref(key)} FROM ${sql.table(table)}`.execute(
        activity,
      )
    ).rows;

  return {
    put: (row) => behind.put({ row }, row[key]),
    isFull: behind.isFull,
    remove: (removed) => behind.put({ removed }, removed),
    removeWritten: remove,

    list: async () => {
      await behind.flush();
      const rows = new Map((await select<Written>('all')).map((row) => [row[key], row]));
      for (const note of behind.unwritten()) {
        if ('removed' in note) continue;
        const written = rows.get(note.row[key]);
        rows.set(note.row[key], written === undefined ? note.row : merge(written, note.row));
      }
      return [...rows.values()];
    },

    keep: async (keys) => {
      await behind.flush();
      const gone = (await select<Written>('keys')).map((row) => row[key]).filter((id) => !keys.has(id));
      if (gone.length > 0) await remove(gone);
    },

    flush: behind.flush,
    close: behind.close,
  };
}

function merged<Value extends string | number | null>(how: Merging, earlier: Value, later: Value): Value {
  if (how === 'later') return later;
  const [one, other] = [Number(earlier), Number(later)];
  const number = how === 'sum' ? one + other : how === 'least' ? Math.min(one, other) : Math.max(one, other);
  return number as Value;
}

function mergedInStore(
  how: Merging,
  earlier: RawBuilder<unknown>,
  later: RawBuilder<unknown>,
  inPostgres: boolean,
): RawBuilder<unknown> {
  if (how === 'later') return later;
  if (how === 'sum') return sql`${earlier} + ${later}`;
  const [least, greatest] = inPostgres ? [sql`least`, sql`greatest`] : [sql`min`, sql`max`];
  return sql`${how === 'least' ? least : greatest}(${earlier}, ${later})`;
}
