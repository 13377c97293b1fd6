import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const sample = join(import.meta.dirname, '..', '..', 'test', 'support', 'recorder.db');

/** A number among the first events and its id; 1,000 ids fit the 16 KiB that Node takes for a request's head. */
export function eventId(n: number): string {
  return `${String(n).padStart(8, '0')}-${((n * 40_503) & 0xffff).toString(16).padStart(4, '0')}`;
}

/**
 * Makes a recorder's database with so many events, with the schema and the indexes of the sample.
 * The indexes come last, and nothing is written through: ten million rows take half a minute.
 */
export function makeEventDatabase(path: string, size: number): void {
  const recorder = new DatabaseSync(sample, { readOnly: true });
  const schema = recorder
    .prepare("SELECT type, sql FROM sqlite_schema WHERE tbl_name = 'event' AND sql IS NOT NULL")
    .all() as Array<{ readonly type: string; readonly sql: string }>;
  recorder.close();
  const made = new DatabaseSync(path);
  made.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -500000');
  const create = (type: string) => {
    for (const { sql } of schema.filter((part) => part.type === type)) made.exec(sql);
  };
  create('table');
  made
    .prepare(
      `WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?)
       INSERT INTO event (id, label, camera, start_time, end_time, zones, has_clip, has_snapshot,
                          retain_indefinitely, data)
       SELECT printf('%08d-%04x', n, (n * 40503) & 65535), 'person', 'camera_' || (n % 10),
              1700000000.25 + n, 1700000010.5 + n, '["yard"]', 1, 1, 0,
              '{"box": [0.425, 0.827, 0.124, 0.223], "score": 0.589, "type": "object"}'
         FROM numbers`,
    )
    .run(size);
  create('index');
  made.close();
}
