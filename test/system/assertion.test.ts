import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assertionCheck } from '../support/assertion-check.ts';
import { answerGate, type KnownRoles } from '../support/recorder-profile.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

/** A recorder that answers nobody but the gate, and says who it was. */
let recorder: Server;
let known: KnownRoles = { cameras: ['front', 'garage'], roles: {} };
let check: ((request: IncomingMessage) => Promise<{ user: string; role: string }>) | undefined;
let gateway: RunningGateway;

const assertion = { enabled: true, audience: 'recorder' };

beforeAll(async () => {
  recorder = createServer((request, response) => {
    const answer = ({ user, role }: { readonly user: string; readonly role: string }) => {
      if (answerGate(request, response, known, (roles) => (known = { ...known, roles }))) return;
      response.end(`${user} is ${role}`);
    };
    const refuse = () => response.writeHead(401).end();
    Promise.resolve(check?.(request) ?? Promise.reject(new Error('no key yet'))).then(answer, refuse);
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

const ask = async (path: string) => (await fetch(`http://${gateway.addresses.internal}${path}`)).text();

test('a recorder that checks assertions answers whom the gate has let through', async () => {
  expect(await ask('/api/front/latest.jpg?h=%20')).toBe('anonymous is admin');
  const past = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}/api/front/latest.jpg`;
  const headers = { 'Remote-User': 'anonymous', 'Remote-Role': 'admin' };
  expect((await fetch(past, { headers })).status).toBe(401);
});

test('and the gate itself, when it asks about roles, makes them there, and reads the cameras', async () => {
  await fetch(`http://${gateway.addresses.internal}/postern/api/recorder/roles`, { method: 'POST' });
  await expect.poll(() => known.roles, { timeout: 20_000 }).toEqual({ guest: ['front'] });
  await expect
    .poll(async () => JSON.parse(await ask('/postern/api/roles')) as unknown, { timeout: 20_000 })
    .toMatchObject([{ name: 'guest', recorder: 'verified' }]);
  await expect
    .poll(async () => JSON.parse(await ask('/postern/api/cameras')) as unknown, { timeout: 20_000 })
    .toEqual(['front', 'garage']);
});
