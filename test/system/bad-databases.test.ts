import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { activity } from '../../src/store/activity-schema.ts';
import { clockAt } from '../support/clock-at.ts';
import { adminOf, goodPassword, printedPassword, userOf, visitor } from '../support/log-in.ts';
import { sendRaw } from '../support/raw-http.ts';
import { startGateway, type GatewayOptions, type RunningGateway } from '../support/start-gateway.ts';
import { slowness } from '../support/patience.ts';

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), 'postern-bad-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
async function start(directory: string, options: GatewayOptions = {}): Promise<RunningGateway> {
  const gateway = await startGateway({ ...options, directory });
  onTestFinished(() => gateway.close());
  return gateway;
}
const embedded = ({ addresses }: RunningGateway) => addresses.authenticated ?? '';
/** The answer to nginx about a request with this session. */
async function decisionFor(gateway: RunningGateway, token: string | undefined): Promise<number> {
  const headers = [
    ['X-Original-Method', 'GET'],
    ['X-Original-URL', 'http://gate.local/api/events'],
    ['Cookie', `session_token=${token}`],
  ] as const;
  return (await sendRaw(gateway.addresses.forwardAuthAuthenticated ?? '', { uri: '/auth', headers })).status;
}
const newUser = (username: string) => ({ username, password: goodPassword, role: 'viewer' });

/** Overwrites everything but the first page, as a failing disk would. */
function overwritePages(path: string, from = 4_096): void {
  const { size } = statSync(path);
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(size - from, 0xa5), 0, size - from, from);
  closeSync(file);
}
const spoil: ReadonlyArray<readonly [what: string, spoil: (path: string) => void]> = [
  ['garbage', (path) => writeFileSync(path, 'no database at all '.repeat(1_000))],
  ['overwritten pages', (path) => overwritePages(path)],
  ['the first half only', (path) => writeFileSync(path, readFileSync(path).subarray(0, 10_000))],
];

describe('postern.db that is damaged', () => {
  test.each(spoil)(
    '(%s) stops the start with its name and what to do, and stays as it is',
    async (_, damage) => {
      const directory = temporary();
      await (await startGateway({ directory })).close();
      const path = join(directory, 'postern.db');
      damage(path);
      const before = readFileSync(path);
      await expect(startGateway({ directory })).rejects.toThrow(
        new RegExp(`^${path} is damaged \\(.+\\): put a backup back with "postern restore"$`),
      );
      expect(readFileSync(path).equals(before)).toBe(true);
    },
  );

  test.each(spoil)('(%s) while the gate runs lets no unknown user in', async (_, damage) => {
    const directory = temporary();
    const gateway = await start(directory);
    const admin = await adminOf(gateway);
    const vera = await userOf(admin, embedded(gateway), 'vera', 'viewer');
    const path = join(directory, 'postern.db');
    const other = new DatabaseSync(path);
    other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    other.close();
    damage(path);
    rmSync(`${path}-wal`, { force: true });
    // The caches are void, as after a write of another process.
    expect((await visitor(embedded(gateway)).logIn('vera', goodPassword)).status).toBe(500);
    expect(await decisionFor(gateway, vera.token)).toBe(500);
    expect(await decisionFor(gateway, admin.token)).toBe(500);
    expect([401, 500]).toContain(await decisionFor(gateway, `${vera.token?.slice(0, -2)}xx`));
    expect((await admin.send('POST', '/api/users', newUser('nina'))).status).toBe(500);
    const said = gateway.log
      .filter(({ msg }) => msg === 'a fault inside Postern; refused to be safe')
      .map(({ err }) => (err as Error).message);
    expect(new Set(said)).toEqual(
      new Set([expect.stringMatching(new RegExp(`^${path} is damaged \\(.+\\): put a backup back`))]),
    );
    // The internal entry point needs no account.
    expect((await sendRaw(gateway.addresses.internal ?? '', { uri: '/api/events' })).status).toBe(200);
  });
});

