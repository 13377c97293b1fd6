import { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import { serve } from '../../../../src/api/endpoint.ts';
import {
  logOutByProvider,
  type BackchannelLogoutDependencies,
  createProviderLogout,
} from '../../../../src/features/oidc/logout.ts';
import type { ApiEnvironment } from '../../../../src/api/environment.ts';
import type { AuditEntry } from '../../../../src/audit/audit-entry.ts';
import { systemClock } from '../../../../src/clock.ts';
import { errorAnswer } from '../../../../src/errors.ts';
import { createSealing } from '../../../../src/accounts/sealing.ts';
import { createRevocations } from '../../../../src/accounts/sessions/revocations.ts';
import { createProviderSessions } from '../../../../src/features/oidc/provider-sessions.ts';
import { createProvider } from '../../../../src/features/oidc/provider.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import { createLogger } from '../../../../src/telemetry/logger.ts';
import { createRequestLog } from '../../../../src/telemetry/request-log.ts';
import { patience } from '../../../support/patience.ts';
import { htmlAnswer } from '../../../support/provider-answers.ts';
import type { Forgery } from '../../../support/provider-keys.ts';
import { startProvider, type RunningProvider } from '../../../support/start-provider.ts';
import { temporaryVersionedStore } from '../../store/temporary-store.ts';
import { settings } from '../../api/api-dependencies.ts';

let provider: RunningProvider;
let gate: Awaited<ReturnType<typeof newGate>>;
beforeAll(async () => {
  provider = await startProvider({ publicUrl: 'https://nvr.example', people: {} });
});
afterAll(() => provider.close());
beforeEach(async () => {
  gate = await newGate();
});

const now = () => Math.floor(Date.now() / 1000);
/** Claims of a logout token; undefined: it is not there. */
type Claims = Readonly<Record<string, unknown>>;

const event = 'http://schemas.openid.net/event/backchannel-logout';

/** Anna has two sessions, which the provider calls `a` and `b`, and olaf one that it never named. */
async function newGate() {
  const { issuer, client_id: clientId, client_secret: clientSecret } = provider.settings;
  const { store, version } = await temporaryVersionedStore();
  const logger = createLogger('silent', { write: () => undefined });
  const sealing = createSealing('a secret of the gate', systemClock);
  const providerSessions = createProviderSessions({
    store,
    sealing,
    clock: systemClock,
    sessionLength: 60_000,
  });
  const client = createProvider(
    {
      issuer,
      clientId,
      clientSecret,
      scopes: 'openid',
      userClaims: ['preferred_username'],
      groupsClaim: 'groups',
      allowedEmails: undefined,
    },
    { publicUrl: 'https://nvr.example', basePath: '', clock: systemClock, logger, timeoutMs: patience },
  );
  const users = createUsers(store, systemClock);
  for (const username of ['anna', 'olaf'])
    await users.add({ username, role: 'viewer', passwordHash: '' }, unconditional);
  const rows: ReadonlyArray<readonly [sessionId: string, username: string, sid: string | undefined]> = [
    ['a1', 'anna', 'a'],
    ['b1', 'anna', 'b'],
    ['o1', 'olaf', undefined],
  ];
  for (const [sessionId, username, sid] of rows) {
    const grant = { refreshToken: undefined, idToken: undefined, sid };
    const person = { sessionId, issuer, subject: username };
    const write = await providerSessions.begin(person, grant, Date.now() + 60_000);
    await store.change(unconditional, (on) => write(on, username));
  }
  const recorded: AuditEntry[] = [];
  const app = new Hono<ApiEnvironment>();
  const services: BackchannelLogoutDependencies = {
    settings: { ...settings, mode: 'session', issuer },
    signOn: { provider: client },
    providerSessions,
    sessionRegistry: { forget: () => undefined },
    audit: { record: async (entry) => void recorded.push(entry) },
    logger: createRequestLog({ logger, clientOf: (address) => address }),
  };
  serve(app, { endpoint: logOutByProvider, services });
  app.onError((error, c) => c.json(errorAnswer(error).body, errorAnswer(error).status));
  const post = async (body: string, type = 'application/x-www-form-urlencoded') => {
    const env = { path: '/postern/oidc/backchannel-logout', listener: 'client-facing', tls: true };
    const incoming = { headers: {}, rawHeaders: [], socket: { remoteAddress: '192.0.2.1' } };
    const answer = await app.request(
      `http://nvr.example${logOutByProvider.path}`,
      // Cross-site headers: browsers do not send this request, and it carries no cookie.
      { method: 'POST', headers: { 'content-type': type, 'sec-fetch-site': 'cross-site' }, body },
      { ...env, incoming },
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    return answer.status;
  };
  return {
    recorded,
    version,
    post,
    say: async (claims: Claims, forgery?: Forgery) =>
      post(String(new URLSearchParams({ logout_token: await provider.logoutToken(claims, forgery) }))),
    ended: async () => {
      const revocations = createRevocations(store, systemClock);
      const found = await Promise.all(rows.map(([id]) => revocations.isRevoked(id)));
      return rows.flatMap(([id], i) => (found[i] === true ? [id] : []));
    },
  };
}

describe('the provider ends', () => {
  test.each<[what: string, claims: Claims, ended: readonly string[]]>([
    ['the session that it names', { sid: 'a' }, ['a1']],
    ['the session that it names, with its user', { sub: 'anna', sid: 'b' }, ['b1']],
    ['all sessions of a user', { sub: 'anna' }, ['a1', 'b1']],
    ['a session without a name, by its user', { sub: 'olaf', sid: 'z' }, ['o1']],
    ["nothing of another user's", { sub: 'olaf', sid: 'a' }, ['o1']],
    ['nothing for an unknown user', { sub: 'nobody' }, []],
  ])('%s', async (_, claims, ended) => {
    expect(await gate.say(claims)).toBe(200);
    expect(await gate.ended()).toEqual(ended);
    expect(gate.recorded.map(({ event, object }) => [event, object])).toEqual(
      ended.map((id) => ['session_ended_by_provider', id === 'o1' ? 'olaf' : 'anna']),
    );
  });

  test.each<[string, Claims, Forgery?]>([
    ['whose clock is 5 seconds behind', { iat: now() - 5, exp: now() + 100 }],
    ['whose clock is 5 seconds ahead', { iat: now() + 5, exp: now() + 105 }],
    ['which gives no expiry', { exp: undefined }],
    ['which gives several audiences', { aud: ['other', 'postern'] }],
    ['which gives no type', {}, { header: { typ: undefined } }],
  ])('a session with a token of a provider %s', async (_, claims, forgery) => {
    expect(await gate.say({ sub: 'anna', ...claims }, forgery)).toBe(200);
    expect(await gate.ended()).toEqual(['a1', 'b1']);
  });

  test('a session with a new key', async () => {
    await provider.rotateKeys(true);
    expect(await gate.say({ sub: 'anna' })).toBe(200);
  });
});

describe('rejects a logout', () => {
  test.each<[string, Claims, Forgery?]>([
    ['of another issuer', { iss: 'https://other.example' }],
    ['of another client', { aud: 'another' }],
    ['of no client', { aud: undefined }],
    ['that has expired', { iat: now() - 400, exp: now() - 300 }],
    ['from 5 minutes ahead', { iat: now() + 300, exp: now() + 400 }],
    ['from a day ago, whatever its expiry', { iat: now() - 86_400, exp: now() + 86_400 }],
    ['without a time', { iat: undefined }],
    ['with a nonce, as an ID token has', { nonce: 'n' }],
    ['without events', { events: undefined }],
    ['of another event', { events: { 'http://schemas.openid.net/event/other': {} } }],
    ['whose event is no object', { events: { [event]: true } }],
    ['without a jti', { jti: undefined }],
    ['that names no user', { sub: undefined }],
    ['without a signature', {}, { algorithm: 'none' }],
    ['signed with the secret of the client', {}, { algorithm: 'HS256' }],
    ['with a foreign key', {}, { byForeignKey: true }],
    ['with an unknown key', {}, { byForeignKey: true, header: { kid: 'unknown' } }],
  ])('with a token %s', async (_, claims, forgery) => {
    const version = gate.version();
    expect(await gate.say({ sub: 'anna', ...claims }, forgery)).toBe(400);
    expect(await gate.ended()).toEqual([]);
    expect(gate.version()).toBe(version);
    expect(gate.recorded).toMatchObject([{ event: 'refused', reason: 'logout_token_refused' }]);
  });

  test('with a token that was used', async () => {
    const token = String(new URLSearchParams({ logout_token: await provider.logoutToken({ sub: 'anna' }) }));
    expect(await gate.post(token)).toBe(200);
    const version = gate.version();
    expect(await gate.post(token)).toBe(400);
    expect(gate.version()).toBe(version);
  });

  test.each([
    ['nothing', ''],
    ['two tokens', 'logout_token=a&logout_token=b'],
    ['no token', 'logout_token=%00'],
    ['too much', `logout_token=${'a'.repeat(20_000)}`],
  ])('with %s in the body', async (_, body) => {
    expect(await gate.post(body)).toBe(400);
  });

  test.each([
    ['twice', (token: string) => [token, token]],
    ['before another', (token: string) => [token, 'b']],
    ['behind another', (token: string) => ['a', token]],
    ['before an empty one', (token: string) => [token, '']],
  ])('with a valid token %s', async (_, tokensWith) => {
    const token = await provider.logoutToken({ sub: 'anna' });
    const form = new URLSearchParams(tokensWith(token).map((each) => ['logout_token', each]));
    expect(await gate.post(String(form))).toBe(400);
    expect(await gate.ended()).toEqual([]);
  });

  test('with a valid token in a body of another type', async () => {
    const token = await provider.logoutToken({ sub: 'anna' });
    expect(await gate.post(JSON.stringify({ logout_token: token }), 'application/json')).toBe(400);
    expect(await gate.ended()).toEqual([]);
  });
});

describe('a flood of forged tokens', () => {
  const flood = async () => {
    for (let i = 0; i < 5; i += 1)
      expect(await gate.say({ sub: 'anna' }, { byForeignKey: true, header: { kid: `k${i}` } })).toBe(400);
  };

  test('asks the provider for its keys once', async () => {
    const asked = provider.asked('jwks');
    await flood();
    expect(provider.asked('jwks') - asked).toBeLessThanOrEqual(1);
  });

  test('asks once when the provider returns no keys', async () => {
    provider.answer('jwks', htmlAnswer(500));
    const asked = provider.asked('jwks');
    await flood();
    provider.answer('jwks', undefined);
    expect(provider.asked('jwks') - asked).toBeLessThanOrEqual(1);
  });
});

describe('a logout at the provider', () => {
  let now = 1_800_000_000_000;
  const sealing = createSealing('a secret', { now: () => now });

  function start(idToken?: string) {
    const endSessionUrl = vi.fn(
      async (hint?: string): Promise<string | undefined> =>
        `https://id.example/end${hint === undefined ? '' : `?hint=${hint}`}`,
    );
    const idTokenOf = vi.fn(async () => idToken);
    return {
      endSessionUrl,
      idTokenOf,
      logout: createProviderLogout({ provider: { endSessionUrl }, providerSessions: { idTokenOf }, sealing }),
    };
  }

  test('sends the browser to the provider with the ID token, and back to `next`', async () => {
    const { logout, idTokenOf } = start('i1');
    const url = new URL((await (await logout.prepare('s1')).urlTo('/next')) ?? '');
    expect(idTokenOf).toHaveBeenCalledWith('s1');
    expect(url.origin + url.pathname + url.searchParams.get('hint')).toBe('https://id.example/endi1');
    const state = url.searchParams.get('state') ?? '';
    expect(await logout.nextOf(state)).toBe('/next');
    now += 601_000;
    expect(await logout.nextOf(state)).toBeUndefined();
  });

  test('returns no `next` for an unknown or missing state', async () => {
    const { logout } = start();
    const url = new URL((await (await logout.prepare('s1')).urlTo(undefined)) ?? '');
    expect(await logout.nextOf(url.searchParams.get('state') ?? '')).toBeUndefined();
    expect(await logout.nextOf(undefined)).toBeUndefined();
    expect(await logout.nextOf('x')).toBeUndefined();
    expect(await logout.nextOf(await sealing.issue('another', { next: '/x' }, 60))).toBeUndefined();
    expect(await logout.nextOf(await sealing.issue('logout', { next: 7 }, 60))).toBeUndefined();
  });

  test('the provider asks the user if there is no session or no usable ID token', async () => {
    for (const [idToken, sessionId] of [
      ['i1', undefined],
      [undefined, 's1'],
      ['x'.repeat(2_049), 's1'],
    ] as const) {
      const { logout, endSessionUrl } = start(idToken);
      await (await logout.prepare(sessionId)).urlTo('/');
      expect(endSessionUrl).toHaveBeenCalledWith(undefined);
    }
    const { logout, endSessionUrl } = start('x'.repeat(2_048));
    await (await logout.prepare('s1')).urlTo('/');
    expect(endSessionUrl).toHaveBeenCalledWith('x'.repeat(2_048));
  });

  test('a logout works without the store, and if the provider offers none', async () => {
    const { logout, idTokenOf, endSessionUrl } = start('i1');
    idTokenOf.mockRejectedValue(new Error('no disk'));
    expect(await (await logout.prepare('s1')).urlTo('/')).toMatch(/^https:\/\/id\.example\/end\?state=/);
    endSessionUrl.mockResolvedValue(undefined);
    expect(await (await logout.prepare('s1')).urlTo('/')).toBeUndefined();
  });
});
