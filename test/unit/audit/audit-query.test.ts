import { assert, asyncProperty, constantFrom, dictionary, oneof, string } from 'fast-check';
import { sql } from 'kysely';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import {
  auditFilter,
  auditQuery,
  createAuditRecords,
  type AuditFilter,
} from '../../../src/audit/audit-query.ts';
import { auditEvents } from '../../../src/audit/audit-events.ts';
import { temporaryActivity } from '../store/temporary-store.ts';
import { temporaryAudit } from './temporary-audit.ts';

const now = 1_800_000_000_000;
const parse = (given: unknown) => v.safeParse(auditQuery, given);
const filterOf = (given: unknown) => auditFilter(v.parse(auditQuery, given), now, 'UTC');

test('parses filters as they are typed', () => {
  expect(filterOf({})).toEqual({ limit: 100 });
  const given = {
    event: 'login, logout',
    search: '%',
    user: 'olaf',
    address: '192.0.2.1',
    result: 'failure',
    since: '2h',
    until: '2027-01-01T00:00:00Z',
    before: '17',
    limit: '500',
  };
  const { event: _, ...others } = given;
  expect(filterOf(given)).toEqual({
    ...others,
    events: ['login', 'logout'],
    since: 1_799_992_800_000,
    until: 1_798_761_600_000,
    before: 17,
    limit: 500,
  });
});

test.each<[given: Record<string, unknown>, said: string]>([
  [{ event: 'nope' }, Object.keys(auditEvents).join(', ')],
  [{ event: 'login,nope' }, 'Events should be'],
  [{ event: '' }, 'Events should be'],
  [{ event: 'constructor' }, 'Events should be'],
  [{ result: 'maybe' }, 'success or failure'],
  [{ since: 'yesterday' }, 'a time such as'],
  [{ until: '2026-02-30' }, 'a time such as'],
  [{ before: '-1' }, 'the id of a record'],
  [{ before: '1e3' }, 'the id of a record'],
  [{ limit: '0' }, '1 to 500'],
  [{ limit: '501' }, '1 to 500'],
  [{ limit: '5.5' }, '1 to 500'],
  [{ user: '' }, 'empty'],
  [{ user: ['a', 'b'] }, 'Expected string'],
  [{ users: 'olaf' }, 'users'],
])('%j: %s', (given, said) => {
  const { success, issues } = parse(given);
  expect(success).toBe(false);
  expect(issues?.map(({ message }) => message).join()).toContain(said);
});

