import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basic } from '../support/basic.ts';
import { startLiveRecorder, type LiveRecorder } from '../support/live-recorder.ts';
import { adminOf, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { openStream, streamsOf } from '../support/open-stream.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

/* An API token as the password of Basic does what it does as bearer. */

const cameras = ['driveway', 'garage'];
let recorder: LiveRecorder;
let gateway: RunningGateway;
let admin: Visitor;
let vera: Visitor;
const address = () => gateway.addresses.authenticated ?? '';

beforeAll(async () => {
  recorder = await startLiveRecorder({ cameras, roles: {} });
  gateway = await startGateway({ config: { cameras, upstream: `http://${recorder.address}` } });
  admin = await adminOf(gateway);
  vera = await userOf(admin, address(), 'vera', 'viewer');
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

let made = 0;
async function make() {
  made += 1;
  const { body } = await vera.send('POST', '/postern/api/tokens', {
    name: `t${made}`,
    role: 'viewer',
  });
  const { id, token } = JSON.parse(body) as { id: string; token: string };
  return { id, authorization: ['Authorization', basic('vera', token)] as const };
}
const send = (
  authorization: readonly [string, string],
  method: string,
  uri: string,
  body?: unknown,
  headers: ReadonlyArray<readonly [string, string]> = [],
) => visitor(address()).send(method, uri, body, [authorization, ...headers]);

test('opens streams, which end when it is revoked', async () => {
  const { id, authorization } = await make();
  const { picture, video } = streamsOf('driveway');
  const at = { address: address(), tls: true };
  const streams = await Promise.all(
    [picture, video].map((target) => openStream(at, target, [authorization])),
  );
  expect(streams.map(({ status }) => status)).toEqual([200, 101]);
  expect(streams.map(({ isOpen }) => isOpen())).toEqual([true, true]);
  expect((await vera.send('DELETE', `/postern/api/tokens/${id}`)).status).toBe(204);
  await Promise.all(streams.map(({ ended }) => ended));
  expect((await openStream(at, picture, [authorization])).status).toBe(401);
});

test('begins no session', async () => {
  const { authorization } = await make();
  for (const uri of ['/auth', '/api/profile', '/api/version'])
    expect((await send(authorization, 'GET', uri)).headers.has('set-cookie'), uri).toBe(false);
});

describe('a refusal', () => {
  test('is recorded and explained with the token, and without its secret', async () => {
    const { id, authorization } = await make();
    const answer = await send(authorization, 'GET', '/api/config/raw');
    expect(answer.status).toBe(403);
    const decision = answer.headers.get('x-postern-decision')?.[0];
    const explained = await admin.send('POST', '/postern/api/explain', { decision });
    expect(explained.body).toContain(`vera, by the API token ${id}`);
    const refused = { user: 'vera', source: 'api-token', reason: 'admin_only', decision };
    let recorded = '';
    await expect
      .poll(async () => {
        recorded = (await admin.send('GET', '/postern/api/audit?event=refused')).body;
        return (JSON.parse(recorded) as { records: unknown[] }).records;
      })
      .toContainEqual(expect.objectContaining(refused));
    for (const text of [explained.body, recorded]) {
      expect(text).not.toContain('postern_');
      expect(text).not.toContain(authorization[1].slice('Basic '.length));
    }
  });

  test('asks no browser for a password', async () => {
    for (const authorization of [basic('vera', `postern_${'a'.repeat(43)}`), basic('nell', 'secret')]) {
      const accept = ['Accept', 'text/html'] as const;
      const { status, headers } = await send(
        ['Authorization', authorization],
        'GET',
        '/api/version',
        undefined,
        [accept],
      );
      expect(status).toBeGreaterThanOrEqual(300);
      expect(headers.has('www-authenticate')).toBe(false);
    }
  });

  test('counts no failure, so logins still work', async () => {
    const password = ['Authorization', basic('vera', 'not her password')] as const;
    for (let i = 0; i < 30; i += 1) expect((await send(password, 'GET', '/api/version')).status).toBe(401);
    expect((await visitor(address()).logIn('vera', 'correct-horse-battery')).status).toBe(200);
  });
});

test('a request without an identity is explained by what it has', async () => {
  const { id, authorization } = await make();
  const request = { method: 'GET', uri: '/api/garage/latest.jpg', headers: [authorization] };
  const { body } = await admin.send('POST', '/postern/api/explain', request);
  expect(body).toContain(`vera, by the API token ${id}`);
});
