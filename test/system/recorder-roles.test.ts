import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { selfSignedFiles } from '../../src/config/own-files.ts';
import { selfSignedCertificate } from '../../src/http/tls/certificate.ts';
import { headerValues } from '../../src/policy/raw-headers.ts';
import { sendRaw } from '../support/raw-http.ts';
import { answerGate, type KnownRoles } from '../support/recorder-profile.ts';
import { scrape } from '../support/scrape.ts';
import { startGateway, type GatewayOptions, type RunningGateway } from '../support/start-gateway.ts';
import { startNginxFor } from '../support/start-nginx.ts';
import { startRecorder, type Recorder } from '../support/start-recorder.ts';
import { rolesAreVerified, rolesAtRecorder } from '../support/verified-roles.ts';

const cameras = ['front', 'yard', 'garage'];
const guests = ['front', 'yard'];
const config = {
  cameras,
  auth: { enabled: false, roles: { guest: guests } },
  proxy: { header_map: { user: 'Remote-User', role: 'Remote-Groups' } },
};
// A list that no parameter filters: what is narrowed needs nothing of the recorder.
const list = '/api/sub_labels?limit=10';
const named = '/api/review?limit=10&cameras=front,yard';

const closing: Array<() => Promise<unknown> | void> = [];
afterEach(async () => {
  for (const step of closing.splice(0).toReversed()) await step();
});

async function recorderWith(roles: KnownRoles['roles'], port = 0): Promise<Recorder> {
  const recorder = await startRecorder(cameras, roles, port);
  closing.push(() => recorder.close().catch(() => undefined));
  return recorder;
}

async function gatewayWith(
  more: Record<string, unknown>,
  options: GatewayOptions = {},
): Promise<RunningGateway> {
  const gateway = await startGateway({ ...options, config: { ...config, ...more } });
  closing.push(gateway.close);
  return gateway;
}

/** Asks as a user of a role: by the embedded front, or by the real nginx before the gate. */
type Ask = (uri: string, role?: string) => Promise<number>;

function askAt(address: string): Ask {
  return async (uri, role = 'guest') => {
    const headers = [
      ['Remote-User', 'gus'],
      ['Remote-Groups', role],
    ] as const;
    return (await sendRaw(address, { uri, headers }, true)).status;
  };
}

async function frontsOf(
  gateway: RunningGateway,
  recorder: string,
): Promise<Record<'embedded front' | 'nginx', Ask>> {
  const nginx = await startNginxFor(gateway, { main: 'recorder.conf', recorder });
  closing.push(nginx.close);
  return {
    'embedded front': askAt(gateway.addresses.authenticated ?? ''),
    nginx: askAt(nginx.authenticated),
  };
}

const eventually = (status: () => Promise<number>) => expect.poll(status);
const warningsIn = ({ log }: RunningGateway) =>
  log.filter((line) => line['level'] === 'warn' && 'reason' in line);

test('a role that the recorder does not have gets no list of all cameras, by any front', async () => {
  const recorder = await recorderWith({});
  const gateway = await gatewayWith({ upstream: `http://${recorder.address}` });
  for (const [front, ask] of Object.entries(await frontsOf(gateway, recorder.address))) {
    const statuses = [];
    for (const uri of [
      list,
      '/api/exports?cameras=front',
      '/api/events/explore',
      named,
      '/api/front/recordings',
      '/',
    ])
      statuses.push(await ask(uri));
    expect(statuses, front).toEqual([403, 403, 403, 200, 200, 200]);
    expect(await ask(list, 'viewer'), front).toBe(200);
    expect(await ask(list, 'admin'), front).toBe(200);
    expect(
      recorder.takeReached().filter(({ uri }) => uri === list),
      front,
    ).toHaveLength(2);
  }
  const refused = gateway.log.find(({ reason }) => reason === 'recorder_role_unverified');
  expect(refused).toMatchObject({ user: 'gus', role: 'guest' });
});

