import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { clockAt } from '../support/clock-at.ts';
import { makeBackup } from '../../src/store/backup/make-backup.ts';
import { createUsers } from '../../src/accounts/users/users.ts';
import { selfSignedCertificate } from '../../src/http/tls/certificate.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { visitor } from '../support/log-in.ts';
import { postern } from '../support/postern-command.ts';
import { projectRoot, startGateway } from '../support/start-gateway.ts';
import { temporaryDirectory } from '../unit/store/temporary-store.ts';
import { unconditional } from '../../src/store/permit.ts';

const backups = (to: string) => readdirSync(to).map((name) => join(to, name));
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('has all that the gate keeps, private, and lists what it leaves out', async () => {
  const [directory, to] = [temporaryDirectory(), temporaryDirectory()];
  const elsewhere = temporaryDirectory();
  const pair = await selfSignedCertificate(elsewhere, Date.now());
  const tls = { certificate: join(directory, 'mine.pem'), key: join(elsewhere, 'mine.key') };
  writeFileSync(tls.certificate, pair.cert);
  writeFileSync(tls.key, pair.key);
  // The first start makes a certificate of its own; the second has one of the operator.
  await (await startGateway({ directory })).close();
  const gateway = await startGateway({
    directory,
    config: { tls, proxy: { auth_secret: '{SERVICE_PROXY_SECRET}' } },
    environment: { SERVICE_PROXY_SECRET: 'x'.repeat(20) },
  });
  onTestFinished(() => gateway.close());
  const { status, output, errors } = await postern(directory, ['backup', '--to', to], {
    environment: { SERVICE_JWT_SECRET: 'hidden-secret', SERVICE_PROXY_SECRET: 'x'.repeat(20) },
  });
  expect([status, errors]).toEqual([0, '']);
  const [backup = '', ...more] = backups(to);
  expect(more).toEqual([]);
  expect(readdirSync(backup).toSorted()).toEqual([
    '.jwt_secret',
    'activity.db',
    'certificate.pem',
    'config.yml',
    'manifest.json',
    'postern.db',
    'proxy_trusted_headers.conf',
    'self-signed.key',
    'self-signed.pem',
  ]);
  for (const name of readdirSync(backup)) expect(mode(join(backup, name)), name).toBe('600');
  expect(mode(backup)).toBe('700');
  expect(output).toContain(`the backup is ${backup}\n`);
  expect(output).toContain(`not in it: ${tls.key} (it is not below the configuration directory)\n`);
  expect(output).toContain('not in it: the variable SERVICE_JWT_SECRET\n');
  expect(output).toContain('not in it: the variables that config.yml takes from the environment\n');
  expect(output).not.toContain('hidden-secret');
  expect(readFileSync(join(backup, '.jwt_secret'))).toEqual(readFileSync(join(directory, '.jwt_secret')));
  expect((await visitor(gateway.addresses.authenticated ?? '').logIn('admin', 'x')).status).toBe(401);
});

