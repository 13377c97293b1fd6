import { mkdtempSync, symlinkSync } from 'node:fs';
import { hostname, networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Configuration } from '../../../src/config/configuration.ts';
import { ownUpstream, requireForeignUpstream } from '../../../src/config/own-upstream.ts';
import { originOf } from '../../../src/config/resolve-recorder.ts';

const off = {
  authenticated: undefined,
  internal: undefined,
  metrics: undefined,
  forwardAuthAuthenticated: undefined,
  forwardAuthInternal: undefined,
  relayAuthenticated: undefined,
  relayInternal: undefined,
  events: undefined,
} satisfies Configuration['listen'];
const everywhere = { host: undefined, port: 8971 };
const onLoopback = { host: '127.0.0.1', port: 5000 };
const lan = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .filter(({ internal, scopeid }) => !internal && !scopeid)
  .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));

const keyOf = (upstream: string, listen: Partial<Configuration['listen']>) =>
  /^the address of ([\w.]+):/.exec(ownUpstream(originOf(upstream), { ...off, ...listen })?.found ?? '')?.[1];

describe('is its own', () => {
  test.each([
    'http://127.0.0.1:8971',
    'https://127.0.0.1:8971',
    'http://localhost:8971',
    'http://LOCALHOST.:8971',
    'http://gate.localhost:8971',
    'http://127.1:8971',
    'http://0x7f000001:8971',
    'http://127.0.0.2:8971',
    'http://0.0.0.0:8971',
    'http://[::]:8971',
    'http://[::1]:8971',
    'http://[::ffff:127.0.0.1]:8971',
    `http://${hostname()}:8971`,
    ...lan.map((address) => `http://${address}:8971`),
  ])('%s, where the gate listens on every address', (upstream) => {
    expect(keyOf(upstream, { authenticated: everywhere })).toBe('networking.listen.authenticated');
  });

  test.each(['http://127.0.0.1:5000', 'http://localhost:5000', 'http://0.0.0.0:5000'])(
    '%s, where it listens on loopback',
    (upstream) => {
      expect(keyOf(upstream, { internal: onLoopback })).toBe('networking.listen.internal');
    },
  );

  test.each(['0.0.0.0', '::', '127.0.0.1', 'localhost'])('127.0.0.1, where it listens on %s', (host) => {
    expect(keyOf('http://127.0.0.1:80', { authenticated: { host, port: 80 } })).toBeDefined();
  });

  test('the relay, a forward-auth listener, and that of metrics', () => {
    expect(keyOf('http://127.0.0.1:8971', { relayInternal: everywhere })).toBe('networking.relay.internal');
    expect(keyOf('http://127.0.0.1:8971', { metrics: everywhere })).toBe('networking.listen.metrics');
    expect(keyOf('http://127.0.0.1:8971', { forwardAuthAuthenticated: everywhere })).toBe(
      'networking.forward_auth.authenticated',
    );
  });

  test('a socket, by any way to it', () => {
    const directory = mkdtempSync(join(tmpdir(), 'postern-own-'));
    symlinkSync(directory, `${directory}.link`);
    const listen = { relayAuthenticated: { path: `${directory}/relay.sock` } };
    for (const path of [
      `${directory}/relay.sock`,
      `${directory}/./relay.sock`,
      `${directory}.link/relay.sock`,
    ])
      expect(keyOf(`unix:${path}`, listen)).toBe('networking.relay.authenticated');
  });

  test('a name whose address is its own', async () => {
    // In /etc/hosts of every machine, but not known here without asking.
    const listen = { ...off, authenticated: { host: 'ip6-localhost', port: 8971 } };
    const isOwn = (upstream: string, at: Configuration['listen']) =>
      requireForeignUpstream({ upstream, listen: at }).then(
        () => false,
        () => true,
      );
    expect(await isOwn('http://ip6-localhost:8971', listen)).toBe(true);
    expect(await isOwn('http://nowhere.invalid:8971', { ...off, authenticated: everywhere })).toBe(false);
  });
});

describe('leads elsewhere', () => {
  test.each<[upstream: string, listen: Partial<Configuration['listen']>]>([
    ['http://127.0.0.1:5000', { authenticated: everywhere }],
    ['http://192.0.2.7:8971', { authenticated: everywhere }],
    ['http://frigate:8971', { authenticated: everywhere }],
    ['http://127.0.0.2:5000', { internal: onLoopback }],
    ['http://192.0.2.7:5000', { internal: onLoopback }],
    ['http://[::1]:5000', { internal: onLoopback }],
    ...lan.map((address) => [`http://${address}:5000`, { internal: onLoopback }] as [string, object]),
    ['http://127.0.0.1:5000', { internal: { path: '/run/postern/internal.sock' } }],
    ['unix:/run/recorder.sock', { internal: { path: '/run/postern/internal.sock' } }],
    ['http://127.0.0.1:5001', { events: { host: '127.0.0.1', port: 5001 } }],
  ])('%s beside %j', (upstream, listen) => {
    expect(keyOf(upstream, listen)).toBeUndefined();
  });
});
