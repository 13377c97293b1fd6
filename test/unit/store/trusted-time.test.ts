import { beforeEach, expect, test } from 'vitest';
import { createAuditTable } from '../../../src/audit/audit-table.ts';
import { unconditional } from '../../../src/store/permit.ts';
import type { Activity, Store } from '../../../src/store/store.ts';
import { openTrustedTime, readTrustedClock } from '../../../src/store/trusted-time.ts';
import { temporaryActivity, temporaryStore } from './temporary-store.ts';

const [minute, hour, year] = [60_000, 3_600_000, 365 * 86_400_000];
const friday = Date.parse('2026-11-27T18:00:00Z');
/** What the machine's clock shows, and what has really passed. */
let shown: number;
let elapsed: number;
let store: Store;
let activity: Activity;
beforeEach(async () => {
  shown = friday;
  elapsed = 5_000;
  [store, activity] = [await temporaryStore(), await temporaryActivity()];
});
const clocks = { machine: { now: () => shown }, elapsed: () => elapsed };
/** As a start of a gate does. */
const start = (more: object = {}) => openTrustedTime({ store, ...clocks, ...more });
const pass = (milliseconds: number) => {
  shown += milliseconds;
  elapsed += milliseconds;
};
const saved = () => store.selectFrom('trusted_time').selectAll().execute();
const savedAt = async () => ((await saved())[0]?.at ?? 0) * 1_000 - friday;

test('saves the time once a minute, and at a stop', async () => {
  const { clock, keep, save } = await start();
  expect(await saved()).toEqual([]);
  await keep();
  expect(await saved()).toEqual([{ at: friday / 1_000, resets: 0 }]);
  pass(minute - 1_000);
  await keep();
  expect(await savedAt()).toBe(0);
  pass(1_000);
  await keep();
  expect(await savedAt()).toBe(minute);
  pass(2_000);
  await save();
  expect([await savedAt(), clock.isBehind()]).toEqual([minute + 2_000, false]);
});

test('a start goes on from the saved time, and so does the time that is saved meanwhile', async () => {
  await (await start()).keep();
  shown -= year;
  const { clock, keep } = await start();
  pass(hour);
  expect([clock.now() - friday, clock.isBehind()]).toEqual([hour, true]);
  await keep();
  expect(await savedAt()).toBe(hour);
  shown -= year;
  // However often it starts.
  const again = await start();
  expect([again.clock.now() - friday, again.clock.isBehind()]).toEqual([hour, true]);
  const command = await readTrustedClock(store, clocks);
  expect(command.now() - friday).toBe(hour);
});

test('gates on one store have the latest time of all', async () => {
  const [one, other] = [await start(), await start({ machine: { now: () => shown - year } })];
  await one.keep();
  expect(other.clock.isBehind()).toBe(false);
  await other.keep();
  expect([other.clock.isBehind(), other.clock.now()]).toEqual([true, friday]);
  // The one that is behind never takes the time back.
  await other.save();
  expect(await savedAt()).toBe(0);
});

test('a reset counts for gates that run, whose own time is not saved any more', async () => {
  const { clock, keep, save } = await start();
  await keep();
  shown -= year;
  expect(clock.isBehind()).toBe(true);
  await store.change(unconditional, (on) =>
    on
      .updateTable('trusted_time')
      .set({ at: shown / 1_000, resets: 1 })
      .execute(),
  );
  await save();
  expect([clock.isBehind(), clock.now() - shown, await savedAt()]).toEqual([false, 0, -year]);
  await keep();
  expect(clock.isBehind()).toBe(false);
});

test('without a saved time, the last pruning or the newest audit record counts', async () => {
  await createAuditTable(activity).add([{ entry: { event: 'login' }, at: friday }], {
    session: 10,
    refusal: 10,
  });
  shown -= year;
  expect((await start({ activity })).clock.now()).toBe(friday);
  await store.change(unconditional, (on) =>
    on
      .insertInto('last_pruning')
      .values({ at: (friday + hour) / 1_000 })
      .execute(),
  );
  expect((await start({ activity })).clock.now()).toBe(friday + hour);
  expect((await start()).clock.now()).toBe(friday + hour);
});