test('any filter is either refused or works in the database', async () => {
  const { records, audit } = await temporaryAudit();
  await audit.record({ event: 'login', user: 'olaf' });
  const text = oneof(
    string(),
    constantFrom('login', 'refused,login', 'success', '2h', '2026-01-01', '5', "'; DROP TABLE x; --"),
  );
  const names = ['event', 'search', 'user', 'address', 'result', 'since', 'until', 'before', 'limit'];
  const filter = dictionary(constantFrom(...names), text);
  await assert(
    asyncProperty(filter, async (given) => {
      const { success, output } = parse(given);
      if (!success) return;
      expect((await records.find(auditFilter(output, now, 'UTC'))).length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 300 },
  );
});

test('every filter returns the matching records, newest first, in correct pages', async () => {
  let time = 1_000_000;
  const { records, audit } = await temporaryAudit({ clock: { now: () => (time += 1) * 1_000 } });
  const made = [
    { event: 'login', user: 'olaf', address: '192.0.2.1' },
    { event: 'login_failed', user: 'olaf', address: '192.0.2.2' },
    { event: 'login', user: 'vera', address: '192.0.2.1' },
    { event: 'user_added', user: 'boss', object: 'nell' },
  ] as const;
  for (const entry of made) await audit.record(entry);
  const ids = async (filter: Partial<AuditFilter>) =>
    (await records.find({ limit: 100, ...filter })).map(({ id }) => id);
  expect(await ids({})).toEqual([4, 3, 2, 1]);
  expect(await ids({ events: ['login'] })).toEqual([3, 1]);
  expect(await ids({ events: ['login_failed', 'user_added'] })).toEqual([4, 2]);
  expect(await ids({ user: 'olaf' })).toEqual([2, 1]);
  expect(await ids({ user: 'OLA' })).toEqual([2, 1]);
  expect(await ids({ user: '%' })).toEqual([]);
  expect(await ids({ address: '192.0.2.1' })).toEqual([3, 1]);
  expect(await ids({ address: '192.0' })).toEqual([3, 2, 1]);
  expect(await ids({ search: 'NELL' })).toEqual([4]);
  expect(await ids({ search: 'login_' })).toEqual([2]);
  expect(await ids({ search: 'boss', user: 'olaf' })).toEqual([]);
  expect(await ids({ result: 'failure' })).toEqual([2]);
  expect(await ids({ since: 1_000_003_000 })).toEqual([4, 3]);
  expect(await ids({ until: 1_000_002_000 })).toEqual([2, 1]);
  expect(await ids({ before: 3, limit: 1 })).toEqual([2]);
  expect(await ids({ after: 2 })).toEqual([4, 3]);
  expect(await ids({ user: 'olaf', result: 'success' })).toEqual([1]);
});

test('a search reads a bounded number of records, and returns where to continue', async () => {
  const activity = await temporaryActivity();
  const records = createAuditRecords(activity, 10_000);
  await sql`INSERT INTO audit_records (recorded_at, event, kind, result, username)
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 25000)
    SELECT n, 'login', 'session', 'success', CASE n WHEN 3 THEN 'Rare' ELSE 'olaf' END FROM numbers`.execute(
    activity,
  );
  const looked: number[] = [];
  let before: number | undefined;
  for (;;) {
    const page = await records.findPage({ search: 'rare', before, limit: 5 });
    if (page.next === null) {
      expect(page.records.map(({ id }) => id)).toEqual([3]);
      break;
    }
    expect(page.records).toEqual([]);
    looked.push((before = page.next));
  }
  expect(looked).toEqual([15_001, 5_001]);
  expect((await records.findPage({ search: 'olaf', limit: 5 })).next).toBe(24_996);
  expect(await records.find({ search: 'RARE', limit: 5 })).toHaveLength(1);
});

test('sorts late records by when they happened, on every page', async () => {
  let time = 0;
  const { records, audit } = await temporaryAudit({ clock: { now: () => time * 1_000 } });
  for (time of [10, 30, 30, 20, 30, 5, 40]) await audit.record({ event: 'login' });
  const whole = (await records.find({ limit: 100 })).map(({ id }) => id);
  expect(whole).toEqual([7, 5, 3, 2, 4, 1, 6]);
  for (const [place, before] of whole.entries()) {
    const rest = await records.find({ before, limit: 100 });
    expect(rest.map(({ id }) => id)).toEqual(whole.slice(place + 1));
  }
  expect((await records.find({ before: 99, limit: 100 })).length).toBe(7);
});

test('escapes control characters in a foreign row', async () => {
  const { records, activity } = await temporaryAudit();
  const strange = { event: 'other', kind: 'account' as const, result: 'success' };
  const detail = String.raw`{"a":"\u001b[2J","b":1`;
  await activity
    .insertInto('audit_records')
    .values([
      { ...strange, recorded_at: 1e300, username: '\u001b[31molaf', object: 'x'.repeat(70_000), detail },
      { ...strange, recorded_at: 5, detail: String.raw`{"a":"\u009b2J"}` },
    ])
    .execute();
  const [odd, early] = await records.find({ limit: 10 });
  expect(early).toMatchObject({ time: '1970-01-01T00:00:05.000Z', detail: { a: String.raw`\u{9b}2J` } });
  expect(odd).toMatchObject({ user: String.raw`\u{1b}[31molaf`, detail: {} });
  expect(odd?.object?.length).toBe(512);
});

test('a search through many records returns them in order, and lets others run in between', async () => {
  const { activity, records } = await temporaryAudit();
  const many = 24_000;
  // Each time occurs twice; odd users have another address, except three.
  const stray = new Set([2, 11_999, 23_998]);
  const rows = Array.from({ length: many }, (_, index) => {
    const i = index + 1;
    const isOdd = i % 2 === 1;
    const address = isOdd || stray.has(i) ? '192.0.2.1' : '192.0.2.2';
    return {
      recorded_at: Math.floor(i / 2),
      event: i % 3 === 0 ? 'login' : 'logout',
      kind: 'session' as const,
      result: 'success',
      username: isOdd ? 'odd' : 'even',
      address,
    };
  });
  for (let i = 0; i < many; i += 4_000)
    await activity
      .insertInto('audit_records')
      .values(rows.slice(i, i + 4_000))
      .execute();
  const turnsOf = async (filter: Omit<AuditFilter, 'limit'>) => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const found = await records.find({ ...filter, limit: 500 });
    isOver = true;
    return { ids: found.map(({ id }) => id), turns };
  };

  const rare = await turnsOf({ user: 'even', address: '192.0.2.1' });
  expect(rare.ids).toEqual([23_998, 2]);
  expect(rare.turns).toBeGreaterThan(1);
  const none = await turnsOf({ events: ['password_changed', 'user_added'] });
  expect(none.ids).toEqual([]);
  expect(none.turns).toBeGreaterThan(3);

  const paged: number[] = [];
  for (let before: number | undefined; ;) {
    const page = await records.find({ user: 'odd', events: ['login'], before, limit: 499 });
    paged.push(...page.map(({ id }) => id));
    before = page.at(-1)?.id;
    if (page.length < 499) break;
  }
  const expected = Array.from({ length: many }, (_, i) => many - i).filter((i) => i % 2 === 1 && i % 3 === 0);
  expect(paged).toEqual(expected);
});
