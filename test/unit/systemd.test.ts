import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configurationReader } from '../../src/config/load.ts';
import { projectRoot } from '../support/start-gateway.ts';

const unit = readFileSync(join(projectRoot, 'docs', 'systemd', 'postern.service'), 'utf8');
const values = (key: string) =>
  [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value);
const valueOf = (key: string) => {
  const found = values(key);
  expect(found, key).toHaveLength(1);
  return found[0] ?? '';
};
const configuration = configurationReader({}, projectRoot, 'config.yml')('');

describe('docs/systemd/postern.service', () => {
  test('starts files that are in the project', () => {
    const home = valueOf('WorkingDirectory');
    for (const key of ['ExecStart', 'ExecStartPost']) {
      const [node = '', file = ''] = valueOf(key).split(' ');
      expect(existsSync(node.replace(home, projectRoot)), node).toBe(true);
      expect(existsSync(join(projectRoot, file)), file).toBe(true);
    }
    expect(existsSync(valueOf('Documentation').replace(`file://${home}`, projectRoot))).toBe(true);
  });

  test('keeps to its own directories', () => {
    const name = valueOf('StateDirectory');
    expect(valueOf('Environment')).toBe(`SERVICE_CONFIG_DIR=/var/lib/${name}`);
    expect(valueOf('ExecStartPost')).toContain(`unix:/run/${valueOf('RuntimeDirectory')}/internal.sock`);
    expect([valueOf('StateDirectoryMode'), valueOf('RuntimeDirectoryMode')]).toEqual(['0700', '0750']);
    expect(values('LoadCredential')).toEqual(['SERVICE_JWT_SECRET']);
  });

  test('leaves a configuration with mistakes alone, and requests their time', () => {
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

  const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;
  test.runIf(hasAnalyze)('is one that systemd understands, and exposes little', () => {
    const directory = mkdtempSync(join(tmpdir(), 'postern-unit-'));
    const file = join(directory, 'postern.service');
    writeFileSync(file, unit.replaceAll('/opt/postern', projectRoot));
    const analyze = (...args: string[]) =>
      spawnSync('systemd-analyze', [...args, file], { encoding: 'utf8' });
    const verified = analyze('verify');
    // Other units of the machine are looked at too.
    const ours = verified.stderr.split('\n').filter((line) => line.includes('postern.service'));
    const exposed = analyze('security', '--offline=true', '--threshold=16', '--no-pager');
    rmSync(directory, { recursive: true });
    expect([verified.status, ours]).toEqual([0, []]);
    // 1.6 of 10 at most.
    expect([exposed.status, exposed.stdout]).toEqual([0, expect.stringContaining('exposure level')]);
  });
});
