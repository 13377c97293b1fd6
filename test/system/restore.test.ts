import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { accounts } from '../../src/store/accounts-migrations.ts';
import { measure } from '../../src/store/backup/files.ts';
import { adminOf, printedPassword, userOf, visitor } from '../support/log-in.ts';
import { postern } from '../support/postern-command.ts';
import { projectRoot, startGateway, type GatewayOptions } from '../support/start-gateway.ts';
import { temporaryDirectory } from '../unit/store/temporary-store.ts';
import { patience } from '../support/patience.ts';

async function start(directory: string, options: GatewayOptions = {}) {
  const gateway = await startGateway({ ...options, directory });
  onTestFinished(() => gateway.close());
  return gateway;
}
const backups = (to: string) => readdirSync(to).map((name) => join(to, name));
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

interface Changed {
  readonly directory: string;
  readonly backup: string;
  readonly password: string;
  readonly tokens: Readonly<Record<'vera' | 'left', string | undefined>>;
}

/** Makes users, sessions and a backup, and changes much afterwards. */
async function makeChanged(place: string): Promise<Changed> {
  const [directory, to] = [join(place, 'kept'), join(place, 'backups')];
  mkdirSync(directory);
  const networking = { listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' } };
  const gateway = await startGateway({
    directory,
    config: { networking, auth: { roles: { operator: ['garage'] } } },
  });
  const address = gateway.addresses.authenticated ?? '';
  const password = printedPassword(gateway);
  const admin = await adminOf(gateway);
  const vera = await userOf(admin, address, 'vera', 'viewer');
  const left = await userOf(admin, address, 'left', 'viewer');
  const tokens = { vera: vera.token, left: left.token };
  await admin.send('POST', '/api/users', { username: 'olaf', password: goodPassword, role: 'operator' });
  const file = new DatabaseSync(join(directory, 'postern.db'));
  const addToken = file.prepare(
    'INSERT INTO api_tokens (token_id, token_hash, name, username, role, created_at) VALUES (?, ?, ?, ?, ?, 1)',
  );
  addToken.run('t1', 'h1', 'scraper', 'vera', 'viewer');
  addToken.run('t2', 'h2', 'lost phone', 'vera', 'viewer');
  // An old alert is no news after a restore.
  file.exec(
    `INSERT INTO outbox VALUES ('d', 'd', 'account:vera', '{"event":"new_device"}', 1, 9999999999, 0, NULL);
     INSERT INTO push_keys VALUES ('public', 'sealed')`,
  );
  if ((await postern(directory, ['backup', '--to', to])).status !== 0) throw new Error('no backup');
  await left.send('POST', '/api/logout');
  await admin.send('DELETE', '/api/users/olaf');
  await admin.send('PUT', '/api/users/vera/password', {
    password: 'vera-has-another-one',
    keep_api_tokens: true,
  });
  await admin.send('POST', '/api/users', { username: 'nina', password: 'nina-is-new-here', role: 'viewer' });
  file.exec("DELETE FROM api_tokens WHERE token_id = 't2'");
  file.close();
  await gateway.close();
  return { directory, backup: backups(to)[0] ?? '', password, tokens };
}

const template = mkdtempSync(join(tmpdir(), 'postern-changed-'));
let made: Changed;
beforeAll(async () => {
  made = await makeChanged(template);
});
afterAll(() => rmSync(template, { recursive: true, force: true }));

/** A configuration directory that has changed since its backup. */
function changedSince(): Changed {
  const place = temporaryDirectory();
  cpSync(template, place, { recursive: true });
  const moved = (path: string) => join(place, relative(template, path));
  return { ...made, directory: moved(made.directory), backup: moved(made.backup) };
}
const goodPassword = 'correct-horse-battery';
const state = (directory: string) => {
  const file = new DatabaseSync(join(directory, 'postern.db'));
  const rows = (sql: string) =>
    file
      .prepare(sql)
      .all()
      .map((row) => Object.values(row).join(' '));
  const found = {
    users: rows('SELECT username, role FROM users ORDER BY 1'),
    apiTokens: rows('SELECT token_id FROM api_tokens ORDER BY 1'),
    alerts: rows('SELECT delivery_id FROM outbox'),
    pushKeys: rows('SELECT public_key FROM push_keys'),
    config: readFileSync(join(directory, 'config.yml'), 'utf8'),
    secret: readFileSync(join(directory, '.jwt_secret'), 'utf8'),
  };
  file.close();
  return found;
};

describe('a restore', () => {
  test('restores the backup, lists the changes, and ends every session', async () => {
    const { directory, backup, password, tokens } = changedSince();
    writeFileSync(join(directory, 'config.yml'), 'auth: { enabled: false }\n');
    const { status, output, errors } = await postern(directory, ['restore', backup], { input: 'yes\n' });
    expect([status, errors]).toEqual([0, 'Type "yes" to continue: ']);
    const kept = readdirSync(directory).find((name) => name.startsWith('before-restore-')) ?? '';
    expect(output.split('\n').slice(1)).toEqual([
      `in ${directory} it replaces: postern.db, activity.db, config.yml, .jwt_secret, tls/self-signed.pem, tls/self-signed.key`,
      'olaf was removed since the backup and comes back blocked: postern users unblock olaf',
      'nina will be deleted: this user was added after the backup',
      'vera keeps the present password',
      'the API token "lost phone" of vera stays ended (--keep-tokens keeps it)',
      'config.yml is another one in the backup: check its roles, camera groups and settings',
      'every session ends: everyone has to sign in again',
      `restored; what was there is in ${directory}/${kept}`,
      '',
    ]);
    expect(state(directory)).toMatchObject({
      users: ['admin admin', 'left viewer', 'olaf operator', 'vera viewer'],
      apiTokens: ['t1'],
      alerts: [],
      pushKeys: ['public'],
    });
    expect(readFileSync(join(directory, kept, 'config.yml'), 'utf8')).toBe('auth: { enabled: false }\n');
    expect(state(join(directory, kept)).users).toEqual([
      'admin admin',
      'left viewer',
      'nina viewer',
      'vera viewer',
    ]);
    expect(mode(join(directory, kept))).toBe('700');

    const gateway = await start(directory, { keepConfig: true });
    const address = gateway.addresses.authenticated ?? '';
    for (const token of Object.values(tokens)) {
      const again = visitor(address);
      again.token = token;
      expect((await again.send('GET', '/api/profile')).status).toBe(401);
    }
    for (const [user, word] of [
      ['admin', password],
      ['vera', 'vera-has-another-one'],
    ] as const) {
      expect((await visitor(address).logIn(user, word)).status, user).toBe(200);
    }
    // What ended since the backup stays ended.
    for (const user of ['vera', 'olaf'])
      expect((await visitor(address).logIn(user, goodPassword)).status, user).toBe(401);
  });

  test('keeps sessions and tokens when asked to', async () => {
    const { directory, backup, tokens } = changedSince();
    const { output } = await postern(directory, [
      'restore',
      backup,
      '--yes',
      '--keep-sessions',
      '--keep-tokens',
    ]);
    expect(output).toContain('sessions stay valid, even those ended since the backup\n');
    expect(state(directory).apiTokens).toEqual(['t1', 't2']);
    const gateway = await start(directory, { keepConfig: true });
    const again = visitor(gateway.addresses.authenticated ?? '');
    again.token = tokens.vera;
    expect((await again.send('GET', '/api/profile')).status).toBe(200);
  });

  test('keeps a secret that was replaced since the backup', async () => {
    const { directory, backup, password } = changedSince();
    writeFileSync(join(directory, '.jwt_secret'), 'another-secret-'.repeat(8));
    const { output } = await postern(directory, ['restore', backup, '--yes']);
    expect(output).toContain('.jwt_secret stays the present one: it was replaced after the backup\n');
    expect(state(directory).secret).toContain('another-secret');
    const gateway = await start(directory, { keepConfig: true });
    expect((await visitor(gateway.addresses.authenticated ?? '').logIn('admin', password)).status).toBe(200);
  });

  test('restores an installation in an empty directory', async () => {
    const { backup, password } = changedSince();
    const directory = join(temporaryDirectory(), 'config');
    const { status, output } = await postern(directory, ['restore', backup, '--yes']);
    expect(status).toBe(0);
    expect(output).toContain('restored; nothing was there before\n');
    expect(output).not.toContain('before-restore');
    // It is unknown which tokens were revoked.
    expect(output.match(/may have ended since/g)).toHaveLength(2);
    const gateway = await start(directory, { keepConfig: true });
    expect((await visitor(gateway.addresses.authenticated ?? '').logIn('admin', password)).status).toBe(200);
  });

  test.each(['', 'no\n', 'y\n', 'YES please\n'])(
    'that is not confirmed (%j) changes nothing',
    async (input) => {
      const { directory, backup } = changedSince();
      const before = state(directory);
      const { status, errors } = await postern(directory, ['restore', backup], { input });
      const end = input === '' ? '\n' : '';
      expect([status, errors]).toEqual([1, `Type "yes" to continue: ${end}postern: nothing was changed\n`]);
      expect(state(directory)).toEqual(before);
    },
  );

  test('waits for no server: it is refused while one runs, and not after that was killed', async () => {
    const { directory, backup } = changedSince();
    const child = spawn(process.execPath, [join(projectRoot, 'dist', 'main.js')], {
      env: { PATH: process.env['PATH'], SERVICE_CONFIG_DIR: directory },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    await vi.waitFor(() => expect(output).toContain('"msg":"ready"'), { timeout: patience });
    const before = state(directory);
    const refused = await postern(directory, ['restore', backup, '--yes']);
    expect([refused.status, refused.errors]).toEqual([
      1,
      `postern: ${directory} is in use: stop the server and every postern command first\n`,
    ]);
    expect(state(directory)).toEqual(before);
    child.kill('SIGKILL');
    await once(child, 'close');
    // The files of a killed server are not used as the log of another database.
    expect(readdirSync(directory)).toContain('postern.db-wal');
    expect(await postern(directory, ['restore', backup, '--yes'])).toMatchObject({ status: 0, errors: '' });
    expect(readdirSync(directory).filter((name) => /-(wal|shm)$/.test(name))).toEqual([]);
    expect(state(directory).users).toContain('olaf operator');
  });

  test.each<[what: string, is: (list: string) => void, isSame: boolean]>([
    ['a link to one like it, as in the container image', (list) => symlinkSync(`${list}-linked`, list), true],
    [
      'a link to another one',
      (list) => (writeFileSync(`${list}-linked`, 'x-other;'), symlinkSync(`${list}-linked`, list)),
      false,
    ],
    ['a link that leads nowhere', (list) => symlinkSync('nowhere', list), false],
    ['a link to itself', (list) => symlinkSync(list, list), false],
    ['a directory, as Docker makes of a missing mount', (list) => mkdirSync(list), false],
    ['missing', () => undefined, false],
  ])('works where the list of trusted headers is %s', async (_, make, isSame) => {
    const { directory, backup } = changedSince();
    const list = join(temporaryDirectory(), 'proxy_trusted_headers.conf');
    cpSync(join(backup, 'proxy_trusted_headers.conf'), `${list}-linked`);
    make(list);
    const environment = { SERVICE_TRUSTED_HEADERS_FILE: list };
    const { status, output, errors } = await postern(directory, ['restore', backup, '--yes'], {
      environment,
    });
    expect([status, errors]).toEqual([0, '']);
    expect(output.includes('proxy_trusted_headers.conf')).toBe(!isSame);
  });

  test('works where the files of the directory are links', async () => {
    const { directory, backup } = changedSince();
    for (const name of ['config.yml', '.jwt_secret']) {
      cpSync(join(directory, name), join(directory, `${name}-linked`));
      rmSync(join(directory, name));
      symlinkSync(`${name}-linked`, join(directory, name));
    }
    expect(await postern(directory, ['restore', backup, '--yes'])).toMatchObject({ status: 0, errors: '' });
    expect(state(directory).users).toContain('olaf operator');
  });

  test('by root belongs to the owner of the directory', async () => {
    if (process.getuid?.() !== 0) return;
    const { backup } = changedSince();
    const directory = temporaryDirectory();
    chownSync(directory, 4_321, 4_321);
    expect(await postern(directory, ['restore', backup, '--yes'])).toMatchObject({ status: 0 });
    const owners = readdirSync(directory, { recursive: true }).map(
      (name) => statSync(join(directory, String(name))).uid,
    );
    expect(new Set(owners)).toEqual(new Set([4_321]));
  });
});

const filesBelow = (directory: string) => readdirSync(directory, { recursive: true }).map(String).toSorted();

describe('an invalid backup is refused, and nothing is changed:', () => {
  type Manifest = { format: number; schemas: Record<string, number>; files: Record<string, unknown> };
  const edit = (backup: string, change: (manifest: Manifest) => void) => {
    const file = join(backup, 'manifest.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
    change(manifest);
    writeFileSync(file, JSON.stringify(manifest));
  };
  const setAgain = async (backup: string, name: string) => {
    const measured = await measure(join(backup, name));
    edit(backup, ({ files }) => (files[name] = measured));
  };
  const rows: ReadonlyArray<readonly [what: string, spoil: (backup: string) => unknown, said: string]> = [
    ['nothing there', (backup) => rmSync(backup, { recursive: true }), 'is not there'],
    ['no manifest', (backup) => rmSync(join(backup, 'manifest.json')), 'manifest.json is not there'],
    [
      'a manifest that is none',
      (backup) => writeFileSync(join(backup, 'manifest.json'), '{'),
      'is no manifest',
    ],
    [
      'a huge manifest',
      (backup) => writeFileSync(join(backup, 'manifest.json'), ' '.repeat(70_000)),
      'is too long',
    ],
    [
      'a later format',
      (backup) => edit(backup, (manifest) => (manifest.format = 2)),
      'may be of a later one',
    ],
    [
      'a name that leads out',
      (backup) => edit(backup, ({ files }) => (files['../../evil'] = files['config.yml'])),
      'is no manifest',
    ],
    [
      'a name of no backup',
      (backup) => edit(backup, ({ files }) => (files['authorized_keys'] = files['config.yml'])),
      'is no manifest',
    ],
    ['no accounts', (backup) => edit(backup, ({ files }) => delete files['postern.db']), 'has no postern.db'],
    [
      'a changed file',
      (backup) => writeFileSync(join(backup, 'config.yml'), 'auth: { enabled: false }\n'),
      'is not what it was',
    ],
    ['a missing file', (backup) => rmSync(join(backup, '.jwt_secret')), '.jwt_secret is not there'],
    [
      'a link instead of a file',
      (backup) => {
        const target = join(backup, '..', 'copy');
        writeFileSync(target, readFileSync(join(backup, 'config.yml')));
        rmSync(join(backup, 'config.yml'));
        symlinkSync(target, join(backup, 'config.yml'));
      },
      'config.yml is no file',
    ],
    [
      'a damaged database with a good sum',
      async (backup) => {
        const bytes = readFileSync(join(backup, 'postern.db'));
        bytes.fill(0x5a, 4_096);
        writeFileSync(join(backup, 'postern.db'), bytes);
        await setAgain(backup, 'postern.db');
      },
      'postern.db is damaged',
    ],
    [
      'a newer schema',
      async (backup) => {
        const file = new DatabaseSync(join(backup, 'postern.db'));
        file.exec('UPDATE schema_version SET version = 99');
        file.close();
        await setAgain(backup, 'postern.db');
      },
      `has schema version 99, this program knows ${accounts.steps.length}`,
    ],
  ];
  test.each(rows)('%s', async (_, spoil, said) => {
    const { directory, backup } = changedSince();
    const before = state(directory);
    const files = filesBelow(directory);
    await spoil(backup);
    const { status, output, errors } = await postern(directory, ['restore', backup, '--yes']);
    expect([status, output]).toEqual([1, '']);
    expect(errors).toContain(said);
    expect(errors).not.toMatch(/^\s+at /m);
    expect(state(directory)).toEqual(before);
    expect(filesBelow(directory)).toEqual(files);
  });
});

describe('a restore that ends in the middle', () => {
  const load = [join(projectRoot, 'test', 'support', 'fault-at-rename.ts')];
  const isOld = ({ users }: ReturnType<typeof state>) => users.includes('nina viewer');
  // The copy that is compared, six files with what they replace, and the beginning and end of the whole.
  const renames = Array.from({ length: 15 }, (_, index) => index + 1);

  test.each(renames)('killed at rename %d: the old state works, or the next run finishes it', async (at) => {
    const { directory, backup } = changedSince();
    writeFileSync(join(directory, 'config.yml'), 'auth: { session_length: 77 }\n');
    const killed = await postern(directory, ['restore', backup, '--yes'], {
      load,
      environment: { FAULT_AT_RENAME: String(at) },
    });
    expect(killed.status).toBe(null);
    const list = await postern(directory, ['users', 'list']);
    if (list.status === 0) {
      const isWhole = isOld(state(directory)) === state(directory).config.includes('session_length: 77');
      expect(isWhole).toBe(true);
    } else {
      expect(list.errors).toBe(
        `postern: a restore was cut off in ${directory}: run "postern restore" to finish it\n`,
      );
      await expect(startGateway({ directory, keepConfig: true })).rejects.toThrow('a restore was cut off');
    }
    const again = await postern(directory, list.status === 0 ? ['restore', backup, '--yes'] : ['restore']);
    expect([again.status, again.errors]).toEqual([0, '']);
    const { users, apiTokens, config } = state(directory);
    expect(users).toEqual(['admin admin', 'left viewer', 'olaf operator', 'vera viewer']);
    expect(apiTokens).toEqual(['t1']);
    expect(config).toContain('operator');
    expect(readdirSync(directory).filter((name) => name.startsWith('restore.'))).toEqual([]);
    // The earlier files are complete in the kept directories.
    const kept = readdirSync(directory).filter((name) => name.startsWith('before-restore-'));
    const configs = kept.map((name) => readFileSync(join(directory, name, 'config.yml'), 'utf8'));
    expect(configs).toContain('auth: { session_length: 77 }\n');
  });

  test.each(renames.slice(0, 14))('by an error at rename %d: everything is put back', async (at) => {
    const { directory, backup } = changedSince();
    const before = state(directory);
    const { status, errors } = await postern(directory, ['restore', backup, '--yes'], {
      load,
      environment: { FAULT_AT_RENAME: String(at), FAULT: 'error' },
    });
    expect([status, errors]).toEqual([1, expect.stringContaining('EBUSY')]);
    expect(state(directory)).toEqual(before);
    expect((await postern(directory, ['users', 'list'])).status).toBe(0);
    expect(readdirSync(directory).filter((name) => name.startsWith('restore.'))).toEqual([]);
  });

  test('without one there is nothing to finish', async () => {
    const { directory } = changedSince();
    const { status, errors } = await postern(directory, ['restore']);
    expect([status, errors]).toEqual([1, 'postern: which backup? postern restore <directory>\n']);
  });
});

test('a role that a user keeps is restored with them, as it is now', async () => {
  const place = temporaryDirectory();
  const [directory, to] = [join(place, 'kept'), join(place, 'backups')];
  mkdirSync(directory);
  const networking = { listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' } };
  const config = { networking, cameras: ['front', 'garage'], auth: { roles: { staff: ['garage'] } } };
  const gateway = await startGateway({ directory, config });
  const admin = await adminOf(gateway);
  await userOf(admin, gateway.addresses.authenticated ?? '', 'vie', 'viewer');
  expect(await postern(directory, ['backup', '--to', to])).toMatchObject({ status: 0 });
  const kid = { cameras: ['front'], access: { may: ['live'] } };
  expect((await admin.send('PUT', '/postern/api/roles/kid', kid)).status).toBe(200);
  expect((await admin.send('PUT', '/api/users/vie/role', { role: 'kid' })).status).toBeLessThan(300);
  await gateway.close();
  const restored = await postern(directory, ['restore', backups(to)[0] ?? '', '--yes']);
  expect(restored.output).toContain('vie stays kid, and is viewer in the backup');
  expect(restored.output).toContain('the role kid stays as it is now, in the config.yml of the backup too');
  const again = await startGateway({ directory, keepConfig: true });
  onTestFinished(() => again.close());
  const vie = visitor(again.addresses.authenticated ?? '');
  await vie.logIn('vie', goodPassword);
  expect(JSON.parse((await vie.send('GET', '/api/profile')).body)).toMatchObject({
    role: 'kid',
    allowed_cameras: ['front'],
  });
});
