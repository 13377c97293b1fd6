import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { selfSignedCertificate } from '../../src/http/tls/certificate.ts';
import { adminOf } from '../support/log-in.ts';
import { sendRaw } from '../support/raw-http.ts';
import { answerGate } from '../support/recorder-profile.ts';
import { projectRoot, startGateway, type GatewayOptions } from '../support/start-gateway.ts';
import { patience } from '../support/patience.ts';

const networking = (directory: string) => ({
  listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' },
  forward_auth: {
    authenticated: `unix:${directory}/authenticated.sock`,
    internal: `unix:${directory}/internal.sock`,
  },
});

async function start(config: Record<string, unknown>, options: Omit<GatewayOptions, 'config'> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'postern-reload-'));
  const write = (changed: Record<string, unknown>) =>
    writeFileSync(
      join(directory, 'config.yml'),
      stringify({ networking: networking(directory), ...changed }),
    );
  write(config);
  const gateway = await startGateway({ ...options, directory, keepConfig: true });
  onTestFinished(async () => {
    await gateway.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const reload = async (changed: Record<string, unknown>) => {
    write(changed);
    await gateway.reloading.reload('test');
    return gateway.reloading.report();
  };
  return { ...gateway, directory, reload };
}

const proxyMode = (roles: Record<string, readonly string[]>) => ({
  auth: { enabled: false, roles },
  proxy: { header_map: { user: 'Remote-User', role: 'Remote-Groups' } },
});
const nell = [
  ['Remote-User', 'nell'],
  ['Remote-Groups', 'street'],
] as const;
const authorizationRequest = (uri: string, headers: ReadonlyArray<readonly [string, string]> = nell) => ({
  uri: '/auth',
  headers: [['X-Original-Method', 'GET'], ['X-Original-URL', uri], ...headers] as const,
});

describe('a changed configuration', () => {
  test('changes where people land: the pages on which a session begins name it, and no others', async () => {
    const gateway = await start({});
    const landings = async () => {
      const pages = [
        '/login',
        '/login?next=%2F',
        '/postern/invite/x',
        '/postern/share/x',
        '/postern/account',
      ];
      const answers = await Promise.all(
        pages.map((uri) => sendRaw(gateway.addresses.internal ?? '', { method: 'GET', uri, headers: [] })),
      );
      return answers.map(({ body }) => /data-landing="(\w+)"/.exec(body)?.[1]);
    };
    expect(await landings()).toEqual(['home', 'home', 'home', 'home', 'home']);
    await gateway.reload({ ui: { landing: 'recorder' } });
    expect(await landings()).toEqual(['recorder', 'recorder', 'recorder', 'home', 'home']);
    const refused = await gateway.reload({ ui: { landing: 'elsewhere' } }).catch((error: unknown) => error);
    expect(JSON.stringify(refused) + String(refused)).toContain('one of home, recorder');
    expect(await landings()).toEqual(['recorder', 'recorder', 'recorder', 'home', 'home']);
  });

  test('applies to each listener, from the next request on', async () => {
    const { addresses, reload } = await start(proxyMode({ street: ['front'] }));
    const asked = async () => {
      const [own, other] = [
        await sendRaw(
          addresses.forwardAuthAuthenticated ?? '',
          authorizationRequest('/api/front/latest.jpg'),
        ),
        await sendRaw(
          addresses.authenticated ?? '',
          { uri: '/api/events?cameras=front', headers: nell },
          true,
        ),
      ];
      return [own.status, other.status];
    };
    expect([await asked(), await asked()]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    expect(await reload(proxyMode({ street: ['garage'] }))).toMatchObject({ successful: true, waiting: [] });
    expect(await asked()).toEqual([403, 403]);
  });

  test('of listeners waits for a restart, and logs it', async () => {
    const { addresses, reload } = await start(proxyMode({ street: ['front'] }));
    const report = await reload({
      ...proxyMode({ street: ['garage'] }),
      networking: { listen: { authenticated: '127.0.0.1:1', metrics: 9464 } },
      events: { database: '/nowhere.db' },
    });
    expect(report).toMatchObject({ successful: true });
    expect(report.waiting).toEqual([
      'networking.listen.authenticated',
      'networking.listen.internal',
      'networking.listen.metrics',
      'networking.forward_auth.authenticated',
      'networking.forward_auth.internal',
      'events.database',
    ]);
    const answer = await sendRaw(
      addresses.forwardAuthAuthenticated ?? '',
      authorizationRequest('/api/front/latest.jpg'),
    );
    expect(answer.status).toBe(403);
  });

  test('of the mode, cookie and failure limit takes effect', async () => {
    const { addresses, reload, ...gateway } = await start({});
    const admin = await adminOf({ addresses, reload, ...gateway } as never);
    expect((await admin.send('GET', '/api/profile')).status).toBe(200);
    await reload({ auth: { cookie_name: 'other_token' } });
    expect((await admin.send('GET', '/api/profile')).status).toBe(401);
    const renamed = [['Cookie', `other_token=${admin.token}`]] as const;
    const answer = await sendRaw(
      addresses.authenticated ?? '',
      { uri: '/api/profile', headers: renamed },
      true,
    );
    expect(answer.status).toBe(200);
    await reload(proxyMode({}));
    expect((await admin.logIn('admin', 'no')).status).toBe(404);
  });
});

describe('other files', () => {
  test('a changed trusted-headers file is read, and an invalid one changes nothing', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'postern-reload-'));
    const file = join(directory, 'proxy_trusted_headers.conf');
    const trust = (...names: readonly string[]) =>
      writeFileSync(
        file,
        names
          .map((name) => `proxy_set_header ${name} $http_${name.toLowerCase().replaceAll('-', '_')};\n`)
          .join(''),
      );
    trust('Remote-User', 'Remote-Groups');
    const { addresses, reloading } = await start(proxyMode({ street: ['front'] }), {
      trustedHeadersFile: file,
    });
    const ask = async () =>
      (await sendRaw(addresses.forwardAuthAuthenticated ?? '', authorizationRequest('/api/front/latest.jpg')))
        .status;
    trust('Remote-User');
    await reloading.reload('test');
    expect(reloading.report()).toMatchObject({
      successful: false,
      problems: [{ path: 'proxy.header_map.role' }],
    });
    writeFileSync(file, 'include /etc/passwd;\n');
    await reloading.reload('test');
    expect(reloading.report().successful).toBe(false);
    expect(await ask()).toBe(200);
    trust('Remote-User', 'Remote-Groups', 'X-Company-User');
    await reloading.reload('test');
    expect([reloading.report().successful, await ask()]).toEqual([true, 200]);
  });

  test('a renewed certificate is shown; a broken one changes nothing', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'postern-reload-'));
    const files = { certificate: join(directory, 'c.pem'), key: join(directory, 'k.pem') };
    const renew = async () => {
      const made = await selfSignedCertificate(mkdtempSync(join(directory, 'c-')), Date.now());
      writeFileSync(files.certificate, made.cert);
      writeFileSync(files.key, made.key);
    };
    await renew();
    const { addresses, reloading } = await start({ tls: files });
    const shown = async () => {
      const [host, port] = (addresses.authenticated ?? '').split(':');
      const socket = connect({ host, port: Number(port), rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      return fingerprint256;
    };
    const first = await shown();
    await renew();
    await reloading.reload('test');
    const second = await shown();
    expect(second).not.toBe(first);
    writeFileSync(files.certificate, 'no certificate');
    await reloading.reload('test');
    expect(reloading.report()).toMatchObject({ successful: false, problems: [{ path: 'tls.certificate' }] });
    expect(await shown()).toBe(second);
  });

  test('another JWT secret ends every session', async () => {
    const gateway = await start({});
    const admin = await adminOf(gateway);
    writeFileSync(join(gateway.directory, '.jwt_secret'), 's'.repeat(64));
    await gateway.reloading.reload('test');
    expect((await admin.send('GET', '/api/profile')).status).toBe(401);
  });
});

