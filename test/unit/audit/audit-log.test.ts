import { expect, onTestFinished, test, vi } from 'vitest';
import type { AuditEntry } from '../../../src/audit/audit-entry.ts';
import { auditEvents, type AuditEvent } from '../../../src/audit/audit-events.ts';
import { createAuditTable } from '../../../src/audit/audit-table.ts';
import { temporaryActivityFile, temporaryAudit, type TemporaryAudit } from './temporary-audit.ts';

const all = (made: TemporaryAudit) => made.records.find({ limit: 100_000 });
const eventsOf = async (made: TemporaryAudit) => (await all(made)).map(({ event }) => event).toReversed();

test('one call writes the log line and the record', async () => {
  const made = await temporaryAudit();
  await made.audit.record({
    event: 'user_added',
    user: 'boss',
    role: 'admin',
    source: 'session',
    address: '192.0.2.1',
    object: 'vera',
    decision: 'abc-1',
    detail: { role: 'viewer' },
  });
  expect(await all(made)).toEqual([
    {
      id: 1,
      time: '2027-01-15T08:00:00.000Z',
      event: 'user_added',
      result: 'success',
      user: 'boss',
      role: 'admin',
      source: 'session',
      address: '192.0.2.1',
      object: 'vera',
      reason: null,
      decision: 'abc-1',
      detail: { role: 'viewer' },
    },
  ]);
  expect(made.log).toEqual([
    {
      level: 'info',
      time: expect.any(String),
      event: 'user_added',
      user: 'vera',
      by: 'boss',
      role: 'viewer',
      source: 'session',
      address: '192.0.2.1',
      decision: 'abc-1',
      msg: 'user added',
    },
  ]);
});

test.each(Object.entries(auditEvents))(
  '%s makes one record and one line',
  async (event, { says, result }) => {
    const made = await temporaryAudit();
    await made.audit.record({ event: event as AuditEvent, user: 'olaf', address: '192.0.2.1' });
    await made.audit.close();
    expect(await all(made)).toMatchObject([{ event, result, user: 'olaf' }]);
    expect(made.log).toMatchObject([{ event, msg: says, level: 'info' }]);
  },
);

test('writes the record before it resolves; refusals later', async () => {
  const made = await temporaryAudit();
  await made.audit.record({ event: 'login', user: 'olaf' });
  expect(await eventsOf(made)).toEqual(['login']);
  await made.audit.record({ event: 'refused' });
  expect(await eventsOf(made)).toEqual(['login']);
  await made.audit.close();
  expect(await eventsOf(made)).toEqual(['login', 'refused']);
});

test('bounds a flood of refusals in the table and in memory, and keeps other records', async () => {
  const made = await temporaryAudit();
  await made.audit.record({ event: 'user_added', object: 'vera' });
  await made.audit.record({ event: 'login', user: 'vera' });
  const flood = 50_000;
  for (let i = 0; i < flood; i += 1) {
    void made.audit.record({ event: 'refused', address: `192.0.${i % 200}.1`, object: `/path/${i}` });
  }
  await made.audit.close();
  const records = await all(made);
  const refusals = records.filter(({ event }) => event === 'refused');
  expect(refusals).toHaveLength(1_000);
  const dropped = records.find(({ event }) => event === 'records_dropped');
  expect(dropped).toMatchObject({ source: 'system', detail: { count: flood - 6_000 } });
  expect(records.map(({ event }) => event)).toEqual(expect.arrayContaining(['user_added', 'login']));
});