describe('activity.db', () => {
  test.each(spoil)('that is damaged (%s) is moved aside, and another begins', async (_, damage) => {
    const directory = temporary();
    await (await startGateway({ directory })).close();
    const path = join(directory, 'activity.db');
    damage(path);
    const damaged = readFileSync(path);
    const clock = clockAt(Date.parse('2026-11-21T10:00:00Z'));
    const gateway = await start(directory, { clock });
    const movedTo = `${path}.damaged-2026-11-21T10-00-00Z`;
    expect(gateway.log).toContainEqual(
      expect.objectContaining({
        level: 'error',
        movedTo,
        msg: 'activity.db is damaged: it was moved aside, and a new one begun',
      }),
    );
    expect(readFileSync(movedTo).equals(damaged)).toBe(true);
    expect((await visitor(embedded(gateway)).logIn('admin', 'x')).status).toBe(401);
    await gateway.close();
    const file = new DatabaseSync(path);
    expect(file.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    expect(file.prepare('SELECT version FROM schema_version').all()).toEqual([
      { version: activity.steps.length },
    ]);
    file.close();
  });

  test.each<[what: string, make: (path: string) => void]>([
    [
      'of a newer program',
      (path) => {
        const file = new DatabaseSync(path);
        file.exec('UPDATE schema_version SET version = 99');
        file.close();
      },
    ],
    [
      'that is a directory',
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
  ])('%s stops nothing and stays as it is: what is done is not kept', async (_, make) => {
    const directory = temporary();
    await (await startGateway({ directory })).close();
    make(join(directory, 'activity.db'));
    const gateway = await start(directory);
    expect(gateway.log).toContainEqual(
      expect.objectContaining({
        level: 'error',
        msg: 'activity.db cannot be used: until a restart what is done is not kept',
      }),
    );
    expect((await visitor(embedded(gateway)).logIn('admin', 'x')).status).toBe(401);
    expect(readdirSync(directory).filter((name) => name.includes('damaged'))).toEqual([]);
  });

  test('that is locked for long stops neither decisions nor changes', async () => {
    const directory = temporary();
    const gateway = await start(directory);
    const admin = await adminOf(gateway);
    const other = new DatabaseSync(join(directory, 'activity.db'));
    other.exec('BEGIN EXCLUSIVE');
    const started = performance.now();
    expect(await decisionFor(gateway, admin.token)).toBe(200);
    expect((await admin.send('POST', '/api/users', newUser('vera'))).status).toBe(201);
    expect((await visitor(embedded(gateway)).logIn('vera', goodPassword)).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(5_000 * slowness);
    other.close();
  });
});

describe('postern.db that another program has locked', () => {
  test('for long: decisions and logins still work, a change is 503 at once, and works afterwards', async () => {
    const directory = temporary();
    const gateway = await start(directory);
    const password = printedPassword(gateway);
    const admin = await adminOf(gateway);
    const other = new DatabaseSync(join(directory, 'postern.db'));
    other.exec('BEGIN EXCLUSIVE');
    const fresh = visitor(embedded(gateway));
    expect((await fresh.logIn('admin', password)).status).toBe(200);
    // One that the gate has decided for, and one that it has not seen.
    expect(await decisionFor(gateway, admin.token)).toBe(200);
    expect(await decisionFor(gateway, fresh.token)).toBe(200);
    const started = performance.now();
    const write = await admin.send('POST', '/api/users', newUser('vera'));
    expect([write.status, JSON.parse(write.body)]).toEqual([
      503,
      { message: "Accounts can't be read or changed right now", code: 'store_unavailable' },
    ]);
    const kept = fresh.token;
    const logout = await fresh.send('POST', '/api/logout');
    expect(performance.now() - started).toBeLessThan(4_000 * slowness);
    // A logout that cannot be stored removes the cookie, and reports that the session is still valid.
    expect([logout.status, JSON.parse(logout.body)]).toEqual([
      503,
      {
        message: "Signed out here only: the session couldn't be ended, and stays valid until it expires",
        code: 'session_not_ended',
      },
    ]);
    expect(logout.headers.get('set-cookie')).toEqual([expect.stringMatching(/^session_token=; .*Max-Age=0/)]);
    expect(await decisionFor(gateway, kept)).toBe(200);
    expect(gateway.log).toContainEqual(
      expect.objectContaining({ level: 'warn', code: 'session_not_ended', user: 'admin' }),
    );
    other.close();
    expect((await admin.send('POST', '/api/users', newUser('vera'))).status).toBe(201);
  });

  test('at the start is an error that names it, after a bounded time', async () => {
    const directory = temporary();
    await (await startGateway({ directory })).close();
    const path = join(directory, 'postern.db');
    const other = new DatabaseSync(path);
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; DELETE FROM revoked_sessions; COMMIT');
    const started = performance.now();
    await expect(startGateway({ directory })).rejects.toThrow(
      `${path} is locked by another program (database is locked): end that program`,
    );
    expect(performance.now() - started).toBeLessThan(15_000 * slowness);
    other.close();
    await (await startGateway({ directory })).close();
  });
});

describe('a clock that jumps', () => {
  test('an hour forward and back: sessions stay', async () => {
    let at = Date.parse('2026-11-21T10:00:00Z');
    const gateway = await start(temporary(), { clock: { now: () => at } });
    const admin = await adminOf(gateway);
    const hour = 3_600_000;
    for (const jump of [hour, -hour, hour / 2, -hour / 2]) {
      at += jump;
      expect(await decisionFor(gateway, admin.token), String(jump)).toBe(200);
    }
  });

  test('years forward and back: no ended session comes back, and no session of the future stays', async () => {
    const now = Date.parse('2026-11-21T10:00:00Z');
    let at = now;
    const directory = temporary();
    const options = { clock: { now: () => at } };
    const before = await startGateway({ directory, ...options });
    const password = printedPassword(before);
    const admin = await adminOf(before);
    const left = await userOf(admin, embedded(before), 'left', 'viewer');
    const ended = left.token;
    await left.send('POST', '/api/logout');
    await before.close();

    at = now + 5 * 365 * 86_400_000;
    // Revocations that have expired by this clock are not forgotten before a day has passed.
    const future = await startGateway({ directory, ...options });
    expect(await decisionFor(future, admin.token)).toBe(401);
    const late = visitor(embedded(future));
    expect((await late.logIn('admin', password)).status).toBe(200);
    await future.close();

    at = now + 60_000;
    const after = await start(directory, options);
    expect(await decisionFor(after, ended)).toBe(401);
    expect(await decisionFor(after, late.token)).toBe(401);
    expect(await decisionFor(after, admin.token)).toBe(200);
    const again = visitor(embedded(after));
    expect((await again.logIn('admin', password)).status).toBe(200);
    expect(await decisionFor(after, again.token)).toBe(200);
  });
});
