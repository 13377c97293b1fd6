import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { headerValues } from '../../../src/policy/raw-headers.ts';
import { assertionCheck } from '../../support/assertion-check.ts';
import { attackConfig, from } from '../../attack/row.ts';
import { everyFront, startFrontedGateway, type FrontedGateway } from '../../support/every-front.ts';
import { sendRaw, type RawRequest } from '../../support/raw-http.ts';
import type { ReachedRequest } from '../../support/recording-upstream.ts';
import { recordedFronts } from './recordings.ts';

let running: FrontedGateway;
let check: ReturnType<typeof assertionCheck>;

beforeAll(async () => {
  running = await startFrontedGateway({
    ...attackConfig,
    assertion: { enabled: true, audience: 'recorder' },
    public_url: 'https://cameras.example',
    access: { rules: [{ path: '/api/config', methods: ['GET', 'HEAD'], require: 'any' }] },
  });
  check = assertionCheck({
    keys: `http://${running.gateway.addresses.forwardAuthAuthenticated}/postern/api/jwks.json`,
    issuer: 'https://cameras.example',
    audience: 'recorder',
  });
});
afterAll(() => running.close());
beforeEach(() => void running.upstream.takeReached());

const fred = from('fred', 'group_front');
const ada = from('ada', 'group_admin');

/** What such a service learns about a request that reached it. */
const found = ({ method, uri, rawHeaders }: ReachedRequest) => {
  const assertions = headerValues(rawHeaders, 'x-postern-assertion');
  expect(assertions).toHaveLength(1);
  return check({ method, url: uri, headers: { 'x-postern-assertion': assertions[0] } });
};

describe.each(everyFront)('behind %s', (name) => {
  const reach = async (request: RawRequest) => {
    const { address, tls } = running.front(name);
    await sendRaw(address, request, tls);
    const reached = running.upstream.takeReached();
    expect(reached).toHaveLength(1);
    return reached[0] as ReachedRequest;
  };

  test.each<[what: string, request: RawRequest, who: Awaited<ReturnType<typeof found>>]>([
    [
      'a picture',
      { uri: '/api/front_door/latest.jpg?h=1&x=%20', headers: fred },
      { user: 'fred', role: 'front' },
    ],
    [
      'a picture by HEAD',
      { method: 'HEAD', uri: '/api/front_door/latest.jpg', headers: fred },
      { user: 'fred', role: 'front' },
    ],
    [
      'a list that is narrowed',
      { uri: '/api/events?limit=2', headers: fred },
      { user: 'fred', role: 'front' },
    ],
    [
      'a change',
      { method: 'POST', uri: '/api/events/1/retain', headers: ada, body: '{}' },
      { user: 'ada', role: 'admin' },
    ],
    [
      'a path with escapes',
      { uri: '/api/caf%C3%A9%20/x?y=%2f', headers: ada },
      { user: 'ada', role: 'admin' },
    ],
    [
      'a change of a path with escapes',
      { method: 'PUT', uri: '/api/caf%C3%A9%20/x?y=%2f&z=a%20b', headers: ada, body: '{}' },
      { user: 'ada', role: 'admin' },
    ],
    [
      'what the relay passes on',
      { uri: '/live/webrtc/api/ws?src=front_door', headers: fred },
      { user: 'fred', role: 'front' },
    ],
    [
      'a configuration that is masked',
      { method: 'HEAD', uri: '/api/config', headers: fred },
      { user: 'fred', role: 'front' },
    ],
  ])('the service knows who asks for %s', async (_, request, who) => {
    const reached = await reach(request);
    await expect(found(reached)).resolves.toEqual(who);
  });

  test('it is valid for one method and one target', async () => {
    const reached = await reach({ uri: '/api/front_door/latest.jpg?h=1', headers: fred });
    for (const changed of [
      { ...reached, uri: '/api/front_door/latest.jpg' },
      { ...reached, uri: '/api/garage/latest.jpg?h=1' },
      { ...reached, method: 'POST' },
    ])
      await expect(found(changed)).rejects.toThrow('of another request');
  });

  test("a client's own is not passed on", async () => {
    const admin = await reach({ uri: '/api/front_door/latest.jpg', headers: ada });
    const [stolen = ''] = headerValues(admin.rawHeaders, 'x-postern-assertion');
    const reached = await reach({
      uri: '/api/front_door/latest.jpg',
      headers: [...fred, ['X-Postern-Assertion', stolen]],
    });
    await expect(found(reached)).resolves.toEqual({ user: 'fred', role: 'front' });
  });
});

describe.each(Object.entries(recordedFronts))('to %s the gate says', (_, { authorizationRequest }) => {
  const ask = async (uri: string) => {
    const address = running.gateway.addresses.forwardAuthAuthenticated ?? '';
    return sendRaw(address, authorizationRequest({ uri, headers: fred }));
  };

  test('who asks', async () => {
    const { headers } = await ask('/api/front_door/latest.jpg');
    const rawHeaders = ['X-Postern-Assertion', headers.get('x-postern-assertion')?.[0] ?? ''];
    const reached = { method: 'GET', uri: '/api/front_door/latest.jpg', rawHeaders };
    await expect(found(reached)).resolves.toEqual({ user: 'fred', role: 'front' });
    expect(headers.get('x-envoy-auth-headers-to-remove')?.[0]?.split(',') ?? []).not.toContain(
      'x-postern-assertion',
    );
  });

  test('nothing when it refuses', async () => {
    const { status, headers } = await ask('/api/garage/latest.jpg');
    expect([status, headers.has('x-postern-assertion')]).toEqual([403, false]);
  });
});

test('a visit to /auth gets no assertion', async () => {
  for (const name of everyFront) {
    const { address, tls } = running.front(name);
    const { status, headers } = await sendRaw(address, { uri: '/auth', headers: fred }, tls);
    expect([name, status, headers.has('x-postern-assertion')]).toEqual([name, 200, false]);
  }
});
