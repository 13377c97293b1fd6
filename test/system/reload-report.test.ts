import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { adminOf } from '../support/log-in.ts';
import { sendRaw } from '../support/raw-http.ts';
import { scrape } from '../support/scrape.ts';
import { startGateway } from '../support/start-gateway.ts';
import packageFile from '../../package.json' with { type: 'json' };

const listen = { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' };

async function start(config: Record<string, unknown> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'postern-report-'));
  const write = (document: Record<string, unknown> | string) =>
    writeFileSync(
      join(directory, 'config.yml'),
      typeof document === 'string' ? document : stringify({ networking: { listen }, ...document }),
    );
  write(config);
  const gateway = await startGateway({ directory, keepConfig: true });
  onTestFinished(async () => {
    await gateway.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const reload = async (document: Record<string, unknown> | string) => {
    write(document);
    await gateway.reloading.reload('test');
  };
  const { internal = '' } = gateway.addresses;
  const report = async () => {
    const answer = await sendRaw(internal, { uri: '/postern/api/configuration' });
    expect(answer.status).toBe(200);
    return JSON.parse(answer.body) as {
      hash: string;
      version: string;
      started_at: number;
      in_force_since: number;
      warnings: string[];
      last_reload: { successful: boolean; at: number; cause: string; problems: unknown[]; waiting: string[] };
    };
  };
  /** The current hash, from the metrics. */
  const hashInMetrics = async () => {
    const names = [...(await scrape(internal)).keys()].filter((name) =>
      name.startsWith('postern_config_info'),
    );
    expect(names).toHaveLength(1);
    return /hash="([0-9a-f]{16})"/.exec(names[0] ?? '')?.[1];
  };
  return { ...gateway, internal, reload, report, hashInMetrics };
}

const roles = (camera: string) => ({ auth: { roles: { street: [camera] } } });

test('is of the start, until the files are read again', async () => {
  const began = Date.now() / 1_000;
  const { report, hashInMetrics } = await start();
  const { hash, version, started_at, in_force_since, last_reload } = await report();
  expect(version).toBe(packageFile.version);
  for (const time of [started_at, in_force_since]) {
    expect(time).toBeGreaterThan(began - 1);
    expect(time).toBeLessThan(Date.now() / 1_000 + 1);
  }
  expect(last_reload).toMatchObject({ successful: true, cause: 'start', problems: [], waiting: [] });
  expect(await hashInMetrics()).toBe(hash);
});

test('lists what is wrong, and counts it, until it is fixed', async () => {
  const { internal, log, reload, report, hashInMetrics } = await start(roles('front'));
  const before = await report();
  await reload({ auth: { enabled: 'no' }, proxy: { auth_secret: 'a very secret secret', separator: '::' } });
  const failed = await report();
  expect(failed).toMatchObject({ hash: before.hash, in_force_since: before.in_force_since });
  expect(failed.last_reload).toMatchObject({ successful: false, cause: 'test' });
  expect(failed.last_reload.problems).toEqual(
    expect.arrayContaining([
      { path: 'auth.enabled', found: '"no"', allowed: 'true or false (did you mean false?)' },
    ]),
  );
  expect(JSON.stringify(failed)).not.toContain('very secret');
  expect(log.filter(({ level }) => level === 'error').map(({ path }) => path)).toEqual(
    expect.arrayContaining(['auth.enabled', 'proxy.separator']),
  );
  let samples = await scrape(internal);
  expect(samples.get('postern_config_last_reload_successful')).toBe(0);
  expect(samples.get('postern_config_reloads_total{result="failure"}')).toBe(1);
  expect(samples.get('postern_config_last_reload_success_timestamp_seconds')).toBe(before.last_reload.at);
  expect(await hashInMetrics()).toBe(before.hash);
  const ready = await sendRaw(internal, { uri: '/readyz' });
  expect([ready.status, JSON.parse(ready.body)]).toEqual([
    200,
    expect.objectContaining({
      status: 'degraded',
      checks: expect.objectContaining({ configuration: 'failed' }),
    }),
  ]);

  await reload(roles('garage'));
  const mended = await report();
  expect(mended.last_reload).toMatchObject({ successful: true, problems: [] });
  expect(mended.hash).not.toBe(before.hash);
  samples = await scrape(internal);
  expect(samples.get('postern_config_last_reload_successful')).toBe(1);
  expect(samples.get('postern_config_reloads_total{result="success"}')).toBe(1);
  expect(await hashInMetrics()).toBe(mended.hash);
});

test('changes that wait for a restart are not in the current hash', async () => {
  const { reload, report } = await start(roles('front'));
  const { hash } = await report();
  await reload({ ...roles('front'), networking: { listen: { ...listen, authenticated: '127.0.0.1:1' } } });
  const waiting = await report();
  expect(waiting.hash).toBe(hash);
  expect(waiting.last_reload).toMatchObject({
    successful: true,
    waiting: ['networking.listen.authenticated'],
  });
  await reload(roles('front'));
  expect((await report()).last_reload.waiting).toEqual([]);
});

test('a role that is changed in Settings changes the hash, to what a reload of the file finds', async () => {
  const gateway = await start(roles('front'));
  const { hash } = await gateway.report();
  const admin = await adminOf(gateway);
  expect((await admin.send('PUT', '/postern/api/roles/street', { cameras: ['garage'] })).status).toBe(200);
  const changed = await gateway.report();
  expect(changed.hash).not.toBe(hash);
  expect(await gateway.hashInMetrics()).toBe(changed.hash);
  await gateway.reloading.reload('test');
  expect(await gateway.report()).toMatchObject({
    hash: changed.hash,
    in_force_since: changed.in_force_since,
  });
});

test('lists what the start warned of, until it is fixed', async () => {
  const proxyMode = (proxy: object) => ({
    auth: { enabled: false },
    proxy: { header_map: { user: 'Remote-User', role: 'Remote-Groups' }, ...proxy },
    networking: { listen, forward_auth: { authenticated: '127.0.0.1:0' } },
  });
  const gateway = await start(proxyMode({}));
  const warning = expect.stringMatching(
    /^auth\.enabled is false and proxy\.auth_secret is not set: anyone /,
  ) as string;
  const { hash, warnings } = await gateway.report();
  expect(warnings).toEqual([warning]);
  await gateway.reload({ ...proxyMode({}), networking: { listen } });
  expect(await gateway.report()).toMatchObject({
    hash,
    warnings: [warning],
    last_reload: { waiting: ['networking.forward_auth.authenticated'] },
  });
  await gateway.reload(proxyMode({ auth_secret: 'a very secret secret' }));
  expect((await gateway.report()).warnings).toEqual([]);
});
