import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { configurationReader } from '../../src/config/load.ts';
import { projectRoot } from '../support/start-gateway.ts';
import { canHere } from '../support/can-here.ts';

const read = (name: string) => readFileSync(join(projectRoot, 'docs', 'systemd', name), 'utf8');
const valuesIn = (unit: string) => (key: string) =>
  [...read(unit).matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
const valueIn = (unit: string) => (key: string) => {
  const found = valuesIn(unit)(key);
  expect(found, key).toHaveLength(1);
  return found[0] ?? '';
};
const values = valuesIn('postern.service');
const valueOf = valueIn('postern.service');
const configuration = configurationReader({}, projectRoot, 'config.yml')('');

describe('docs/systemd/postern.service', () => {
  test('starts files that are in the project', () => {
    const home = valueOf('WorkingDirectory');
    for (const key of ['ExecStart', 'ExecStartPost']) {
      const [node = '', ...parts] = valueOf(key).split(' ');
      const file = parts.find((part) => !part.startsWith('--')) ?? '';
      expect(existsSync(node.replace(home, projectRoot)), node).toBe(true);
      expect(existsSync(join(projectRoot, file)), file).toBe(true);
    }
    expect(existsSync(valueOf('Documentation').replace(`file://${home}`, projectRoot))).toBe(true);
  });

  test('gets the same arguments in the drop-in for another Node', () => {
    const guide = readFileSync(join(projectRoot, 'docs', 'systemd.md'), 'utf8');
    for (const key of ['ExecStart', 'ExecStartPost']) {
      const [, ...parts] = valueOf(key).split(' ');
      expect(guide).toContain(`${key}=\n${key}=/usr/local/bin/node ${parts.join(' ')}\n`);
    }
  });

  test('keeps to its own directories', () => {
    const name = valueOf('StateDirectory');
    expect(values('Environment')).toContain(`SERVICE_CONFIG_DIR=/var/lib/${name}`);
    expect(valueOf('ExecStartPost')).toContain(`unix:/run/${valueOf('RuntimeDirectory')}/internal.sock`);
    expect([valueOf('StateDirectoryMode'), valueOf('RuntimeDirectoryMode')]).toEqual(['0700', '1770']);
    expect(values('LoadCredential')).toEqual([
      'SERVICE_JWT_SECRET',
      'SERVICE_DATABASE_PASSWORD',
      'SERVICE_OIDC_SECRET',
      'SERVICE_STORE_KEY',
    ]);
  });

  test('does not restart for a wrong configuration, and lets requests finish', () => {
    const main = readFileSync(join(projectRoot, 'src', 'main.ts'), 'utf8');
    expect(main).toContain(`const exitConfiguration = ${valueOf('RestartPreventExitStatus')};`);
    expect(valueOf('Restart')).toBe('on-failure');
    expect(Number(valueOf('TimeoutStopSec')) * 1_000).toBeGreaterThan(configuration.shutdownTimeout + 5_000);
    const wait = Number(/--wait (\d+)/.exec(valueOf('ExecStartPost'))?.[1]);
    expect(Number(valueOf('TimeoutStartSec'))).toBeGreaterThan(wait);
    for (const signal of [valueOf('KillSignal'), `SIG${/kill -(\w+)/.exec(valueOf('ExecReload'))?.[1]}`]) {
      expect(main).toContain(`'${signal}'`);
    }
  });
});

test('docs/uninstall.md removes the units, what they keep, and each secret that they pass on', () => {
  const guide = readFileSync(join(projectRoot, 'docs', 'uninstall.md'), 'utf8');
  const removed = [...guide.matchAll(/^ *(?:\[.* \|\| )?rm(?:dir)? (.*)$/gm)].flatMap(([, paths = '']) =>
    paths.split(' '),
  );
  const covers = (path: string) =>
    removed.some(
      (name) =>
        path === name ||
        path.startsWith(name.replace(/\*?$/, '/')) ||
        (name.endsWith('*') && path.startsWith(name.slice(0, -1))),
    );
  const units = readdirSync(join(projectRoot, 'docs', 'systemd'));
  const secrets = units.flatMap((unit) => valuesIn(unit)('LoadCredential'));
  expect(secrets.length).toBeGreaterThan(7);
  const kept = [
    ...units.map((unit) => `/etc/systemd/system/${unit}`),
    ...secrets.map((name) => `/etc/credstore/${name}`),
    ...units.flatMap((unit) => valuesIn(unit)('ReadWritePaths')).flatMap((paths) => paths.split(' ')),
    `/var/lib/${valueOf('StateDirectory')}`,
    valueOf('WorkingDirectory'),
  ];
  expect(kept.filter((path) => !covers(path))).toEqual([]);
});

describe('docs/systemd/postern-nginx.service', () => {
  const nginx = valueIn('postern-nginx.service');

  test('is no root, and in the group that may open the sockets', () => {
    expect([nginx('User'), nginx('SupplementaryGroups')]).toEqual(['postern-nginx', valueOf('Group')]);
    expect(nginx('CapabilityBoundingSet')).toBe('');
  });

  test('comes after the gateway, whose directory it writes its process id to', () => {
    const directory = `/run/${valueOf('RuntimeDirectory')}`;
    const file = readFileSync(join(projectRoot, 'nginx', 'nginx.conf'), 'utf8');
    expect(nginx('PIDFile')).toBe(`${directory}/nginx.pid`);
    expect(file).toContain(`pid ${nginx('PIDFile')};`);
    expect(nginx('ReadWritePaths')).toBe(directory);
    expect(nginx('After')).toContain('postern.service');
    expect(valueOf('Before')).toContain('postern-nginx.service');
  });

  test('may open as many files as its connections need', () => {
    const file = readFileSync(join(projectRoot, 'nginx', 'nginx.conf'), 'utf8');
    const connections = Number(/worker_connections (\d+);/.exec(file)?.[1]);
    expect(Number(nginx('LimitNOFILE'))).toBeGreaterThan(3 * connections);
  });

  test('reloads only after a check', () => {
    const [first, second] = valuesIn('postern-nginx.service')('ExecReload');
    expect(first).toBe(`${nginx('ExecStart')} -q -t`);
    expect(second).toContain('kill -HUP');
  });
});

test('docs/systemd/postern-backup.service backs up what postern.service keeps, where it may write', () => {
  const backup = valueIn('postern-backup.service');
  for (const key of ['User', 'Group', 'WorkingDirectory']) expect(backup(key)).toBe(valueOf(key));
  expect(values('Environment')).toContain(backup('Environment'));
  expect(valuesIn('postern-backup.service')('LoadCredential')).toEqual(values('LoadCredential'));
  const [node = '', file = ''] = backup('ExecStart').split(' ');
  expect(valueOf('ExecStart')).toContain(node);
  expect(existsSync(join(projectRoot, file)), file).toBe(true);
  const [, to = ''] = /--to (\S+)$/.exec(backup('ExecStart')) ?? [];
  expect(backup('ReadWritePaths').split(' ')).toEqual(['/var/lib/postern', to]);
  expect(readFileSync(join(projectRoot, 'docs', 'backup.md'), 'utf8')).toContain(
    `install -d -o ${backup('User')} -g ${backup('Group')} -m 0700 ${to}`,
  );
});

const hasAnalyze = canHere('systemd-analyze', spawnSync('systemd-analyze', ['--version']).status === 0);
describe.runIf(hasAnalyze)('systemd', () => {
  const units = readdirSync(join(projectRoot, 'docs', 'systemd'));
  // In tenths.
  const exposures = { 'postern.service': 16, 'postern-nginx.service': 14, 'postern-backup.service': 31 };
  const directory = mkdtempSync(join(tmpdir(), 'postern-unit-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  // A program that is not installed here is no fault of the unit.
  const here = (text: string) =>
    text.replaceAll('/opt/postern', projectRoot).replaceAll('/usr/sbin/nginx', process.execPath);
  for (const unit of units) writeFileSync(join(directory, unit), here(read(unit)));

  test.each(units)('understands %s', (unit) => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', join(directory, unit)], {
      encoding: 'utf8',
    });
    // Other units of the machine are looked at too.
    expect([status, stderr.split('\n').filter((line) => line.includes('postern'))]).toEqual([0, []]);
  });

  test.each(Object.entries(exposures))('finds little exposed by %s', (unit, most) => {
    const options = ['security', '--offline=true', `--threshold=${most}`, '--no-pager'];
    const { status, stdout } = spawnSync('systemd-analyze', [...options, join(directory, unit)], {
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining('exposure level')]);
  });
});