test('bounds a flood of refusals in the log, with one line about the omitted ones', async () => {
  const made = await temporaryAudit({ retention: () => ({ keepDays: 0, keepRefusals: 0 }) });
  const refusedOf = (address: string) =>
    made.log.filter((line) => line['event'] === 'refused' && line['address'] === address).length;
  const leftOut = () => made.log.filter((line) => line['left_out'] !== undefined);
  const refuse = (address: string, count: number) => {
    for (let i = 0; i < count; i += 1) void made.audit.record({ event: 'refused', address });
  };
  refuse('192.0.2.66', 5_000);
  refuse('192.0.2.1', 100);
  await made.audit.record({ event: 'login', user: 'olaf', address: '192.0.2.66' });
  expect([refusedOf('192.0.2.66'), refusedOf('192.0.2.1')]).toEqual([3_000, 100]);
  expect(made.log.filter(({ event }) => event === 'login')).toHaveLength(1);
  for (let client = 0; client < 100; client += 1) refuse(`198.51.100.${client}`, 200);
  const refused = () => made.log.filter(({ event }) => event === 'refused').length;
  expect([refused(), leftOut()]).toEqual([12_000, []]);
  // The next minute has room again.
  made.time.passed += 60_000;
  refuse('192.0.2.66', 10);
  expect(refused()).toBe(12_010);
  made.requestLog.close();
  expect(leftOut()).toMatchObject([{ level: 'warn', left_out: 5_000 + 100 + 20_000 - 12_000 }]);
});

test('logs the number of omitted lines within a minute', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const made = await temporaryAudit({ retention: () => ({ keepDays: 0, keepRefusals: 0 }) });
  for (let i = 0; i < 3_002; i += 1) void made.audit.record({ event: 'refused', address: '192.0.2.66' });
  vi.advanceTimersByTime(60_000);
  expect(made.log.at(-1)).toMatchObject({ level: 'warn', left_out: 2 });
  vi.advanceTimersByTime(60_000);
  expect(made.log).toHaveLength(3_001);
});

test('one client that floods leaves room for the refusals of others', async () => {
  const made = await temporaryAudit();
  for (let i = 0; i < 30_000; i += 1) void made.audit.record({ event: 'refused', address: '192.0.2.66' });
  void made.audit.record({ event: 'refused', address: '192.0.2.1', object: '/seen' });
  await made.audit.close();
  const refusals = (await all(made)).filter(({ event }) => event === 'refused');
  expect(refusals).toHaveLength(601);
  expect(refusals[0]).toMatchObject({ address: '192.0.2.1', object: '/seen' });
});

test('keep_refusals of 0 keeps no refusal, keep_days of 0 nothing; the log has them', async () => {
  for (const [keepDays, keepRefusals, kept] of [
    [90, 0, ['login']],
    [0, 1_000, []],
  ] as const) {
    const made = await temporaryAudit({ retention: () => ({ keepDays, keepRefusals }) });
    await made.audit.record({ event: 'login', user: 'olaf' });
    await made.audit.record({ event: 'refused' });
    await made.audit.close();
    expect(await eventsOf(made)).toEqual(kept);
    expect(made.log.map(({ event }) => event)).toEqual(['login', 'refused']);
  }
});

test('a failing database delays no one: it is logged once, and the records are written later', async () => {
  const made = await temporaryAudit();
  made.file.exec('BEGIN IMMEDIATE');
  for (let i = 0; i < 20; i += 1) await made.audit.record({ event: 'login', user: `user${i}` });
  void made.audit.record({ event: 'refused' });
  expect(made.log.filter(({ level }) => level === 'error')).toMatchObject([
    { msg: expect.stringContaining('cannot be stored') },
  ]);
  expect(made.log.filter(({ msg }) => msg === 'login')).toHaveLength(20);
  made.file.exec('ROLLBACK');
  // Not at once: each attempt may take the thread's time.
  await made.audit.record({ event: 'login', user: 'early' });
  expect(await all(made)).toEqual([]);
  made.time.passed += 5_000;
  await made.audit.record({ event: 'logout', user: 'late' });
  const users = (await all(made)).map(({ user }) => user).filter((user) => user !== null);
  expect(users.toReversed()).toEqual([...Array.from({ length: 20 }, (_, i) => `user${i}`), 'early', 'late']);
  await made.audit.close();
  expect(await eventsOf(made)).toContain('refused');
});

test('bounds the waiting records while the database fails, and counts the rest', async () => {
  const made = await temporaryAudit();
  made.file.exec('BEGIN IMMEDIATE');
  for (let i = 0; i < 10_100; i += 1) await made.audit.record({ event: 'login', user: `user${i}` });
  made.file.exec('ROLLBACK');
  await made.audit.close();
  const records = await all(made);
  expect(records.filter(({ event }) => event === 'login')).toHaveLength(10_000);
  expect(made.log.filter(({ event }) => event === 'records_dropped')).toMatchObject([{ count: 100 }]);
});