test('is taken during writes, each as it was at one moment, and blocks none of them', async () => {
  const [directory, to] = [temporaryDirectory(), temporaryDirectory()];
  await (await openStore(join(directory, 'postern.db'), 5_000)).destroy();
  const writer = spawn(process.execPath, [
    join(projectRoot, 'test', 'unit', 'store', 'sqlite', 'committing-writer.ts'),
    join(directory, 'postern.db'),
    'u',
  ]);
  let said = '';
  writer.stdout.on('data', (chunk) => (said += String(chunk)));
  await once(writer.stdout, 'data');
  const acknowledged = () => said.split('\n').length - 1;
  const counts: Array<readonly [before: number, copied: number]> = [];
  let wentOn = false;
  // On a busy machine the writer may get no turn during a backup; one that is stopped gets none during any.
  for (let i = 0; i < 3 || (!wentOn && i < 30); i += 1) {
    const before = acknowledged();
    const target = join(to, String(i));
    expect(await postern(directory, ['backup', '--to', target])).toMatchObject({ status: 0 });
    const store = new DatabaseSync(join(backups(target)[0] ?? '', 'postern.db'));
    expect(store.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    const [row] = store.prepare("SELECT count(*) AS users FROM users WHERE role = 'family'").all();
    counts.push([before, Number(row?.['users'])]);
    store.close();
    wentOn ||= acknowledged() > before;
  }
  writer.kill('SIGKILL');
  await once(writer, 'close');
  // Whatever was acknowledged when the backup began is in it, and the writer continued.
  for (const [before, copied] of counts) expect(copied).toBeGreaterThanOrEqual(before);
  expect(wentOn).toBe(true);
});

describe('is not made', () => {
  test('where nothing was ever kept', async () => {
    const [directory, to] = [temporaryDirectory(), temporaryDirectory()];
    const { status, errors } = await postern(directory, ['backup', '--to', to]);
    expect([status, errors]).toEqual([
      1,
      `postern: there is no ${directory}/postern.db: nothing was ever kept here\n`,
    ]);
    expect(readdirSync(to)).toEqual([]);
  });

  test('reports a damaged postern.db; a damaged activity.db is left out', async () => {
    const [directory, to] = [temporaryDirectory(), temporaryDirectory()];
    await (await startGateway({ directory })).close();
    writeFileSync(join(directory, 'activity.db'), 'garbage '.repeat(2_000));
    const one = await postern(directory, ['backup', '--to', to]);
    expect(one.status).toBe(0);
    expect(one.output).toContain(`not in it: ${directory}/activity.db is damaged (file is not a database)`);
    rmSync(to, { recursive: true });
    const bytes = readFileSync(join(directory, 'postern.db'));
    bytes.fill(0xa5, 4_096);
    writeFileSync(join(directory, 'postern.db'), bytes);
    const other = await postern(directory, ['backup', '--to', to]);
    expect([other.status, other.errors]).toEqual([
      1,
      expect.stringContaining(`${directory}/postern.db is damaged`),
    ]);
    expect(readdirSync(to)).toEqual([]);
  });

  test.each(['/proc/nope/backups', '/no-such-place/backups'])(
    'to %s, whose parent is not there',
    async (to) => {
      const directory = temporaryDirectory();
      await (await startGateway({ directory })).close();
      const { status, errors } = await postern(directory, ['backup', '--to', to]);
      expect([status, errors]).toEqual([1, `postern: ${dirname(to)} is not there: make it first\n`]);
    },
  );
});

test('a committed user is in the backup of the next moment', async () => {
  const [directory, to] = [temporaryDirectory(), temporaryDirectory()];
  const store = await openStore(join(directory, 'postern.db'), 5_000);
  onTestFinished(() => store.destroy());
  await createUsers(store, clockAt(1_000)).add(
    { username: 'vera', role: 'viewer', passwordHash: 'h' },
    unconditional,
  );
  expect(await postern(directory, ['backup', '--to', to])).toMatchObject({ status: 0 });
  const copy = new DatabaseSync(join(backups(to)[0] ?? '', 'postern.db'));
  expect(copy.prepare('SELECT username FROM users').all()).toEqual([{ username: 'vera' }]);
  copy.close();
});

test('backups of one second, one after the other or at once, stand beside each other in their order', async () => {
  const directory = temporaryDirectory();
  const to = join(directory, 'backups');
  await (await openStore(join(directory, 'postern.db'), 5_000)).destroy();
  const installation = { directory, trustedHeadersFile: join(directory, 'none.conf'), tlsFiles: undefined };
  const now = Date.UTC(2026, 10, 23, 3, 0, 0, 700);
  const make = async (at: number) => (await makeBackup(installation, to, at, '0')).path;
  const names = [await make(now), await make(now)];
  const atOnce = await Promise.all([make(now), make(now), make(now)]);
  names.push(...atOnce.toSorted(), await make(now + 1_000));
  const stamp = 'postern-2026-11-23T03-00-00Z';
  const expected = [
    stamp,
    `${stamp}-2`,
    `${stamp}-3`,
    `${stamp}-4`,
    `${stamp}-5`,
    'postern-2026-11-23T03-00-01Z',
  ];
  expect(names).toEqual(expected.map((name) => join(to, name)));
  expect(readdirSync(to).toSorted()).toEqual(expected);
  for (const name of expected) expect(readdirSync(join(to, name)), name).toContain('manifest.json');
});
