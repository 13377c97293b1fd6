import { Client } from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import { AppError } from '../../../../src/errors.ts';
import { migrationLock } from '../../../../src/store/postgres/migrate-postgres.ts';
import { createApiTokens } from '../../../../src/features/api-tokens/api-tokens.ts';
import { createRevocations } from '../../../../src/accounts/sessions/revocations.ts';
import { onlyIf, unconditional } from '../../../../src/store/permit.ts';
import { clockAt } from '../../../support/clock-at.ts';
import { startFaultyLink } from '../../../support/faulty-link.ts';
import { emptyDatabase } from '../../../support/postgres.ts';
import { sharedStore } from './shared-store.ts';
import { patience } from '../../../support/patience.ts';

const clock = clockAt(1_800_000_000_000);
const olaf = { username: 'olaf', role: 'viewer', passwordHash: 'h' };

describe('a change', () => {
  test('is seen by every process, and clears their memory', async () => {
    const { url } = await emptyDatabase();
    const one = await sharedStore(url);
    const other = await sharedStore(url);
    const before = other.version();
    await createUsers(one.store, clock).add(olaf, unconditional);
    await vi.waitFor(() => expect(other.version()).not.toBe(before));
    expect((await createUsers(other.store, clock).find('olaf'))?.role).toBe('viewer');
    expect([one.rolesVersion(), other.rolesVersion()].every(Number.isFinite)).toBe(true);
  });

  test('clears the memory of its own process before and after', async () => {
    const { store, version } = await sharedStore((await emptyDatabase()).url);
    const seen = [version()];
    await store.change(
      onlyIf(async () => seen.push(version())),
      () => seen.push(version()),
    );
    seen.push(version());
    expect(seen[1]).not.toBe(seen[0]);
    expect(seen[3]).not.toBe(seen[2]);
  });

  test('waits for the one before, and then checks its permit', async () => {
    const { url } = await emptyDatabase();
    const one = await sharedStore(url);
    const other = await sharedStore(url);
    const users = createUsers(one.store, clock);
    await users.add({ ...olaf, role: 'admin' }, unconditional);
    await users.add({ ...olaf, username: 'anna', role: 'admin' }, unconditional);
    const demoted = await Promise.allSettled([
      users.setRole('olaf', 'viewer', unconditional),
      createUsers(other.store, clock).setRole('anna', 'viewer', unconditional),
    ]);
    expect(demoted.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('without a permit writes nothing', async () => {
    const { store } = await sharedStore((await emptyDatabase()).url);
    const refuse = () => Promise.reject(new AppError('user_unknown'));
    await expect(createUsers(store, clock).add(olaf, refuse)).rejects.toMatchObject({ code: 'user_unknown' });
    expect(await createUsers(store, clock).list()).toEqual([]);
  });
});

test.each(['whose session it is', 'whose API token it is'])(
  'reading %s reveals other roles before the notification',
  async (what) => {
    const { url, query } = await emptyDatabase();
    const { store, version, rolesVersion, sawRoles } = await sharedStore(url);
    await createUsers(store, clock).add(olaf, unconditional);
    const revocations = createRevocations(store, clock, undefined, sawRoles);
    const apiTokens = createApiTokens(store, { clock, storeVersion: version, sawRoles });
    const wanted = { name: 'n', owner: 'olaf', role: 'viewer', cameras: undefined, expiresAt: undefined };
    const { token } = await apiTokens.add(wanted, unconditional);
    const before = rolesVersion();
    // Without a notification, as if it were delayed.
    await query('UPDATE store_version SET roles = version');
    if (what === 'whose API token it is') await apiTokens.check(token);
    else await revocations.userOf({ username: 'olaf', sessionId: 's' });
    expect(rolesVersion()).not.toBe(before);
  },
);

test.each<[what: string, statement: string]>([
  ['a notification that no gate sent', "SELECT pg_notify('postern_changes', '9007199254740991 1')"],
  ['an older copy of the database', 'UPDATE store_version SET version = 1, roles = 1'],
])('%s voids what is remembered, and hides no change after it', async (_, statement) => {
  const { url, query } = await emptyDatabase();
  const one = await sharedStore(url);
  const { version } = await sharedStore(url);
  const users = createUsers(one.store, clock);
  const becomesAnotherThan = (former: number) =>
    vi.waitFor(() => {
      expect(version()).not.toBeNaN();
      expect(version()).not.toBe(former);
    }, patience);
  await users.add(olaf, unconditional);
  await users.add({ ...olaf, username: 'anna' }, unconditional);
  let before = version();
  await query(statement);
  await becomesAnotherThan(before);
  before = version();
  await users.remove('anna', unconditional);
  await becomesAnotherThan(before);
});

test('a heartbeat with a stalled connection asks on another one, and the version stays known', async () => {
  const { url, query } = await emptyDatabase();
  const trouble = vi.fn<(error: Error) => void>();
  const { knownAt = () => Number.NaN } = await sharedStore(url, { onTrouble: trouble });
  const [beating] = await query(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%AS standby%' AND pid <> pg_backend_pid()",
  );
  const pid = Number(beating?.['pid']);
  process.kill(pid, 'SIGSTOP');
  try {
    const stopped = performance.now();
    await vi.waitFor(() => expect(knownAt()).toBeGreaterThan(stopped), patience);
    expect(trouble).not.toHaveBeenCalled();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
});

describe('a process whose link to PostgreSQL', () => {
  test.each<[does: string, fail: 'cut' | 'stall']>([
    ['is cut', 'cut'],
    ['stalls', 'stall'],
  ])(
    '%s loses its version within a second and all answers, reports each cause once, and recovers',
    async (_, fail) => {
      const database = await emptyDatabase();
      const { port } = new URL(database.urlAt());
      const link = await startFaultyLink(Number(port));
      const trouble = vi.fn<(error: Error) => void>();
      const recovery = vi.fn<() => void>();
      try {
        const { store, version, rolesVersion } = await sharedStore(database.urlAt(link.port), {
          onTrouble: trouble,
          onRecovery: recovery,
        });
        const users = createUsers(store, clock);
        await users.add(olaf, unconditional);
        expect(version()).not.toBeNaN();
        link[fail]();
        await vi.waitFor(() => expect(version()).toBeNaN(), patience);
        expect(rolesVersion()).toBeNaN();
        await expect(users.find('olaf')).rejects.toMatchObject({ code: 'store_unavailable' });
        await expect(users.remove('olaf', unconditional)).rejects.toMatchObject({
          code: 'store_unavailable',
        });
        link.restore();
        await vi.waitFor(() => expect(version()).not.toBeNaN(), patience);
        await vi.waitFor(async () => expect((await users.find('olaf'))?.role).toBe('viewer'), patience);
        // Another connection may answer before its own.
        await vi.waitFor(() => expect(recovery).toHaveBeenCalled(), patience);
        const troubles = trouble.mock.calls.map(([{ message }]) => message);
        expect([troubles, recovery.mock.calls.length]).toEqual([[...new Set(troubles)], 1]);
        expect(troubles).not.toEqual([]);
      } finally {
        await link.close();
      }
    },
  );
});

test.each<[what: string, becomesSo: readonly string[], andBack: string]>([
  [
    'a read-only copy of another server',
    [
      // Like a server waiting to take over; unqualified names resolve to "public" first.
      'CREATE FUNCTION public.pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS $$ SELECT true $$',
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$`,
    ],
    'DROP FUNCTION public.pg_is_in_recovery()',
  ],
  [
    'a schema that a newer program has made',
    ["UPDATE schema_version SET usable_from = 1000 WHERE part = 'accounts'"],
    "UPDATE schema_version SET usable_from = 1 WHERE part = 'accounts'",
  ],
])('reads nothing from %s that new connections lead to', async (_, becomesSo, andBack) => {
  const { url, query } = await emptyDatabase();
  const trouble = vi.fn<(error: Error) => void>();
  const { store, activity, version } = await sharedStore(url, { onTrouble: trouble });
  const users = createUsers(store, clock);
  await users.add(olaf, unconditional);
  for (const statement of becomesSo) await query(statement);
  const endConnections = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'postern'`;
  await query(endConnections);
  await vi.waitFor(() => expect(trouble).toHaveBeenCalled(), patience);
  await vi.waitFor(() => expect(version()).toBeNaN(), patience);
  const unavailable = { code: 'store_unavailable' };
  await expect(users.find('olaf')).rejects.toMatchObject(unavailable);
  await expect(users.remove('olaf', unconditional)).rejects.toMatchObject(unavailable);
  await expect(activity.selectFrom('audit_records').selectAll().execute()).rejects.toMatchObject(unavailable);
  await query(andBack);
  await vi.waitFor(() => expect(version()).not.toBeNaN(), patience);
  await vi.waitFor(async () => expect((await users.find('olaf'))?.role).toBe('viewer'), patience);
});

test('waits for a missing database, and reports it once', async () => {
  const database = await emptyDatabase();
  const link = await startFaultyLink(Number(new URL(database.urlAt()).port));
  link.cut();
  try {
    const waits = vi.fn<(error: Error) => void>(() => setImmediate(link.restore));
    const { store } = await sharedStore(database.urlAt(link.port), { onWait: waits });
    await store.destroy();
    expect(waits).toHaveBeenCalledOnce();
  } finally {
    await link.close();
  }
});

test('a starting gate waits while another one migrates', async () => {
  const { url } = await emptyDatabase();
  const migrating = new Client({ connectionString: url });
  await migrating.connect();
  await migrating.query('SELECT pg_advisory_lock($1)', [migrationLock]);
  const waits = vi.fn<(error: Error) => void>(() => void migrating.end());
  await sharedStore(url, { onWait: waits });
  expect(waits).toHaveBeenCalledOnce();
});

test.each<[what: string, url: (url: URL) => string, says: RegExp]>([
  [
    'a wrong password',
    (url) => ((url.password = 'wrong'), url.href),
    /password authentication failed.*: the URL has another password/,
  ],
  [
    'another database',
    (url) => ((url.pathname = '/elsewhere'), url.href),
    /"elsewhere" does not exist: make it/,
  ],
])('reports %s at once, without naming the password', async (_, urlOf, says) => {
  const url = urlOf(new URL((await emptyDatabase()).urlAt()));
  const opening = sharedStore(url, { onWait: () => expect.unreachable() });
  await expect(opening).rejects.toThrow(says);
  await expect(opening).rejects.not.toThrow(new URL(url).password);
});
