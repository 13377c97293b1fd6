import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assertionCheck, coveredTargets } from '../support/assertion-check.ts';
import { answerGate, type KnownRoles } from '../support/recorder-profile.ts';
import { projectRoot, startGateway, type RunningGateway } from '../support/start-gateway.ts';

/** A recorder that answers only the gate, with the user's name. */
let recorder: Server;
let known: KnownRoles = { cameras: ['front', 'garage'], roles: {} };
let check: ((request: IncomingMessage) => Promise<{ user: string; role: string }>) | undefined;
let gateway: RunningGateway;

const assertion = { enabled: true, audience: 'recorder' };

beforeAll(async () => {
  recorder = createServer((incoming, response) => {
    const answer = ({ user, role }: { readonly user: string; readonly role: string }) => {
      if (answerGate(incoming, response, known, (roles) => (known = { ...known, roles }))) return;
      response.end(`${user} is ${role}`);
    };
    const refuse = () => response.writeHead(401).end();
    Promise.resolve(check?.(incoming) ?? Promise.reject(new Error('no key yet'))).then(answer, refuse);
  });
  recorder.listen(0, '127.0.0.1');
  await once(recorder, 'listening');
  const upstream = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`;
  gateway = await startGateway({
    config: { auth: { roles: { guest: ['front'] } }, upstream, recorder: { manage_roles: true }, assertion },
  });
  check = assertionCheck({
    keys: `http://${gateway.addresses.internal}/postern/api/jwks.json`,
    issuer: 'postern',
    audience: 'recorder',
  });
});
afterAll(async () => {
  await gateway.close();
  recorder.close();
});

const origin = () => `http://${gateway.addresses.internal}`;
const ask = async (path: string) => (await fetch(`${origin()}${path}`)).text();

test('a recorder that checks assertions answers users of the gate', async () => {
  expect(await ask('/api/front/latest.jpg?h=%20')).toBe('anonymous is admin');
  const past = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}/api/front/latest.jpg`;
  const headers = { 'Remote-User': 'anonymous', 'Remote-Role': 'admin' };
  expect((await fetch(past, { headers })).status).toBe(401);
});

test('and the gate itself, when it asks about roles, makes them there, and reads the cameras', async () => {
  await fetch(`${origin()}/postern/api/recorder/roles`, { method: 'POST' });
  await expect.poll(() => known.roles, { timeout: 20_000 }).toEqual({ guest: ['front'] });
  await expect
    .poll(async () => JSON.parse(await ask('/postern/api/roles')) as unknown, { timeout: 20_000 })
    .toMatchObject([{ name: 'guest', recorder: 'verified' }]);
  await expect
    .poll(async () => JSON.parse(await ask('/postern/api/cameras')) as unknown, { timeout: 20_000 })
    .toEqual(['front', 'garage']);
});

test('and visitors of a share, as its creator', async () => {
  const post = (path: string, body: object) =>
    fetch(`${origin()}/postern/api/shares${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const made = await post('', { kind: 'camera', camera: 'front', expires_in: 3_600 });
  const { id, url } = (await made.json()) as { readonly id: string; readonly url: string };
  const opened = await post(`/${id}/open`, { secret: new URL(url).hash.slice(1) });
  const [cookie = ''] = opened.headers.getSetCookie();
  const media = `${origin()}/postern/share/${id}/media/api/front/latest.jpg`;
  const answer = await fetch(media, { headers: { cookie: cookie.split(';', 1)[0] ?? '' } });
  expect([answer.status, await answer.text()]).toEqual([200, 'anonymous is admin']);
});

test.each(['/ws', '/live/webrtc/api/ws?src=front'])('and users who open a WebSocket: %s', async (path) => {
  const reached = once(recorder, 'upgrade') as Promise<[IncomingMessage, Duplex]>;
  const asking = request(`${origin()}${path}`, {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    },
  });
  asking.on('error', () => undefined).end();
  const [incoming, socket] = await reached;
  expect(await check?.(incoming)).toEqual({ user: 'anonymous', role: 'admin' });
  socket.destroy();
});

test.each(coveredTargets)(
  'in Python too, that of %s covers no more than its prefix',
  (signed, covered, others) => {
    const targets = [...covered, ...others];
    const isPrefix = /^\/[^/]+\/[^/]+\/(?!\/)/.exec(signed);
    const prefix = isPrefix?.[0] ?? signed;
    const guide = join(projectRoot, 'docs', 'assertion');
    const program = [
      'import json, sys, types',
      // The check of prefixes needs nothing of PyJWT.
      'sys.modules["jwt"] = types.ModuleType("jwt")',
      'sys.dont_write_bytecode = True',
      'sys.path.insert(0, sys.argv[1])',
      'from check_assertion import is_below',
      'print(json.dumps([target for target in sys.argv[3:] if is_below(sys.argv[2], target)]))',
    ].join('\n');
    const found = execFileSync('python3', ['-c', program, guide, prefix, ...targets], { encoding: 'utf8' });
    expect(JSON.parse(found)).toEqual(covered);
  },
);
