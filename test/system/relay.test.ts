import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { headerValues } from '../../src/policy/raw-headers.ts';
import { attackConfig, from } from '../attack/row.ts';
import { sendRaw, type RawRequest } from '../support/raw-http.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../support/recording-upstream.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { rolesOf } from '../support/verified-roles.ts';

let upstream: RecordingUpstream;
let gateway: RunningGateway;
beforeAll(async () => {
  upstream = await startRecordingUpstream(rolesOf(attackConfig));
  gateway = await startGateway({
    config: {
      ...attackConfig,
      networking: {
        listen: { authenticated: 'off', internal: 'off' },
        relay: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' },
      },
      base_path: '/cameras',
      upstream: `http://${upstream.address}`,
    },
  });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

/** A front's request to the relay of the authenticated entry point. */
async function send(request: RawRequest, to = gateway.addresses.relayAuthenticated ?? '') {
  upstream.takeReached();
  const { status, headers, body } = await sendRaw(to, request);
  return { status, headers, body, reached: upstream.takeReached() };
}

const viewer = from('vera', 'group_viewer');
const admin = from('ada', 'group_admin');
const front = from('fred', 'group_front');

describe('a relay', () => {
  test('passes on what is permitted, with the identity and what the front sends of the client', async () => {
    const { status, body, reached } = await send({
      uri: '/api/front_door/latest.jpg?h=1',
      headers: [
        ['Host', 'postern'],
        ...front,
        ['X-Forwarded-For', '203.0.113.9, 198.51.100.7'],
        ['X-Forwarded-Proto', 'https'],
        ['X-Forwarded-Host', 'cameras.example'],
        ['X-Forwarded-Prefix', '/below'],
      ],
    });
    expect([status, body]).toEqual([200, 'recorder']);
    expect(reached.map(({ method, uri }) => [method, uri])).toEqual([
      ['GET', '/api/front_door/latest.jpg?h=1'],
    ]);
    const sent = reached[0]?.rawHeaders ?? [];
    const sentValues = (name: string) => headerValues(sent, name);
    expect(['remote-user', 'remote-role', 'host'].map(sentValues)).toEqual([
      ['fred'],
      ['front'],
      ['cameras.example'],
    ]);
    expect(['for', 'proto', 'host', 'prefix'].map((part) => sentValues(`x-forwarded-${part}`))).toEqual([
      ['198.51.100.7'],
      ['https'],
      ['cameras.example'],
      ['/below'],
    ]);
    expect(sentValues('x-proxy-secret')).toEqual([]);
  });

  test('decides about the request line: headers of a front’s authorization requests are ignored and removed', async () => {
    const elsewhere = [
      ['X-Original-URL', '/api/front_door/latest.jpg'],
      ['X-Original-Method', 'GET'],
      ['X-Forwarded-Uri', '/api/front_door/latest.jpg'],
      ['X-Forwarded-Method', 'GET'],
    ] as const;
    const refused = await send({ uri: '/api/garage/latest.jpg', headers: [...front, ...elsewhere] });
    expect([refused.status, refused.reached]).toEqual([403, []]);
    const changed = await send({
      method: 'POST',
      uri: '/api/front_door',
      headers: [...viewer, ...elsewhere],
    });
    expect([changed.status, changed.reached]).toEqual([403, []]);
    const passed = await send({ uri: '/api/garage', headers: [...viewer, ...elsewhere] });
    expect(passed.status).toBe(200);
    for (const [name] of elsewhere)
      expect(headerValues(passed.reached[0]?.rawHeaders ?? [], name.toLowerCase())).toEqual([]);
  });

  test('refuses requests without an identity, as the embedded front does', async () => {
    const { status, body, reached } = await send({ uri: '/api/review' });
    expect([status, JSON.parse(body), reached]).toEqual([
      401,
      { message: 'Authentication required', code: 'unauthenticated' },
      [],
    ]);
  });

  test.each([
    '/postern/',
    '/postern/api/roles',
    '/postern//assets/x.js',
    '/login',
    '/auth',
    '/api/login',
    '/api/users',
    '/api/users/ada',
    '/api/authz/forward-auth',
    '/api/authz/ext-authz/api/front_door',
    '/api/%61uthz/auth-request',
  ])("answers nothing that is the gate's own: %s", async (uri) => {
    for (const headers of [admin, []]) {
      const { status, reached } = await send({ uri, headers });
      expect([status, reached]).toEqual([404, []]);
    }
  });

  test('does not strip the prefix, which its front does', async () => {
    const { status, reached } = await send({ uri: '/cameras/api/front_door', headers: viewer });
    expect([status, reached]).toEqual([403, []]);
  });

  test('refuses what is refused to all users', async () => {
    expect((await send({ method: 'TRACE', uri: '/api/front_door', headers: admin })).status).toBe(403);
    const connected = await send({ method: 'CONNECT', uri: 'x:1', headers: admin });
    expect([connected.status, connected.reached]).toEqual([400, []]);
  });

  test('of the internal entry point: everyone is admin, by a host of this network', async () => {
    const to = gateway.addresses.relayInternal;
    const { status, reached } = await send({ uri: '/api/restart', headers: [['Host', 'postern']] }, to);
    expect([status, headerValues(reached[0]?.rawHeaders ?? [], 'remote-role')]).toEqual([200, ['admin']]);
    const rebound = await send(
      {
        uri: '/api/restart',
        headers: [
          ['Host', 'postern'],
          ['X-Forwarded-Host', 'rebound.example'],
        ],
      },
      to,
    );
    expect([rebound.status, rebound.reached]).toEqual([403, []]);
  });
});

test('without a recorder it passes on to the embedded events app', async () => {
  const alone = await startGateway({
    config: {
      ...attackConfig,
      networking: {
        listen: { authenticated: 'off', internal: 'off' },
        forward_auth: { authenticated: '127.0.0.1:0' },
        relay: { authenticated: '127.0.0.1:0' },
      },
    },
  });
  try {
    const { status, body } = await send(
      { uri: '/api/events', headers: front },
      alone.addresses.relayAuthenticated,
    );
    const cameras = new Set(
      (JSON.parse(body) as Array<{ readonly camera: string }>).map(({ camera }) => camera),
    );
    expect([status, cameras]).toEqual([200, new Set(['front_door'])]);
  } finally {
    await alone.close();
  }
});