test('a recorder that adds the role opens its lists, and one that removes it closes them', async () => {
  const recorder = await recorderWith({});
  const gateway = await gatewayWith({
    upstream: `http://${recorder.address}`,
    recorder: { check_interval: 1 },
  });
  const fronts = await frontsOf(gateway, recorder.address);
  for (const ask of Object.values(fronts)) {
    recorder.define({ roles: { guest: guests } });
    await eventually(() => ask(list)).toBe(200);
    // A session that is remembered makes no difference.
    expect([await ask(list), await ask(list)]).toEqual([200, 200]);
    recorder.define({ roles: { guest: cameras } });
    await eventually(() => ask(list)).toBe(403);
    expect([await ask(list), await ask(named)]).toEqual([403, 200]);
  }
  expect(warningsIn(gateway).length).toBeLessThanOrEqual(3);
});

test('a failed connection detects a recorder that restarts with older roles', async () => {
  const first = await recorderWith({ guest: guests });
  const gateway = await gatewayWith({ upstream: `http://${first.address}` });
  await rolesAreVerified(gateway);
  const ask = askAt(gateway.addresses.authenticated ?? '');
  expect(await ask(list)).toBe(200);
  await first.close();
  expect(await ask(named)).toBe(502);
  await eventually(() => ask(list)).toBe(403);
  await recorderWith({}, Number(first.address.split(':')[1]));
  await expect.poll(async () => (await rolesAtRecorder(gateway))[0]?.recorder_reason).toBe('more_cameras');
  expect(await ask(list)).toBe(403);
});

test('a role that loses a camera in the gate is closed with the next request, by a warm memory too', async () => {
  const recorder = await recorderWith({ guest: guests });
  const gateway = await gatewayWith({ upstream: `http://${recorder.address}` });
  await rolesAreVerified(gateway);
  const fronts = Object.entries(await frontsOf(gateway, recorder.address));
  for (const [front, ask] of fronts)
    for (let turn = 0; turn < 3; turn += 1) expect(await ask(list), front).toBe(200);
  const changed = await sendRaw(gateway.addresses.internal ?? '', {
    method: 'PUT',
    uri: '/postern/api/roles/guest',
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify({ cameras: ['front'] }),
  });
  expect(changed.status).toBe(200);
  for (const [front, ask] of fronts) expect(await ask(list), front).toBe(403);
  recorder.define({ roles: { guest: ['front'] } });
  for (const [, ask] of fronts) await eventually(() => ask(list)).toBe(200);
});

test('the start does not wait for a recorder, and lists are closed until it has answered', async () => {
  const silent = createServer(() => {});
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  closing.push(() => void silent.close());
  const gateway = await gatewayWith({
    upstream: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
  });
  expect(await askAt(gateway.addresses.authenticated ?? '')(list)).toBe(403);
  const { status } = await sendRaw(gateway.addresses.internal ?? '', { uri: '/readyz' });
  expect(status).toBe(200);
});

describe('where only fronts ask', () => {
  const networking = (directory: string) => ({
    listen: { authenticated: 'off', internal: 'off' },
    forward_auth: { authenticated: `unix:${directory}/a.sock`, internal: `unix:${directory}/i.sock` },
  });
  const start = async (more: (directory: string) => Record<string, unknown>) => {
    const directory = mkdtempSync(join(tmpdir(), 'postern-roles-'));
    closing.push(() => rmSync(directory, { recursive: true }));
    const gateway = await gatewayWith({ networking: networking(directory), ...more(directory) });
    const nginx = await startNginxFor(gateway);
    closing.push(nginx.close);
    return { gateway, ask: askAt(nginx.authenticated) };
  };
  const events = '/api/events?limit=1';

  test('and `upstream` is not set, lists are closed, and the configuration warns', async () => {
    const { gateway, ask } = await start((directory) => ({ events: { listen: `unix:${directory}/e.sock` } }));
    expect([await ask(list), await ask(events), await ask(`${events}&cameras=front`)]).toEqual([
      403, 200, 200,
    ]);
    expect(await rolesAtRecorder(gateway)).toMatchObject([
      { recorder: 'unverified', recorder_reason: 'upstream_unset' },
    ]);
  });

  test('and pass on to the events app, which filters by itself, lists are open when `upstream` is set so', async () => {
    const { gateway, ask } = await start((directory) => ({
      events: { listen: `unix:${directory}/e.sock` },
      upstream: `unix:${directory}/e.sock`,
    }));
    expect([await ask(events), await ask(`${events}&cameras=front`)]).toEqual([200, 200]);
    expect(await rolesAtRecorder(gateway)).toMatchObject([{ recorder: 'verified' }]);
  });
});

