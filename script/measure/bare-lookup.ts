import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { eventColumns, toEventRecord, type EventRow } from '../../src/events/event-record.ts';

/**
 * `bare-lookup.ts DATABASE`: the statement of the events app and JSON, behind bare `node:http`; prints where it
 * listens. It answers the records that the events app makes of the rows.
 * `bare-lookup.ts DATABASE LOOKUPS LENGTH SECONDS`: without HTTP, and of the rows as they come; prints lookups a
 * second.
 */
const [path = '', lookups, length = '0', seconds = '1'] = process.argv.slice(2);
const database = new DatabaseSync(path, { readOnly: true });
const columns = eventColumns.map((column) => `"${column}"`).join(', ');
const statement = database.prepare(
  `SELECT ${columns} FROM event WHERE id IN (SELECT value FROM json_each(?))`,
);

function rows(ids: readonly string[]): string {
  return JSON.stringify(statement.all(JSON.stringify(ids)));
}

function records(ids: readonly string[]): string {
  const found = statement.all(JSON.stringify(ids)) as unknown as EventRow[];
  return JSON.stringify(found.map((row) => toEventRecord(row, () => undefined)));
}

if (lookups === undefined) {
  const server = createServer(({ url = '' }, response) => {
    const ids = url.slice(url.indexOf('=') + 1).split(',');
    const body = records(ids);
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  }).listen(0, '127.0.0.1', () => {
    process.stdout.write(`127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  });
} else {
  const text = readFileSync(lookups, 'latin1');
  const size = Number(length);
  const all = Array.from({ length: text.length / size }, (_, i) =>
    text.slice(i * size, (i + 1) * size).split(','),
  );
  const run = (time: number): number => {
    const end = performance.now() + time;
    let done = 0;
    for (; performance.now() < end; done += 1) rows(all[done % all.length] ?? []);
    return done / (time / 1_000);
  };
  run(200);
  process.stdout.write(`${run(Number(seconds) * 1_000)}\n`);
}
