import { afterAll, describe, expect, test } from 'vitest';
import { indexed } from '../../../src/events/recorder-queries.ts';
import { recorderFile } from './recorder-file.ts';

const file = recorderFile();
file.recorder.exec('PRAGMA synchronous = OFF');
afterAll(() => file.remove());

/** How SQLite finds the rows of the recorder's tables: https://sqlite.org/eqp.html */
function plan(sql: string): string[] {
  const steps = file.recorder.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
  return steps
    .map(({ detail }) => String(detail))
    .filter((detail) => /\b(event|reviewsegment|export)\b/.test(detail));
}

const expected: Readonly<Record<keyof typeof indexed, readonly string[]>> = {
  byId: ['SEARCH event USING INDEX sqlite_autoindex_event_1 (id=?)'],
  newest: ['SEARCH event USING INDEX event_start_time_end_time (start_time>? AND start_time<?)'],
  newestOfLabels: [
    'SEARCH event USING INTEGER PRIMARY KEY (rowid=?)',
    'SEARCH event USING INDEX event_label_start_time (label=? AND start_time>? AND start_time<?)',
  ],
  countOfCameras: ['SEARCH event USING COVERING INDEX event_camera (camera=?)'],
  ofCameras: [
    'SEARCH event USING COVERING INDEX event_camera (camera=?)',
    'SEARCH event USING INTEGER PRIMARY KEY (rowid=?)',
  ],
  cameraOfEvent: ['SEARCH event USING INDEX sqlite_autoindex_event_1 (id=?)'],
  camerasOfEvents: ['SEARCH event USING INDEX sqlite_autoindex_event_1 (id=?)'],
  cameras: [
    'SEARCH event USING COVERING INDEX event_camera',
    'SEARCH event USING COVERING INDEX event_camera (camera>?)',
  ],
  exportById: ['SEARCH export USING INDEX sqlite_autoindex_export_1 (id=?)'],
  camerasOfReview: ['SEARCH reviewsegment USING INDEX sqlite_autoindex_reviewsegment_1 (id=?)'],
  startsOfEvents: ['SEARCH event USING INDEX sqlite_autoindex_event_1 (id=?)'],
  startsOfReview: ['SEARCH reviewsegment USING INDEX sqlite_autoindex_reviewsegment_1 (id=?)'],
};
const queries = Object.entries(indexed) as Array<[keyof typeof indexed, string]>;

describe("each query finds its rows by an index of the recorder's, and scans no table", () => {
  test.each(queries)('%s', (name, sql) => {
    expect(plan(sql)).toEqual(expected[name]);
  });

  const counts = queries.flatMap(([name, sql]) =>
    [1, 2, 5, 500].map((cameras) => [name, cameras, sql] as const),
  );
  test.each(counts)('%s, when SQLite knows that there are %i cameras', (name, cameras, sql) => {
    file.recorder.exec('DELETE FROM event');
    file.recorder
      .exec(`WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)
      INSERT OR IGNORE INTO event (id, label, camera, start_time, zones, has_clip, has_snapshot, retain_indefinitely, data)
      SELECT n, 'label ' || (n % 3), 'camera ' || (n % ${cameras}), n, '[]', 0, 0, 0, '{}' FROM numbers; ANALYZE`);
    expect(plan(sql)).toEqual(expected[name]);
  });
});