test('no request fails while the configuration changes', async () => {
  const roles = (extra: string) => proxyMode({ street: ['front', extra] });
  const { addresses, reload } = await start(roles('a'));
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  onTestFinished(() => agent.destroy());
  const socketPath = (addresses.forwardAuthAuthenticated ?? '').slice('unix:'.length);
  const ask = async (uri: string) => {
    const headers = { ...Object.fromEntries(nell), 'X-Original-Method': 'GET', 'X-Original-URL': uri };
    const asking = request({ agent, socketPath, path: '/auth', headers }).end();
    const [answer] = (await once(asking, 'response')) as [{ statusCode: number; resume(): void }];
    answer.resume();
    return answer.statusCode;
  };
  const reloads: Promise<unknown>[] = [];
  let asked = 0;
  let right = 0;
  const asking = async () => {
    while (asked < 10_000) {
      asked += 1;
      if (asked % 200 === 0) reloads.push(reload(roles(`camera_${asked}`)));
      const isGranted = asked % 2 === 0;
      const status = await ask(isGranted ? '/api/front/latest.jpg' : '/api/garage/latest.jpg');
      if (status === (isGranted ? 200 : 403)) right += 1;
    }
  };
  await Promise.all(Array.from({ length: 16 }, asking));
  const reports = await Promise.all(reloads);
  expect(right).toBe(10_000);
  expect(reports).toHaveLength(50);
  for (const report of reports) expect(report).toMatchObject({ successful: true });
});

