import { beforeEach, expect, test } from 'vitest';
import { createRecorderWriter, type RecorderWriter } from '../../../../src/accounts/users/recorder-writer.ts';
import { emptyDatabase } from '../../../support/postgres.ts';
import type { PostgresDatabase } from '../../../support/postgres-cluster.ts';
import { sharedStore } from '../../store/postgres/shared-store.ts';

const recorder = 'http://recorder:8971';
let database: PostgresDatabase;
let one: RecorderWriter;
let other: RecorderWriter;
let version: () => number;
beforeEach(async () => {
  database = await emptyDatabase();
  const shared = await sharedStore(database.url);
  ({ version } = shared);
  one = createRecorderWriter(shared.activity, 'one');
  other = createRecorderWriter(shared.activity, 'other');
});
const at = async (writer: RecorderWriter, name = recorder) => [...(await writer.at(name))].sort();

test('one of several processes gets the lease, and keeps it', async () => {
  const asked = await Promise.all([one, other, one, other].map((writer) => writer.mayWrite(recorder)));
  expect([asked[0] !== asked[1], asked[0] === asked[2], asked[1] === asked[3]]).toEqual([true, true, true]);
  const [writer, waiting] = asked[0] === true ? [one, other] : [other, one];
  expect([await waiting.mayWrite(recorder), await writer.mayWrite(recorder)]).toEqual([false, true]);
  expect(await waiting.mayWrite('http://another:8971')).toBe(true);
});

test('another process gets the lease after half a minute, or after a release', async () => {
  await one.mayWrite(recorder);
  const [{ left } = {}] = await database.query(
    'SELECT extract(epoch FROM until - now())::float AS left FROM recorder_writers',
  );
  expect(left).toBeGreaterThan(20);
  expect(left).toBeLessThanOrEqual(30);
  await database.query("UPDATE recorder_writers SET until = now() - interval '1 second'");
  expect([await other.mayWrite(recorder), await one.mayWrite(recorder)]).toEqual([true, false]);
  await one.release();
  expect(await one.mayWrite(recorder)).toBe(false);
  await other.release();
  expect(await one.mayWrite(recorder)).toBe(true);
});

test('all processes share the names, and keep their caches', async () => {
  const before = version();
  await one.keep(recorder, new Set(['family', 'guests']));
  await other.keep(recorder, new Set(['guests', 'staff']));
  await one.keep('http://another:8971', new Set(['theirs']));
  expect([await at(one), await at(other)]).toEqual([
    ['guests', 'staff'],
    ['guests', 'staff'],
  ]);
  expect(version()).toBe(before);
});