test('callers see no error of the table or of a malformed address', async () => {
  const broken = async () => {
    throw new Error('broken');
  };
  const made = await temporaryAudit({ table: { add: broken, prune: broken } });
  await made.audit.record({ event: 'login', user: 'olaf' });
  await made.audit.prune();
  expect(made.log.map(({ level }) => level)).toEqual(['info', 'error', 'warn']);
  const other = await temporaryAudit({
    clientOf: () => {
      throw new Error('broken');
    },
  });
  await other.audit.record({ event: 'refused' });
});

test('removes records by age, and no others', async () => {
  let time = 1_800_000_000_000;
  const made = await temporaryAudit({ clock: { now: () => time } });
  for (let i = 0; i < 600; i += 1) await made.audit.record({ event: 'login', user: 'old' });
  time += 80 * 86_400_000;
  await made.audit.record({ event: 'login', user: 'young' });
  await made.audit.prune();
  expect(await all(made)).toHaveLength(601);
  time += 11 * 86_400_000;
  await made.audit.prune();
  expect((await all(made)).map(({ user }) => user)).toEqual(['young']);
  // No number is used twice, so that a gap cannot be hidden.
  await made.audit.record({ event: 'login', user: 'next' });
  expect((await all(made))[0]?.id).toBe(602);
});

test('a clock that leaps ahead removes a day of records each time, not all', async () => {
  let time = 1_800_000_000_000;
  const day = 86_400_000;
  let keepDays = 90;
  const retention = () => ({ keepDays, keepRefusals: 1_000 });
  const made = await temporaryAudit({ clock: { now: () => time }, retention });
  for (let i = 0; i < 10; i += 1) {
    await made.audit.record({ event: 'login', user: `day ${i}` });
    time += day;
  }
  time += 20 * 365 * day;
  await made.audit.prune();
  await made.audit.prune();
  time -= 20 * 365 * day;
  await made.audit.prune();
  expect((await all(made)).length).toBe(8);
  keepDays = 0;
  await made.audit.prune();
  expect(await all(made)).toEqual([]);
});

test('records of which most are old stay while they may not be deleted', async () => {
  let time = 1_800_000_000_000;
  const made = await temporaryAudit({ clock: { now: () => time } });
  for (let i = 0; i < 20; i += 1) await made.audit.record({ event: 'login', user: 'old' });
  time += 100 * 86_400_000;
  await made.audit.record({ event: 'login', user: 'young' });
  const asked: number[][] = [];
  await made.audit.prune({ mayDelete: (...counts) => asked.push(counts) > 1 });
  expect(await all(made)).toHaveLength(21);
  await made.audit.prune({ mayDelete: (...counts) => asked.push(counts) > 1 });
  expect(asked).toEqual([
    [20, 21],
    [20, 21],
  ]);
  expect(await all(made)).toHaveLength(1);
});

test('session records push out no changes, which have no limit', async () => {
  const { activity, file } = await temporaryActivityFile();
  const table = createAuditTable(activity);
  const timed = (entry: AuditEntry) => ({ entry, at: 1 });
  const limits = { session: 3, refusal: 2 };
  const entries: AuditEntry[] = [];
  for (let i = 0; i < 10; i += 1) {
    entries.push({ event: 'login' }, { event: 'refused' }, { event: 'password_changed' });
  }
  await table.add(entries.map(timed), limits);
  const kinds = () =>
    file.prepare('SELECT kind, count(*) AS number FROM audit_records GROUP BY kind ORDER BY kind').all();
  expect(kinds().map(({ kind, number }) => [kind, number])).toEqual([
    ['account', 10],
    ['refusal', 2],
    ['session', 3],
  ]);
  await table.prune(0, { session: 1, refusal: 0 });
  expect(kinds().map(({ kind, number }) => [kind, number])).toEqual([
    ['account', 10],
    ['session', 1],
  ]);
});

test('records cannot be changed', async () => {
  const made = await temporaryAudit();
  await made.audit.record({ event: 'login', user: 'olaf' });
  expect(() => made.file.exec(`UPDATE audit_records SET username = 'vera'`)).toThrow('never changed');
});