test('a request that the recorder answers slowly ends where it began', async () => {
  const recorders = await Promise.all(
    ['one', 'other'].map(async (name) => {
      const held: ServerResponse[] = [];
      const server = createServer((asked, response) => {
        if (!answerGate(asked, response, { cameras: ['front'], roles: {} })) held.push(response);
      }).listen(0, '127.0.0.1');
      onTestFinished(() => void server.close());
      await once(server, 'listening');
      return { name, held, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    }),
  );
  const [one, other] = recorders;
  const { addresses, reload } = await start({ upstream: one?.url });
  const ask = () => sendRaw(addresses.internal ?? '', { uri: '/api/version' });
  const held = async (recorder: (typeof recorders)[number] | undefined) => {
    await vi.waitFor(() => expect(recorder?.held).toHaveLength(1), 60_000);
    return recorder?.held[0];
  };
  const before = ask();
  const waiting = await held(one);
  expect(await reload({ upstream: other?.url })).toMatchObject({ successful: true, waiting: [] });
  const after = ask();
  (await held(other))?.end('other');
  expect((await after).body).toBe('other');
  waiting?.end('one');
  expect((await before).body).toBe('one');
});

test('the process sees a changed, a replaced, an invalid and a lost file, and takes SIGHUP', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'postern-reload-'));
  const file = join(directory, 'config.yml');
  const config = (camera: string) =>
    stringify({ networking: networking(directory), ...proxyMode({ street: [camera] }) });
  writeFileSync(file, config('front'));
  const child = spawn(process.execPath, [join(projectRoot, 'dist', 'main.js')], {
    env: {
      PATH: process.env['PATH'],
      SERVICE_CONFIG_DIR: directory,
      SERVICE_TRUSTED_HEADERS_FILE: join(projectRoot, 'proxy_trusted_headers.conf'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(directory, { recursive: true, force: true });
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const reloads = () => output.split('configuration reloaded').length - 1;
  const waitOptions = { timeout: patience, interval: 50 };
  await vi.waitFor(() => expect(output).toContain('"msg":"ready"'), waitOptions);
  const ask = async () =>
    (await sendRaw(`unix:${directory}/authenticated.sock`, authorizationRequest('/api/front/latest.jpg')))
      .status;
  expect(await ask()).toBe(200);

  writeFileSync(file, config('garage'));
  await vi.waitFor(() => expect(reloads()).toBe(1), waitOptions);
  expect(await ask()).toBe(403);

  writeFileSync(`${file}.new`, config('front'));
  renameSync(`${file}.new`, file);
  await vi.waitFor(() => expect(reloads()).toBe(2), waitOptions);
  expect(await ask()).toBe(200);

  child.kill('SIGHUP');
  await vi.waitFor(() => expect(reloads()).toBe(3), waitOptions);

  writeFileSync(file, `${readFileSync(file, 'utf8')}\nauth: 5\n`);
  const refusals = () => output.split('"configuration_refused"').length - 1;
  await vi.waitFor(() => expect(refusals()).toBe(1), waitOptions);
  expect(await ask()).toBe(200);

  rmSync(file);
  await vi.waitFor(() => expect(refusals()).toBe(2), waitOptions);
  child.kill('SIGHUP');
  await vi.waitFor(() => expect(refusals()).toBe(3), waitOptions);
  expect(await ask()).toBe(200);
});
