import { expect, test } from 'vitest';
import { createAuditTable, inSlices, type TimedEntry } from '../../../src/audit/audit-table.ts';
import { emptyDatabase } from '../../support/postgres.ts';
import { sharedStore } from '../store/postgres/shared-store.ts';

test('gates that share a store wait for one insert of each other, not one for each record', async () => {
  const { activity } = await sharedStore((await emptyDatabase()).url);
  let queries = 0;
  const counted = activity.withPlugin({
    transformQuery: ({ node }) => {
      queries += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const table = createAuditTable(counted);
  const entries = Array.from({ length: 100 }, (_, at): TimedEntry => ({
    entry: { event: 'login', user: `user${at}` },
    at,
  }));
  const limits = { session: 1_000, refusal: 1_000 };
  await table.add(entries.slice(0, 1), limits);
  queries = 0;
  await table.add(entries.slice(1), limits);
  // The lock, and the records.
  expect(queries).toBe(2);
  const rows = await activity.selectFrom('audit_records').select('username').orderBy('record_id').execute();
  expect(rows.map(({ username }) => username)).toEqual(entries.map(({ entry }) => entry.user));
});

test('others run between two slices, and it ends with the first empty one, or when it is stopped', async () => {
  const order: string[] = [];
  const removing = (counts: number[]) => async () => {
    order.push('slice');
    setImmediate(() => order.push('other'));
    return counts.shift() ?? 0;
  };
  await inSlices(removing([250, 250]));
  expect(order.slice(0, 5)).toEqual(['slice', 'other', 'slice', 'other', 'slice']);
  const stop = new AbortController();
  let slices = 0;
  await inSlices(async () => {
    slices += 1;
    if (slices === 2) stop.abort();
    return 250;
  }, stop.signal);
  expect(slices).toBe(2);
});
