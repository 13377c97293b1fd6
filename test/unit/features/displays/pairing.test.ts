import { expect, test } from 'vitest';
import {
  beginPairing,
  fetchCredential,
  refusePairing,
  showPairingCode,
} from '../../../../src/features/displays/pairing.ts';
import type { FailureLimit } from '../../../../src/accounts/limits/failure-limit.ts';
import { settings as proxySettings } from '../../api/api-dependencies.ts';
import { askEndpoint } from '../../api/ask-endpoint.ts';

/** A limit of one, and what it counted. */
function countedLimit() {
  const taken: string[] = [];
  const limit: FailureLimit = {
    reserve: async (whose) => {
      if (taken.includes(whose)) return { retryAfterSeconds: 60 };
      taken.push(whose);
      return { giveBack: async () => void taken.splice(taken.indexOf(whose), 1) };
    },
  };
  return { taken, limit };
}

const code = { userCode: 'BCDF-GHJK', address: '192.0.2.7', agent: undefined, expiresAt: 0 };
const device = 'd'.repeat(43);

test('a code counts for the address of its screen until that is paired', async () => {
  const { taken, limit } = countedLimit();
  let paired: (() => Promise<void>) | undefined;
  const begin = async (screen: object, onPaired?: () => Promise<void>) => {
    expect(screen).toEqual({ address: '192.0.2.1', agent: 'TV' });
    paired = onPaired;
    return { deviceCode: device, userCode: code.userCode };
  };
  const services = { pairingLimit: limit, pairingCodes: { begin } };
  const { ask } = askEndpoint({ endpoint: beginPairing, services });
  const path = '/postern/api/displays/code';
  const agent = { 'user-agent': 'TV' };
  expect([(await ask(path, {}, agent)).status, taken]).toEqual([200, ['192.0.2.1']]);
  expect((await ask(path, {}, agent)).status).toBe(429);
  await paired?.();
  expect(taken).toEqual([]);
  expect((await ask(path, {}, agent)).status).toBe(200);
});

test('a screen around which too many codes are open gets none, and that counts as well', async () => {
  const { taken, limit } = countedLimit();
  const services = { pairingLimit: limit, pairingCodes: { begin: async () => undefined } };
  const { ask } = askEndpoint({ endpoint: beginPairing, services });
  expect([(await ask('/postern/api/displays/code', {})).status, taken]).toEqual([429, ['192.0.2.1']]);
});

test.each([
  ['shows', showPairingCode],
  ['refuses', refusePairing],
])(
  'a code that no screen shows counts for the user who %s it, and an open one does not',
  async (_, endpoint) => {
    const { taken, limit } = countedLimit();
    const refused: string[] = [];
    const pairingCodes = {
      find: async (typed: string) => (typed === code.userCode ? code : undefined),
      refuse: async (userCode: string) => {
        refused.push(userCode);
        return true;
      },
    };
    const asking = { endpoint, services: { codeLimit: limit, pairingCodes, read: {} } };
    const { ask } = askEndpoint(asking);
    const at = (typed: string) => `/postern/api/displays/code/${typed}`;
    for (let i = 0; i < 2; i += 1) expect((await ask(at(code.userCode))).status).toBeLessThan(300);
    expect(taken).toEqual([]);
    refused.splice(0);
    expect([(await ask(at('BBBB-BBBB'))).status, taken]).toEqual([404, ['olaf']]);
    expect([(await ask(at(code.userCode))).status, refused]).toEqual([429, []]);
    expect((await askEndpoint({ ...asking, user: 'vera' }).ask(at(code.userCode))).status).toBeLessThan(300);
  },
);

test('a code that another user has refused meanwhile is not refused again', async () => {
  const { limit } = countedLimit();
  const pairingCodes = { find: async () => code, refuse: async () => false };
  const { ask, recorded } = askEndpoint({
    endpoint: refusePairing,
    services: { codeLimit: limit, pairingCodes, read: {} },
  });
  expect([(await ask('/postern/api/displays/code/BCDF-GHJK')).status, recorded]).toEqual([404, []]);
});

test('no code is refused by a user whose right has ended meanwhile', async () => {
  const { limit } = countedLimit();
  const refused: string[] = [];
  const refuse = async (userCode: string) => refused.push(userCode) > 0;
  const { ask } = askEndpoint({
    endpoint: refusePairing,
    services: { codeLimit: limit, pairingCodes: { find: async () => code, refuse }, read: {} },
    permit: () => Promise.reject(new Error('withdrawn')),
  });
  expect([(await ask('/postern/api/displays/code/BCDF-GHJK')).status, refused]).toEqual([500, []]);
});

test('a screen gets its credential once it is approved, and its code is gone', async () => {
  const finished: string[] = [];
  const pairingCodes = {
    poll: async () => ({ problem: 'authorization_pending', deviceHash: 'h' }),
    finish: async (hash: string) => void finished.push(hash),
  };
  const ask = async (issued: object | undefined) => {
    const displayCredentials = { fetch: async () => issued };
    const services = { pairingCodes, displayCredentials, displayCookie: { set: () => 'postern_display=c' } };
    const asked = askEndpoint({ endpoint: fetchCredential, services });
    const answer = await asked.ask('/postern/api/displays/token', { device_code: device });
    return [answer.status, answer.headers.get('set-cookie'), finished.splice(0)];
  };
  expect(await ask(undefined)).toEqual([400, null, []]);
  const issued = { credential: 'c', display: { id: 'i', name: 'Hall' } };
  expect(await ask(issued)).toEqual([200, 'postern_display=c', ['h']]);
});

test.each([
  ['begins', beginPairing, '/postern/api/displays/code', {}],
  ['ends', fetchCredential, '/postern/api/displays/token', { device_code: device }],
] as const)('without accounts, no screen %s a pairing', async (_, endpoint, path, body) => {
  const { ask } = askEndpoint({ endpoint, services: { settings: proxySettings } });
  const { status, body: text } = await ask(path, body);
  expect([status, text]).toEqual([404, expect.stringContaining('authentication_disabled')]);
});