test('it is logged once, counted, and listed', async () => {
  const recorder = await recorderWith({});
  const gateway = await gatewayWith({
    upstream: `http://${recorder.address}`,
    recorder: { check_interval: 1 },
  });
  await expect
    .poll(() => warningsIn(gateway))
    .toMatchObject([
      { roles: ['guest'], reason: 'more_cameras', msg: expect.stringContaining('recorder_role_unverified') },
    ]);
  await setTimeout(2_500);
  expect(warningsIn(gateway)).toHaveLength(1);
  expect(await rolesAtRecorder(gateway)).toEqual([
    {
      name: 'guest',
      cameras: guests,
      access: null,
      allowed_cameras: guests,
      recorder: 'unverified',
      recorder_reason: 'more_cameras',
    },
  ]);
  const samples = await scrape(gateway.addresses.internal ?? '');
  expect([
    samples.get('postern_recorder_roles{state="verified"}'),
    samples.get('postern_recorder_roles{state="unverified"}'),
  ]).toEqual([0, 1]);
});

test('on a port where everyone is admin no role is verified, and the log names the port to use', async () => {
  const recorder = await recorderWith({ guest: guests });
  recorder.define({ unauthenticated: true });
  const gateway = await gatewayWith({ upstream: `http://${recorder.address}` });
  await expect
    .poll(() => warningsIn(gateway))
    .toMatchObject([{ reason: 'everybody_is_admin', msg: expect.stringContaining('8971, not 5000') }]);
  expect(await askAt(gateway.addresses.authenticated ?? '')(list)).toBe(403);
});

describe('a recorder with a certificate of its own, and a secret', () => {
  const start = async () => {
    const directory = mkdtempSync(join(tmpdir(), 'postern-certificate-'));
    closing.push(() => rmSync(directory, { recursive: true }));
    const { cert, key } = await selfSignedCertificate(directory, Date.now());
    const asked: Array<{ readonly url: string; readonly secrets: readonly string[] }> = [];
    const server = createServer({ cert, key }, (request, response) => {
      const secrets = headerValues(request.rawHeaders, 'x-proxy-secret');
      asked.push({ url: request.url ?? '', secrets });
      if (secrets[0] !== 'between us') response.writeHead(401).end();
      else if (!answerGate(request, response, { cameras, roles: { guest: guests } })) response.end('[]');
    });
    // No name of the certificate: a recorder's own has none that is right.
    server.listen(0, '127.0.0.2');
    await once(server, 'listening');
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const upstream = `https://127.0.0.2:${(server.address() as AddressInfo).port}`;
    return { upstream, certificate: selfSignedFiles(directory).cert, asked };
  };

  test('is asked when both are configured, by the embedded front too', async () => {
    const { upstream, certificate, asked } = await start();
    const gateway = await gatewayWith(
      {
        upstream,
        recorder: { certificate, auth_secret: '{SERVICE_RECORDER_SECRET}' },
      },
      { environment: { SERVICE_RECORDER_SECRET: 'between us' } },
    );
    await rolesAreVerified(gateway);
    expect(await askAt(gateway.addresses.authenticated ?? '')(list)).toBe(200);
    expect(new Set(asked.map(({ url }) => url))).toEqual(new Set(['/api/profile', '/api/config', list]));
    for (const { secrets } of asked) expect(secrets).toEqual(['between us']);
  });

  test.each<[what: string, keys: (certificate: string) => object, reason: string]>([
    ['without the certificate', () => ({ auth_secret: 'between us' }), 'certificate_unknown'],
    ['without the secret', (certificate) => ({ certificate }), 'asks_for_login'],
    ['with another secret', (certificate) => ({ certificate, auth_secret: 'of others' }), 'asks_for_login'],
  ])('%s no role is verified', async (_, keys, reason) => {
    const { upstream, certificate } = await start();
    const gateway = await gatewayWith({ upstream, recorder: keys(certificate) });
    await expect.poll(() => warningsIn(gateway)[0]?.['reason']).toBe(reason);
  });
});
