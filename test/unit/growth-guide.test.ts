import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import type { ListenAddress } from '../../src/config/listen.ts';
import { configurationReader } from '../../src/config/load.ts';
import { advice } from '../../src/store/postgres/client.ts';
import { connectionsOfProcess, decisionTimeoutMs } from '../../src/store/postgres/open-store.ts';
import { stagesOf } from '../support/dockerfile.ts';
import { projectRoot } from '../support/start-gateway.ts';

const committed = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const nginxFile = committed('nginx/several-gates.conf');

interface Service {
  readonly image: string;
  readonly build?: { readonly target: string };
  readonly user?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes: readonly string[];
  readonly networks: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly stop_grace_period: string;
}
const compose = parse(committed('compose.postgres.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, { readonly driver_opts: { readonly o: string } } | null>>;
};
const service = (name: string): Service => {
  const found = compose.services[name];
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
};
const gates = ['gate-1', 'gate-2'].map(service);
const nginx = service('nginx');
const database = service('database');

/** As in a container, with the secrets that Compose puts there. */
function readConfiguration() {
  const secrets = mkdtempSync(join(tmpdir(), 'postern-secrets-'));
  onTestFinished(() => rmSync(secrets, { recursive: true, force: true }));
  for (const name of Object.keys(compose.secrets)) writeFileSync(join(secrets, name), `of-${name}\n`);
  const read = configurationReader({ CREDENTIALS_DIRECTORY: secrets }, projectRoot, 'config.yml');
  return read(committed('docs/growth/config.yml'));
}

test('the guide says how long a decision waits for PostgreSQL, and how many connections a process takes', () => {
  const guide = committed('docs/growth.md');
  expect(guide).toContain('PostgreSQL is away: gates answer 503 after a second');
  expect(decisionTimeoutMs).toBeLessThan(1_000);
  expect([guide, advice['53300']].join('\n').match(/up to (\w+)(?: for each process|$)/g)).toEqual([
    'up to eleven for each process',
    'up to eleven',
  ]);
  expect(connectionsOfProcess).toBe(11);
});

describe('compose.postgres.yaml', () => {
  test('runs two gates of one kind, nginx before them, and the database that they name', () => {
    for (const gate of gates) expect(gate.build?.target).toBe('gateway');
    expect(nginx.build?.target).toBe('front');
    expect(nginx.command?.slice(0, 2)).toEqual(['-c', 'conf/several-gates.conf']);
    const { store } = readConfiguration();
    const url = new URL(store.url ?? '');
    expect([url.hostname, url.username, url.pathname]).toEqual([
      'database',
      database.environment?.['POSTGRES_USER'],
      `/${database.environment?.['POSTGRES_DB']}`,
    ]);
  });

  test('gives every gate the same secrets by files, and the database its password', () => {
    for (const gate of gates) expect(gate.secrets).toEqual(Object.keys(compose.secrets));
    expect(compose.secrets).toHaveProperty('SERVICE_JWT_SECRET');
    expect(database.environment?.['POSTGRES_PASSWORD_FILE']).toBe(`/run/secrets/${database.secrets?.[0]}`);
    expect(readConfiguration().store.url).toContain(`:of-${database.secrets?.[0]}@`);
    expect(committed('compose.postgres.yaml')).not.toMatch(/POSTGRES_PASSWORD:|PGPASSWORD/);
  });

  test('lets nginx reach each gate by sockets of its own, and only gates the database', () => {
    const { listen } = readConfiguration();
    const { forwardAuthAuthenticated, forwardAuthInternal, relayAuthenticated, relayInternal } = listen;
    const pathOf = (address: ListenAddress | undefined) => (address as { path: string }).path;
    for (const [index, gate] of gates.entries()) {
      const place = `/run/postern/${index + 1}`;
      const volume = `sockets-${index + 1}`;
      expect(gate.volumes).toContain(`${volume}:/run/postern`);
      expect(nginx.volumes).toContain(`${volume}:${place}`);
      for (const address of [
        forwardAuthAuthenticated,
        forwardAuthInternal,
        relayAuthenticated,
        relayInternal,
      ])
        expect(nginxFile).toContain(`server unix:${pathOf(address).replace('/run/postern', place)} `);
      const [user, group] = gate.user?.split(':') ?? [];
      expect(compose.volumes[volume]?.driver_opts.o).toBe(`uid=${user},gid=${group},mode=1770`);
      expect(nginx.user?.split(':')[1]).toBe(group);
    }
    expect(database.networks).toEqual(['store']);
    expect(nginx.networks).not.toContain('store');
    expect(database.ports).toBeUndefined();
  });

  test('begins in order, and waits for the end of requests longer than they have', () => {
    for (const gate of gates) {
      expect(gate.depends_on).toEqual({ database: { condition: 'service_healthy' } });
      const { shutdownTimeout, shutdownDelay } = readConfiguration();
      expect(Number.parseInt(gate.stop_grace_period, 10) * 1_000).toBeGreaterThan(
        shutdownTimeout + shutdownDelay + 5_000,
      );
    }
    expect(nginx.depends_on).toEqual({ 'gate-1': { condition: 'service_healthy' } });
    expect((stagesOf(committed('Dockerfile')).get('front') ?? []).map(({ text }) => text)).toContain(
      'nginx /usr/local/nginx/conf',
    );
  });

  test('has an example configuration without warnings', () => {
    expect(readConfiguration().warnings).toEqual([]);
  });
});

test('nginx/several-gates.conf is nginx/recorder.conf except for the gates', () => {
  const parts = (file: string) => {
    const [, http = ''] = committed(`nginx/${file}`).split('http {');
    return http.slice(http.indexOf('  server {')).replaceAll('_$connections', '');
  };
  expect(parts('several-gates.conf')).toBe(parts('recorder.conf'));
});

test('a secret is read from its file when the environment has none', () => {
  expect(readConfiguration().store.url).toBe(
    'postgres://postern:of-SERVICE_DATABASE_PASSWORD@database/postern',
  );
});
