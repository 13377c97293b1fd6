import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  refreshTokenGrant,
  type Configuration,
} from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { endlessAnswer, errorAnswer, htmlAnswer, hugeAnswer } from '../../support/provider-answers.ts';
import type { Forgery } from '../../support/provider-keys.ts';
import type { Cookies } from '../../support/provider-visitor.ts';
import { startProvider, type RunningProvider } from '../../support/start-provider.ts';

let provider: RunningProvider;
let client: Configuration;

beforeAll(async () => {
  provider = await startProvider({ publicUrl: 'https://nvr.example', people: {} });
});
afterAll(() => provider.close());
beforeEach(async () => {
  provider.people.set('1', { preferred_username: 'anna', groups: ['family'] });
  const { client_id: id, client_secret: secret } = provider.settings;
  client = await discovery(new URL(provider.issuer), id, secret, undefined, {
    execute: [allowInsecureRequests, enableNonRepudiationChecks],
  });
});

const verifier = 'v'.repeat(43);

async function ask(cookies?: Cookies): Promise<URL> {
  const url = buildAuthorizationUrl(client, {
    redirect_uri: 'https://nvr.example/postern/oidc/callback',
    scope: 'openid profile groups',
    state: 's',
    nonce: 'n',
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  return provider.signIn(url.href, '1', cookies);
}

const exchange = (callback: URL) =>
  authorizationCodeGrant(client, callback, {
    expectedState: 's',
    expectedNonce: 'n',
    pkceCodeVerifier: verifier,
  });
const signIn = async (cookies?: Cookies) => exchange(await ask(cookies));
const refresh = ({ refresh_token: token = '' }) => refreshTokenGrant(client, token);

describe('a provider that behaves', () => {
  test('signs people in, and says at each refresh who they are now', async () => {
    const tokens = await signIn();
    expect(tokens.claims()).toMatchObject({ sub: '1', preferred_username: 'anna', groups: ['family'] });
    provider.people.set('1', { preferred_username: 'anna', groups: ['admins'] });
    const refreshed = await refresh(tokens);
    expect(refreshed.claims()?.['groups']).toEqual(['admins']);
    await expect(refresh(tokens)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('knows nobody who was taken out', async () => {
    const tokens = await signIn();
    provider.people.delete('1');
    await expect(refresh(tokens)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('continues with other keys', async () => {
    const callback = await ask();
    await provider.rotateKeys();
    expect((await exchange(callback)).claims()?.sub).toBe('1');
  });

  test('logs out, and leads back', async () => {
    const cookies: Cookies = new Map();
    const { id_token: hint = '' } = await signIn(cookies);
    const url = buildEndSessionUrl(client, {
      id_token_hint: hint,
      post_logout_redirect_uri: 'https://nvr.example/postern/oidc/logged-out',
      state: 'back',
    });
    const back = await provider.signOut(cookies, url.href);
    expect(back?.href).toBe('https://nvr.example/postern/oidc/logged-out?state=back');
  });
});

describe('a provider that misbehaves', () => {
  test.each<[string, Forgery]>([
    ['of another issuer', { claims: (good) => ({ ...good, iss: 'https://other.example' }) }],
    ['of another client', { claims: (good) => ({ ...good, aud: 'another' }) }],
    ['of another login', { claims: (good) => ({ ...good, nonce: 'other' }) }],
    ['that has expired', { claims: (good) => ({ ...good, exp: 1 }) }],
    ['with no signature', { algorithm: 'none' }],
    ['signed with the secret', { algorithm: 'HS256' }],
    ['of an unknown key', { header: { kid: 'unknown' } }],
    ['by a foreign key', { byForeignKey: true }],
  ])('issues ID tokens %s', async (_, forgery) => {
    const callback = await ask();
    provider.wrong.idToken = forgery;
    await expect(exchange(callback)).rejects.toThrow(/./);
    provider.wrong.idToken = undefined;
  });

  test('takes a code twice', async () => {
    const callback = await ask();
    provider.wrong.codesWorkAgain = true;
    await exchange(callback);
    expect((await exchange(callback)).claims()?.sub).toBe('1');
    provider.wrong.codesWorkAgain = undefined;
  });

  test('says no, shows a page, or too much', async () => {
    for (const answer of [errorAnswer('server_error', 500), htmlAnswer(), hugeAnswer]) {
      const callback = await ask();
      provider.answer('token', answer);
      await expect(exchange(callback)).rejects.toThrow(/./);
      provider.answer('token', undefined);
    }
    provider.answer('token', endlessAnswer);
    const answer = await fetch(`${provider.issuer}/token`, { method: 'POST' });
    await answer.body?.cancel();
    provider.answer('token', undefined);
  });

  test('holds an answer until it is told', async () => {
    const callback = await ask();
    const { arrived, release } = provider.hold('token');
    const exchanged = exchange(callback);
    await arrived;
    release();
    expect((await exchanged).claims()?.sub).toBe('1');
  });

  test('is away, and comes back', async () => {
    const tokens = await signIn();
    await provider.leave();
    await expect(refresh(tokens)).rejects.toThrow(/./);
    await provider.comeBack();
    expect((await refresh(tokens)).claims()?.sub).toBe('1');
  });

  test('has no refresh tokens, and no logout', async () => {
    provider.wrong.noRefreshToken = true;
    provider.wrong.noEndSession = true;
    expect(await signIn()).not.toHaveProperty('refresh_token');
    const answer = await fetch(`${provider.issuer}/.well-known/openid-configuration`);
    expect(await answer.json()).not.toHaveProperty('end_session_endpoint');
    provider.wrong.noRefreshToken = undefined;
    provider.wrong.noEndSession = undefined;
  });
});
