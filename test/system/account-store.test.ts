import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { adminOf, goodPassword, printedPassword, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { shareOf } from '../support/share.ts';
import { outputOf } from '../support/postern-command.ts';
import {
  projectRoot,
  startGateway,
  type GatewayOptions,
  type RunningGateway,
} from '../support/start-gateway.ts';
import { canHere } from '../support/can-here.ts';

let directory: string;
const running: RunningGateway[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'postern-kept-'));
});
afterEach(async () => {
  for (const gateway of running.splice(0)) await gateway.close();
  rmSync(directory, { recursive: true, force: true });
});

async function start(
  auth: Record<string, unknown> = {},
  environment: GatewayOptions['environment'] = {},
): Promise<RunningGateway> {
  const gateway = await startGateway({ directory, config: { auth }, environment });
  running.push(gateway);
  return gateway;
}
async function stop(): Promise<void> {
  await running.pop()?.close();
}
const embedded = (gateway: RunningGateway) => gateway.addresses.authenticated ?? '';
const as = (gateway: RunningGateway, token: string | undefined): Visitor => {
  const again = visitor(embedded(gateway));
  again.token = token;
  return again;
};
const command = (args: readonly string[], input = '') => outputOf(directory, args, { input });

describe('a restart', () => {
  test('keeps users, sessions and revocations', async () => {
    const before = await start();
    const admin = await adminOf(before);
    const vera = await userOf(admin, embedded(before), 'vera', 'viewer');
    const left = await userOf(admin, embedded(before), 'left', 'viewer');
    const ended = left.token;
    await left.send('POST', '/api/logout');
    await stop();
    const after = await start();
    expect((await as(after, vera.token).send('GET', '/api/profile')).status).toBe(200);
    expect((await as(after, ended).send('GET', '/api/profile')).status).toBe(401);
    expect((await visitor(embedded(after)).logIn('vera', goodPassword)).status).toBe(200);
    expect(printedPassword(after)).toBe('');
  });

  test('with another secret ends every session, with the same one none', async () => {
    const { token } = await adminOf(await start({}, { SERVICE_JWT_SECRET: 'a'.repeat(64) }));
    const restarted = async (secret: string) => {
      await stop();
      const gateway = await start({}, { SERVICE_JWT_SECRET: secret.repeat(64) });
      return (await as(gateway, token).send('GET', '/api/profile')).status;
    };
    expect(await restarted('a')).toBe(200);
    expect(await restarted('b')).toBe(401);
  });

  test('with auth.reset_admin_password prints a new password, and ends sessions, API tokens and shares of admin only', async () => {
    const before = await start();
    const oldPassword = printedPassword(before);
    const admin = await adminOf(before);
    const vera = await userOf(admin, embedded(before), 'vera', 'viewer');
    for (const owner of [admin, vera])
      await owner.send('POST', '/postern/api/tokens', { name: 'script', role: 'viewer' });
    for (const owner of [admin, vera])
      await shareOf(owner, { kind: 'event', id: '1793000935.726501-j8ht9l', expires_in: 600 });
    await stop();
    const after = await start({ reset_admin_password: true });
    const tokens = JSON.parse(
      (await as(after, vera.token).send('GET', '/postern/api/tokens')).body,
    ) as unknown[];
    expect(tokens).toHaveLength(1);
    const shares = await as(after, vera.token).send('GET', '/postern/api/shares');
    expect(JSON.parse(shares.body)).toMatchObject([{ made_by: 'vera' }]);
    expect(after.log).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        api_tokens_ended: 1,
        shares_ended: 1,
        msg: expect.stringContaining('every start resets the password of admin') as string,
      }),
    );
    expect(printedPassword(after)).toMatch(/^\w{24}$/);
    expect(printedPassword(after)).not.toBe(oldPassword);
    expect((await as(after, admin.token).send('GET', '/api/profile')).status).toBe(401);
    expect((await as(after, vera.token).send('GET', '/api/profile')).status).toBe(200);
    expect((await visitor(embedded(after)).logIn('admin', oldPassword)).status).toBe(401);
    expect((await visitor(embedded(after)).logIn('admin', printedPassword(after))).status).toBe(200);
  });

  test('forgets the failures', async () => {
    const limited = async () => {
      const gateway = await start({ failed_login_rate_limit: '1/hour' });
      const answers = [
        await visitor(embedded(gateway)).logIn('admin', 'x'),
        await visitor(embedded(gateway)).logIn('admin', 'x'),
      ];
      return answers.map(({ status }) => status);
    };
    expect(await limited()).toEqual([401, 429]);
    await stop();
    expect(await limited()).toEqual([401, 429]);
  });
});

