import { sql, type Kysely } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFailureLimit, type FailureLimit } from '../../../../src/accounts/limits/failure-limit.ts';
import { createWindowsInStore } from '../../../../src/accounts/limits/windows-in-store.ts';
import type { SharingTables } from '../../../../src/store/sharing-schema.ts';
import { startFaultyLink } from '../../../support/faulty-link.ts';
import { emptyDatabase } from '../../../support/postgres.ts';
import { sharedStore } from '../../store/postgres/shared-store.ts';

const client = '203.0.113.9';

async function through(limit: FailureLimit, attempts: number): Promise<number> {
  const all = await Promise.all(Array.from({ length: attempts }, () => limit.reserve(client)));
  return all.filter((attempt) => 'giveBack' in attempt).length;
}

/** Ends all windows that have at most that many milliseconds left. */
const pass = (database: Kysely<SharingTables>, milliseconds: number) =>
  database
    .updateTable('failure_windows')
    .set((eb) => ({ ends: eb('ends', '-', milliseconds) }))
    .where('ends', '<', Date.now() + milliseconds)
    .execute();

/** The only window, as its owner sees it. */
async function onlyPlace(database: Kysely<SharingTables>) {
  const { name, key, ends } = await database
    .selectFrom('failure_windows')
    .selectAll()
    .executeTakeFirstOrThrow();
  return [{ name, most: 1, seconds: 3_600 }, key, ends] as const;
}

describe('counts that gates share', () => {
  test('let no more attempts through than one limit, from however many processes', async () => {
    const { url } = await emptyDatabase();
    const gates = [await sharedStore(url), await sharedStore(url), await sharedStore(url)];
    const limits = gates.map(({ counting }) =>
      createFailureLimit('5/minute', createWindowsInStore(counting)),
    );
    const counts = await Promise.all(limits.map((limit) => through(limit, 70)));
    expect(counts.reduce((sum, count) => sum + count)).toBe(5);
  });

  test('start again after their window; each success gives back only its own place', async () => {
    const { counting } = await sharedStore((await emptyDatabase()).url);
    let elapsed = 0;
    const windows = createWindowsInStore(counting, () => elapsed);
    const limit = createFailureLimit('2/minute;3/hour', windows);
    const attempt = await limit.reserve(client);
    if ('giveBack' in attempt) await attempt.giveBack();
    const late = await limit.reserve(client);
    expect(await through(limit, 9)).toBe(1);
    const refused = await limit.reserve(client);
    expect('retryAfterSeconds' in refused && refused.retryAfterSeconds).toBeGreaterThan(50);
    await pass(counting, 60_000);
    elapsed += 60_000;
    // The minute has ended, so nothing is given back there; the hour continues and gets a place back.
    expect(await through(limit, 9)).toBe(1);
    if ('giveBack' in late) await late.giveBack();
    expect(await through(limit, 9)).toBe(1);
    await pass(counting, 3_600_000);
    elapsed += 3_600_000;
    await windows.prune();
    const { rows } = await sql`SELECT * FROM failure_windows`.execute(counting);
    expect(rows).toEqual([]);
  });

  test('are read once a second when full, so a flood of guesses blocks no other login', async () => {
    const { counting } = await sharedStore((await emptyDatabase()).url);
    let [elapsed, queries] = [0, 0];
    const counted = counting.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const windows = createWindowsInStore(counted, () => elapsed);
    const limit = createFailureLimit('1/hour', windows);
    expect(await through(limit, 200)).toBe(1);
    expect(queries).toBeLessThan(10);
    queries = 0;
    expect(await through(limit, 200)).toBe(0);
    expect(queries).toBe(0);
    elapsed += 1_000;
    expect(await through(limit, 1)).toBe(0);
    expect(queries).toBe(1);
    // A success on another gate gives its place back.
    await createWindowsInStore(counting).giveBack(...(await onlyPlace(counting)));
    elapsed += 1_000;
    expect(await through(limit, 9)).toBe(1);
  });

  test('survive the restart of one gate', async () => {
    const { url } = await emptyDatabase();
    const [one, other] = [await sharedStore(url), await sharedStore(url)];
    const limitOf = ({ counting }: typeof one) =>
      createFailureLimit('5/minute', createWindowsInStore(counting));
    expect(await through(limitOf(one), 9)).toBe(5);
    await one.store.destroy();
    const again = await sharedStore(url);
    expect(await through(limitOf(again), 9)).toBe(0);
    await Promise.all([other.store.destroy(), again.store.destroy()]);
    await expect
      .poll(async () => {
        const gate = await sharedStore(url);
        const count = await through(limitOf(gate), 9);
        await gate.store.destroy();
        return count;
      })
      .toBe(5);
  });

  test('let no one through when the store is unavailable', async () => {
    const database = await emptyDatabase();
    const link = await startFaultyLink(Number(new URL(database.urlAt()).port));
    onTestFinished(() => link.close());
    const { counting } = await sharedStore(database.urlAt(link.port));
    const limit = createFailureLimit('5/minute', createWindowsInStore(counting));
    expect(await through(limit, 1)).toBe(1);
    link.cut();
    await expect(limit.reserve(client)).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  test('drop no caches', async () => {
    const { counting, version } = await sharedStore((await emptyDatabase()).url);
    await expect.poll(version).not.toBeNaN();
    const before = version();
    await through(createFailureLimit('5/minute', createWindowsInStore(counting)), 9);
    await expect.poll(version).toBe(before);
  });
});
