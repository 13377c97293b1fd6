import { afterAll, beforeAll, expect, test } from 'vitest';
import { headerAlias } from '../../../src/policy/raw-headers.ts';
import { everyFront, networking, startEveryFront, type AnyFront } from '../../support/every-front.ts';
import { keptConnection, sendRaw, type RawRequest } from '../../support/raw-http.ts';
import { startGateway } from '../../support/start-gateway.ts';
import { spoofedHeaders } from './spoofed-headers.ts';

/*
 * What the gate answers itself gets the client's header lines without an authorization request. Behind a proxy that signs
 * users on, the headers that `header_map` names identify the user, and no other line of the client does.
 */

type Headers = NonNullable<RawRequest['headers']>;

const secret: Headers[number] = ['X-Proxy-Secret', 'from the proxy'];
const nell: Headers = [
  ['Remote-User', 'nell'],
  ['Remote-Groups', 'group_operator'],
];
/** The identity headers of these gates: a second line of one is refused. */
const saying = new Set(['remote-user', 'remote-groups', 'x-proxy-secret']);
const spoofed = spoofedHeaders.filter((header) => !saying.has(headerAlias(header)));
const values = ['admin', 'group_admin', '/login', '/postern/api/audit', 'GET', '127.0.0.1'];

interface Kind {
  readonly proxy: Record<string, unknown>;
  readonly proof: Headers;
}
const kinds: Readonly<Record<string, Kind>> = {
  'with the secret of the proxy': { proxy: { auth_secret: secret[1] }, proof: [secret] },
  'without a secret': { proxy: {}, proof: [] },
};

const fronts = new Map<string, readonly AnyFront[]>();
const closing: Array<() => Promise<unknown>> = [];

beforeAll(async () => {
  for (const [kind, { proxy }] of Object.entries(kinds)) {
    const gateway = await startGateway({
      config: {
        networking,
        cameras: ['driveway', 'garage'],
        auth: { enabled: false, roles: { operator: ['driveway'] } },
        proxy: {
          ...proxy,
          header_map: { user: 'Remote-User', role: 'Remote-Groups' },
          role_map: { operator: ['group_operator'], admin: ['group_admin'] },
        },
        upstream: 'http://127.0.0.1:1',
      },
    });
    const running = await startEveryFront(gateway, '127.0.0.1:1');
    fronts.set(kind, running);
    closing.push(...running.map(({ close }) => close), gateway.close);
  }
});
afterAll(async () => {
  for (const close of closing) await close();
});

const cases = Object.keys(kinds).flatMap((kind) => everyFront.map((name) => [kind, name] as const));

test.each(cases)('%s, through %s: only the proxy names the user', async (kind, name) => {
  const { proof } = kinds[kind] as Kind;
  const front = fronts.get(kind)?.find((found) => found.name === name) as AnyFront;
  using connection = keptConnection(front.address, front.tls);
  const send = (uri: string, headers: Headers) => connection.send({ uri, headers });
  const who = async (headers: Headers) => {
    const { status, body } = await send('/postern/api/cameras', headers);
    return status === 200 ? body : status;
  };
  expect(await who([...proof, ...nell])).toBe('["driveway"]');
  expect(await who(proof.length === 0 ? proof : nell)).toBe(401);

  for (const header of spoofed) {
    // Caddy and the embedded front show the gate other spellings, which it refuses.
    const isExact = headerAlias(header) === header.toLowerCase();
    for (const value of values) {
      const line = [header, value] as const;
      const asNell = await who([line, ...proof, ...nell]);
      expect([line, asNell]).toEqual([
        line,
        isExact ? '["driveway"]' : expect.toBeOneOf([400, 403, '["driveway"]']),
      ]);
      expect([line, await who([line])]).toEqual([line, expect.toBeOneOf([400, 401])]);
    }
  }
  expect((await send('/postern/api/audit', [...proof, ...nell])).status).toBe(403);
});

test.each(cases)('%s, through %s: a second identity header is refused', async (kind, name) => {
  const { proof } = kinds[kind] as Kind;
  const front = fronts.get(kind)?.find((found) => found.name === name) as AnyFront;
  for (const line of [
    ['Remote-User', 'admin'],
    ['Remote-Groups', 'group_admin'],
  ] as const) {
    for (const headers of [
      [line, ...proof, ...nell],
      [...proof, ...nell, line],
    ]) {
      for (const uri of ['/postern/api/audit', '/api/profile', '/api/users']) {
        const { status } = await sendRaw(front.address, { uri, headers }, front.tls);
        expect([uri, status]).toEqual([uri, 400]);
      }
    }
  }
});