test('its files are private, and the secret is long', async () => {
  await start();
  for (const file of ['postern.db', 'postern.db-wal', 'postern.db-shm', '.jwt_secret']) {
    expect(statSync(join(directory, file)).mode & 0o777, file).toBe(0o600);
  }
  expect(readFileSync(join(directory, '.jwt_secret'), 'utf8').trim().length).toBeGreaterThanOrEqual(64);
});

test('without authentication of its own there is no admin and nothing is printed', async () => {
  const gateway = await start({ enabled: false });
  expect(gateway.log.filter(({ msg }) => String(msg).includes('password'))).toEqual([]);
});

describe('the command, while the server runs', () => {
  test('changes the server’s answer to the next request', async () => {
    const gateway = await start({ roles: { operator: ['garage'] } });
    const admin = await adminOf(gateway);
    await command(['users', 'add', 'olaf', '--role', 'operator'], `${goodPassword}\n`);
    const olaf = visitor(embedded(gateway));
    expect((await olaf.logIn('olaf', goodPassword)).status).toBe(200);
    await command(['users', 'set-role', 'olaf', 'viewer']);
    expect((await olaf.send('GET', '/api/profile')).status).toBe(401);
    await olaf.logIn('olaf', goodPassword);
    await command(['users', 'set-password', 'olaf'], 'another-password\n');
    expect((await olaf.send('GET', '/api/profile')).status).toBe(401);
    await olaf.logIn('olaf', 'another-password');
    await command(['users', 'remove', 'olaf']);
    expect((await olaf.send('GET', '/api/profile')).status).toBe(401);
    expect(JSON.parse((await admin.send('GET', '/api/users')).body)).toEqual([
      { username: 'admin', role: 'admin' },
    ]);
  });

  test("takes over a recorder's users, who log in with their passwords", async () => {
    const gateway = await start({ roles: { operator: ['garage'] } });
    const output = await command([
      'users',
      'import',
      '--from',
      join(projectRoot, 'test', 'support', 'recorder.db'),
    ]);
    expect(output.trim().split('\n')).toEqual([
      'imported alice as viewer',
      'imported olaf as operator',
      'skipped admin: there is a user of this name',
      'skipped ghost.user: the role no_such_role is not defined here',
    ]);
    for (const [user, password, role] of [
      ['alice', 'alice-in-the-yard', 'viewer'],
      ['olaf', 'olaf-opens-garage', 'operator'],
    ] as const) {
      const login = await visitor(embedded(gateway)).logIn(user, password);
      expect(JSON.parse(login.body)).toMatchObject({ username: user, role });
    }
    const ghost = await visitor(embedded(gateway)).logIn('ghost.user', 'ghost-of-a-role-1');
    expect(ghost.status).toBe(401);
  });
});

describe('a store that cannot be written', () => {
  /** Locks the database against all other writers. */
  const faults: ReadonlyArray<readonly [name: string, cause: () => () => void]> = [
    [
      'is locked by another program',
      () => {
        const other = new DatabaseSync(join(directory, 'postern.db'));
        other.exec('BEGIN IMMEDIATE');
        return () => other.close();
      },
    ],
  ];

  test.each(faults)('because it %s: logins still work, writes are 503 with a message', async (_, cause) => {
    const gateway = await start();
    const admin = await adminOf(gateway);
    const release = cause();
    const login = await visitor(embedded(gateway)).logIn('admin', printedPassword(gateway));
    const write = await admin.send('POST', '/api/users', {
      username: 'vera',
      password: goodPassword,
      role: 'viewer',
    });
    const read = await admin.send('GET', '/api/users');
    release();
    expect([login.status, write.status, read.status]).toEqual([200, 503, 200]);
    expect(JSON.parse(write.body)).toEqual({
      message: "Accounts can't be read or changed right now",
      code: 'store_unavailable',
    });
    const again = await admin.send('POST', '/api/users', {
      username: 'vera',
      password: goodPassword,
      role: 'viewer',
    });
    expect(again.status).toBe(201);
  });

  const canMount = canHere(
    'root and mount namespaces',
    process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0,
  );

  test.runIf(canMount)('because the disk is full or read-only: the same', () => {
    // The whole program on a disk of its own, in a mount namespace that ends with it.
    const script = join(directory, 'faults.sh');
    writeFileSync(
      script,
      `set -e
mount -t tmpfs -o size=1m postern "$1"
cd ${JSON.stringify(projectRoot)}
${JSON.stringify(process.execPath)} test/support/store-faults.ts "$1"
`,
    );
    const disk = mkdtempSync(join(tmpdir(), 'postern-disk-'));
    const result = spawnSync('unshare', ['-m', 'bash', script, disk], { encoding: 'utf8' });
    expect(result.stderr).toBe('');
    expect(result.stdout.trim().split('\n')).toEqual([
      'full: login 200, write 503, read 200, sessions 200',
      'started read-only: login 200, write 503, read 200, sessions 200',
      'writable again: login 200, write 201, read 200, sessions 200',
    ]);
  });
});
