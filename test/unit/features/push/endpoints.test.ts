import { expect, test } from 'vitest';
import type { Session } from '../../../../src/accounts/sessions/session-token.ts';
import { readPush, switchPushOff, switchPushOn } from '../../../../src/features/push/endpoints.ts';
import { askEndpoint } from '../../api/ask-endpoint.ts';

const p256dh = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
const keys = { p256dh, auth: 'A'.repeat(22) };
const session = {
  user: { username: 'olaf', role: 'viewer', generation: 'g' },
  claims: { sessionId: 'sid' },
} as unknown as Session;

async function switchOn(body: object) {
  const added: object[] = [];
  const { ask, recorded } = askEndpoint({
    endpoint: switchPushOn,
    session,
    services: {
      pushSubscriptions: {
        add: async (subscription: object) => {
          added.push(subscription);
          return 'id';
        },
      },
      pushServices: ['https://push.home:8443'],
      changeLimit: { take: async () => undefined },
    },
  });
  const { status } = await ask('/postern/api/push', body, { 'accept-language': 'de' });
  return { status, added, recorded };
}

test.each<[endpoint: string, service: string]>([
  ['https://push.example/a1b2', 'https://push.example'],
  ['https://push.home:8443/a1b2', 'https://push.home:8443'],
])('a browser gets pushes by %s, for its session', async (endpoint, service) => {
  const { status, added, recorded } = await switchOn({ endpoint, keys });
  expect(status).toBe(201);
  expect(added).toEqual([
    {
      username: 'olaf',
      sessionId: 'sid',
      generation: 'g',
      endpoint,
      publicKey: p256dh,
      auth: keys.auth,
      language: 'de',
    },
  ]);
  expect(recorded).toMatchObject([{ event: 'push_on', user: 'olaf', detail: { service } }]);
});

const endpoint = 'https://push.example/a1b2';

test.each<[what: string, body: object]>([
  ['an address in this network', { endpoint: 'https://192.168.0.1/a', keys }],
  ['a name of this machine', { endpoint: 'https://localhost/a', keys }],
  ['another port of an allowed service', { endpoint: 'https://push.home:8444/a', keys }],
  ['an address without TLS', { endpoint: 'http://push.example/a', keys }],
  ['an address with a password', { endpoint: 'https://a:b@push.example/a', keys }],
  ['an address of another kind', { endpoint: 'file:///etc/passwd', keys }],
  ['a long address', { endpoint: `${endpoint}${'x'.repeat(1_024)}`, keys }],
  ['a key that is no point of the curve', { endpoint, keys: { ...keys, p256dh: `B${'A'.repeat(86)}` } }],
  ['a compressed key', { endpoint, keys: { ...keys, p256dh: `A${'A'.repeat(43)}` } }],
  ['a key and more', { endpoint, keys: { ...keys, p256dh: `${p256dh}AA` } }],
  ['a short secret', { endpoint, keys: { ...keys, auth: 'A'.repeat(21) } }],
  ['a long secret', { endpoint, keys: { ...keys, auth: 'A'.repeat(23) } }],
])('%s gets no pushes', async (_, body) => {
  const { status, added, recorded } = await switchOn(body);
  expect([status, added, recorded]).toEqual([422, [], []]);
});

test.each<[isThere: boolean, status: number]>([
  [true, 204],
  [false, 404],
])('pushes of one’s own browser end (there: %s)', async (isThere, status) => {
  const removed: string[][] = [];
  const { ask, recorded } = askEndpoint({
    endpoint: switchPushOff,
    session,
    services: {
      pushSubscriptions: {
        remove: async (user: string, id: string) => {
          removed.push([user, id]);
          return isThere;
        },
      },
    },
  });
  expect((await ask('/postern/api/push/id')).status).toBe(status);
  expect(removed).toEqual([['olaf', 'id']]);
  expect(recorded).toMatchObject(isThere ? [{ event: 'push_off', user: 'olaf', address: '192.0.2.1' }] : []);
});

test('browsers whose session has ended are told apart', async () => {
  const found = [
    { id: 'good', sessionId: 'sid' },
    { id: 'ended', sessionId: 'over' },
  ];
  const { ask } = askEndpoint({
    endpoint: readPush,
    session,
    services: {
      pushSubscriptions: { of: async () => found },
      sessionRegistry: { find: async (id: string) => (id === 'sid' ? {} : undefined) },
      pushKey: async () => 'key',
      hasRecorder: true,
    },
  });
  expect(JSON.parse((await ask('/postern/api/push')).body)).toEqual({
    possible: true,
    key: 'key',
    ids: ['good'],
    over: ['ended'],
  });
});
