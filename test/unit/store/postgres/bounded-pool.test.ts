import { Kysely, PostgresDialect, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createBoundedPool } from '../../../../src/store/postgres/bounded-pool.ts';
import { clientConfig } from '../../../../src/store/postgres/client.ts';
import { startFaultyLink, type FaultyLink } from '../../../support/faulty-link.ts';
import { emptyDatabase } from '../../../support/postgres.ts';

async function poolOver(timeoutMs: number, connections = 1) {
  const { urlAt } = await emptyDatabase();
  const link = await startFaultyLink(Number(new URL(urlAt()).port));
  const time = { passed: 0 };
  const pool = createBoundedPool({
    config: clientConfig(urlAt(link.port)),
    connections,
    timeoutMs,
    elapsed: () => performance.now() + time.passed,
  });
  const database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  onTestFinished(async () => {
    await database.destroy();
    await link.close();
  });
  const backend = async () => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(database);
    return rows[0]?.pid;
  };
  return { link, time, pool, database, backend };
}

const unavailable = { code: 'store_unavailable' };

test('keeps a connection until the pool is renewed', async () => {
  const { pool, backend } = await poolOver(30_000);
  const first = await backend();
  expect(await backend()).toBe(first);
  pool.renew();
  expect(await backend()).not.toBe(first);
});

test.each<[what: string, fail: (link: FaultyLink) => void]>([
  ['is lost', (link) => link.stall('answers')],
  ['is never asked', (link) => link.stall('questions')],
])('a question whose answer %s fails in time, and the next has another connection', async (_, fail) => {
  const { link, database, backend } = await poolOver(300);
  await expect.poll(() => backend().catch(() => undefined)).toBeDefined();
  fail(link);
  await expect(backend()).rejects.toMatchObject(unavailable);
  await expect(database.transaction().execute(() => backend())).rejects.toMatchObject(unavailable);
  link.restore();
  await expect.poll(() => backend().catch(() => undefined)).toBeDefined();
});

test('rejects an answer that a busy thread reads too late', async () => {
  const { time, database, backend } = await poolOver(30_000);
  await backend();
  const asked = sql`SELECT 1`.execute(database);
  // Everything due in time has happened; the thread reads it only afterwards.
  setImmediate(() => (time.passed = 31_000));
  await expect(asked).rejects.toMatchObject(unavailable);
});

test('a connection that opens too late serves the next caller', async () => {
  const { database, backend } = await poolOver(400);
  await expect.poll(() => backend().catch(() => undefined)).toBeDefined();
  const waitingInVain = database.transaction().execute(() => backend());
  await expect(waitingInVain).rejects.toMatchObject(unavailable);
  await expect.poll(() => backend().catch(() => undefined)).toBeDefined();
});

test('never has more connections than it may, whatever is asked at once', async () => {
  const { database } = await poolOver(30_000, 2);
  const asked = Array.from({ length: 8 }, () =>
    sql<{ pid: number }>`SELECT pg_backend_pid() AS pid, pg_sleep(0.05)`.execute(database),
  );
  const pids = (await Promise.all(asked)).map(({ rows }) => rows[0]?.pid);
  expect(new Set(pids).size).toBeLessThanOrEqual(2);
});

test('a text with a NUL matches nothing, without an error', async () => {
  const { database } = await poolOver(30_000);
  const { rows } = await sql<{ same: boolean }>`SELECT ${'a\0b'}::text = 'ab' AS same`.execute(database);
  expect(rows).toEqual([{ same: false }]);
});
