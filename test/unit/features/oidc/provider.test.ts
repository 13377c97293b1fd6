import { randomBytes } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../../../src/clock.ts';
import {
  createProvider,
  type AttemptSecrets,
  type Provider,
} from '../../../../src/features/oidc/provider.ts';
import { patience } from '../../../support/patience.ts';
import {
  endlessAnswer,
  errorAnswer,
  htmlAnswer,
  hugeAnswer,
  type OddAnswer,
} from '../../../support/provider-answers.ts';
import type { Forgery } from '../../../support/provider-keys.ts';
import { startProvider, type RunningProvider } from '../../../support/start-provider.ts';

const publicUrl = 'https://cameras.example';
const olaf = { preferred_username: 'olaf', groups: ['nvr-admins'], email: 'olaf@example.com' };

let real: RunningProvider;
let provider: Provider;
let now: number;
let told: string[];

const clock: Clock = { now: () => now };
const random = () => randomBytes(32).toString('base64url');
const newAttempt = (): AttemptSecrets => ({ state: random(), nonce: random(), verifier: random() });

const clientOf = (changes: Readonly<Record<string, unknown>> = {}, timeoutMs = patience) =>
  createProvider(
    {
      issuer: real.issuer,
      clientId: real.settings.client_id,
      clientSecret: real.settings.client_secret,
      scopes: 'openid profile email groups',
      userClaims: ['preferred_username'],
      groupsClaim: 'groups',
      allowedEmails: undefined,
      ...changes,
    },
    {
      publicUrl,
      basePath: '',
      clock,
      timeoutMs,
      logger: {
        info: (...line: readonly unknown[]) => void told.push(JSON.stringify(line)),
        warn: (...line: readonly unknown[]) => void told.push(JSON.stringify(line)),
      } as never,
    },
  );

/** The query with which a browser comes back from the provider. */
async function comeBack(attempt: AttemptSecrets, of = provider): Promise<string> {
  const { search } = await real.signIn(await of.authorizationUrl(attempt), 'olaf');
  return search;
}

async function logIn(of = provider) {
  const attempt = newAttempt();
  return of.exchange(await comeBack(attempt, of), attempt);
}

/** A good answer in JSON. */
const saying =
  (body: object): OddAnswer =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const kindOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    ({ kind, message }: { kind: string; message: string }) => `${kind}: ${message}`,
  );

beforeAll(async () => {
  real = await startProvider({ publicUrl, people: { olaf } });
});
afterAll(() => real.close());
beforeEach(() => {
  now = Date.now();
  told = [];
  provider = clientOf();
});
afterEach(() => {
  for (const name of ['idToken', 'codesWorkAgain', 'noRefreshToken', 'noEndSession'] as const)
    real.wrong[name] = undefined;
  for (const endpoint of ['discovery', 'jwks', 'token', 'userinfo'] as const)
    real.answer(endpoint, undefined);
});

describe('a login', () => {
  test('asks for a code, with PKCE, state and nonce', async () => {
    const attempt = newAttempt();
    const { searchParams } = new URL(await provider.authorizationUrl(attempt));
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'postern',
      redirect_uri: 'https://cameras.example/postern/oidc/callback',
      scope: 'openid profile email groups',
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge_method: 'S256',
    });
    expect(searchParams.get('code_challenge')).not.toContain(attempt.verifier);
  });

  test('returns the claims and a refresh token', async () => {
    const { claims, refreshToken, idToken } = await logIn();
    expect(claims).toMatchObject({ sub: 'olaf', ...olaf });
    expect(refreshToken).toBeTypeOf('string');
    expect(idToken).toBeTypeOf('string');
  });

  test('asks UserInfo only for claims that the ID token omits', async () => {
    const before = real.asked('userinfo');
    await logIn();
    expect(real.asked('userinfo')).toBe(before);
    real.answer('userinfo', saying({ sub: 'olaf', nickname: 'olli', groups: ['unsigned'] }));
    const { claims } = await logIn(clientOf({ userClaims: ['nickname'] }));
    // What is signed goes before what is not.
    expect(claims).toMatchObject({ ...olaf, nickname: 'olli' });
    expect(real.asked('userinfo')).toBe(before + 1);
  });

  test('asks UserInfo for a path that the ID token lacks', async () => {
    real.answer(
      'userinfo',
      saying({ sub: 'olaf', realm_access: { roles: ['family'] }, groups: ['unsigned'] }),
    );
    real.wrong.idToken = { claims: (good) => ({ ...good, realm_access: { note: 'no roles' } }) };
    const { claims } = await logIn(clientOf({ groupsClaim: 'realm_access.roles' }));
    expect(claims).toMatchObject({ ...olaf, realm_access: { roles: ['family'] } });
  });

  test('rejects a UserInfo about another user', async () => {
    real.answer('userinfo', saying({ sub: 'rosa', nickname: 'olli' }));
    expect(await kindOf(logIn(clientOf({ userClaims: ['nickname'] })))).toMatch(/^nonsense: .*"sub"/);
  });

  test('returns the `sid` if the provider sends one', async () => {
    real.wrong.idToken = { claims: (good) => ({ ...good, sid: 'one' }) };
    expect((await logIn()).sid).toBe('one');
    for (const sid of ['', 7, 'x'.repeat(256)]) {
      real.wrong.idToken = { claims: (good) => ({ ...good, sid }) };
      expect((await logIn()).sid).toBeUndefined();
    }
  });

  test('reads whether an address is verified', async () => {
    const before = real.asked('userinfo');
    await logIn(clientOf({ allowedEmails: ['@example.com'] }));
    expect(real.asked('userinfo')).toBe(before + 1);
  });

  test('finds a new key of the provider at once', async () => {
    await logIn();
    await real.rotateKeys();
    // jose reads no more often than every ten seconds, by the clock of the machine.
    expect(await kindOf(logIn(clientOf()))).toBe('accepted');
  });
});

describe('a callback is refused', () => {
  const attemptWith = async (changes: Partial<AttemptSecrets>) => {
    const attempt = newAttempt();
    const search = await comeBack(attempt);
    return kindOf(provider.exchange(search, { ...attempt, ...changes }));
  };

  test('with the state of another attempt', async () => {
    expect(await attemptWith({ state: random() })).toMatch(/^nonsense: .*"state"/);
  });

  test('with the nonce of another attempt', async () => {
    expect(await attemptWith({ nonce: random() })).toMatch(/^nonsense: .*"nonce"/);
  });

  test('with the verifier of another attempt', async () => {
    expect(await attemptWith({ verifier: random() })).toMatch(/^refused: the provider says invalid_grant/);
  });

  test('from another issuer, or from none (RFC 9207)', async () => {
    const attempt = newAttempt();
    const search = new URLSearchParams(await comeBack(attempt));
    search.set('iss', 'https://evil.example');
    expect(await kindOf(provider.exchange(`?${search}`, attempt))).toMatch(/^nonsense: .*"iss"/);
    search.delete('iss');
    expect(await kindOf(provider.exchange(`?${search}`, attempt))).toMatch(/^nonsense: .*"iss"/);
  });

  test('with a parameter twice', async () => {
    const attempt = newAttempt();
    const search = await comeBack(attempt);
    expect(await kindOf(provider.exchange(`${search}&state=${attempt.state}`, attempt))).toMatch(
      /^nonsense: /,
    );
  });

  test('when the provider returns an error', async () => {
    const attempt = newAttempt();
    const saying = (error: string) =>
      kindOf(
        provider.exchange(
          `?error=${error}&state=${attempt.state}&iss=${encodeURIComponent(real.issuer)}`,
          attempt,
        ),
      );
    expect(await saying('access_denied')).toBe('refused: the provider says access_denied');
    expect(await saying('temporarily_unavailable')).toBe('away: the provider says temporarily_unavailable');
    expect(await saying(encodeURIComponent('<b>\n'))).toBe('refused: the provider says no');
  });
});

describe('an ID token is refused', () => {
  const wholly = (change: Readonly<Record<string, unknown>>): Forgery => ({
    claims: (good) => ({ ...good, ...change }),
  });
  const ago = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;
  test.each<[string, () => Forgery]>([
    ['of no signature', () => ({ algorithm: 'none' })],
    ['signed with the secret of the client', () => ({ algorithm: 'HS256' })],
    ['signed with another key', () => ({ byForeignKey: true })],
    ['signed with a key of another name', () => ({ header: { kid: 'another' } })],
    ['of another issuer', () => wholly({ iss: 'https://evil.example' })],
    ['of another client', () => wholly({ aud: 'another' })],
    [
      'of another client too, for which it was made',
      () => wholly({ aud: ['postern', 'another'], azp: 'another' }),
    ],
    ['of another attempt', () => wholly({ nonce: 'another' })],
    ['of no attempt', () => wholly({ nonce: undefined })],
    ['that is over', () => wholly({ iat: ago(300), exp: ago(90) })],
    ['of the future', () => wholly({ iat: ago(-300) })],
    ['without a subject', () => wholly({ sub: undefined })],
    ['of an empty name', () => wholly({ sub: '' })],
    ['of a name that is too long', () => wholly({ sub: 'x'.repeat(256) })],
    ['of a name that is a number', () => wholly({ sub: 7 })],
    // A database would keep it as another one.
    ['of a name with half a character', () => wholly({ sub: 'olaf\ud800' })],
    ['of a name with a control character', () => wholly({ sub: 'olaf\0' })],
  ])('%s', async (_, forgery) => {
    real.wrong.idToken = forgery();
    expect(await kindOf(logIn())).toMatch(/^nonsense: /);
  });

  test('that has expired, within the tolerance for clocks', async () => {
    real.wrong.idToken = wholly({ iat: ago(300), exp: ago(5) });
    expect(await kindOf(logIn())).toBe('accepted');
    real.wrong.idToken = wholly({ iat: ago(-5) });
    expect(await kindOf(logIn())).toBe('accepted');
  });
});

describe('a refresh', () => {
  test('returns the current claims and the next refresh token', async () => {
    const { refreshToken = '' } = await logIn();
    real.people.set('olaf', { ...olaf, groups: ['others'] });
    const next = await provider.refresh(refreshToken, 'olaf');
    real.people.set('olaf', olaf);
    expect(next.claims['groups']).toEqual(['others']);
    expect(next.refreshToken).not.toBe(refreshToken);
  });

  test('is refused when the user no longer exists at the provider', async () => {
    const { refreshToken = '' } = await logIn();
    real.people.delete('olaf');
    const said = await kindOf(provider.refresh(refreshToken, 'olaf'));
    real.people.set('olaf', olaf);
    expect(said).toMatch(/^refused: the provider says invalid_grant/);
  });

  test('about another user is nonsense', async () => {
    const { refreshToken = '' } = await logIn();
    expect(await kindOf(provider.refresh(refreshToken, 'rosa'))).toBe(
      'nonsense: the refresh is for another user',
    );
  });

  describe('without an ID token', () => {
    const tokens = { access_token: 'a', token_type: 'bearer', expires_in: 60 };

    test('identifies the user by UserInfo', async () => {
      const { refreshToken = '' } = await logIn();
      real.answer('token', saying(tokens));
      real.answer('userinfo', saying({ sub: 'olaf', preferred_username: 'olaf', groups: ['others'] }));
      expect(await provider.refresh(refreshToken, 'olaf')).toMatchObject({
        claims: { sub: 'olaf', preferred_username: 'olaf', groups: ['others'] },
        idToken: undefined,
        refreshToken: undefined,
        sid: undefined,
      });
    });

    test('is nonsense when UserInfo is about another user', async () => {
      const { refreshToken = '' } = await logIn();
      real.answer('token', saying(tokens));
      real.answer('userinfo', saying({ sub: 'rosa', preferred_username: 'olaf', groups: ['nvr-admins'] }));
      expect(await kindOf(provider.refresh(refreshToken, 'olaf'))).toMatch(/^nonsense: .*"sub"/);
    });

    test('is nonsense without a UserInfo', async () => {
      const { userinfo_endpoint: _, ...metadata } = await provider.metadata();
      real.answer('discovery', saying(metadata));
      real.answer('token', saying(tokens));
      expect(await kindOf(clientOf().refresh('r', 'olaf'))).toBe(
        'nonsense: the refresh does not name the user, and there is no UserInfo',
      );
    });
  });

  test('reports a rotated refresh token at once, whatever follows', async () => {
    const { refreshToken = '' } = await logIn();
    const rotated: string[] = [];
    real.answer('token', saying({ access_token: 'a', token_type: 'bearer', refresh_token: 'next' }));
    real.answer('userinfo', htmlAnswer(503));
    expect(await kindOf(provider.refresh(refreshToken, 'olaf', (token) => rotated.push(token)))).toMatch(
      /^away: /,
    );
    expect(rotated).toEqual(['next']);
  });

  test.each<[string, OddAnswer, RegExp]>([
    ['an error of OAuth', errorAnswer('invalid_grant'), /^refused: /],
    ['a passing error', errorAnswer('temporarily_unavailable'), /^away: /],
    ['an error of the server', errorAnswer('server_error', 500), /^away: /],
    ['too many questions', errorAnswer('slow_down', 429), /^away: /],
    ['a page', htmlAnswer(200), /^nonsense: /],
    ['a page of a proxy', htmlAnswer(403), /^nonsense: /],
    [
      'JSON that is none',
      (response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"access_token": "secret'),
      /^nonsense: (?!.*secret)/,
    ],
    [
      'a redirect',
      (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      /^nonsense: /,
    ],
  ])('answered with %s', async (_, answer, expected) => {
    const { refreshToken = '' } = await logIn();
    real.answer('token', answer);
    expect(await kindOf(provider.refresh(refreshToken, 'olaf'))).toMatch(expected);
  });
});

describe('a provider', () => {
  const asking = (of = provider) => kindOf(of.authorizationUrl(newAttempt()));

  test('reads the metadata once, at first use', async () => {
    const before = real.asked('discovery');
    const another = clientOf();
    expect(real.asked('discovery')).toBe(before);
    await Promise.all([asking(another), asking(another)]);
    await asking(another);
    expect(real.asked('discovery')).toBe(before + 1);
  });

  test('that is away is asked again after ten seconds, and each change is logged once', async () => {
    await real.leave();
    expect(await asking()).toMatch(/^away: .*does not answer/);
    await real.comeBack();
    now += 9_000;
    expect(await asking()).toMatch(/^away: /);
    now += 1_000;
    expect(await asking()).toBe('accepted');
    expect(told).toEqual([
      expect.stringContaining('the provider of sign-on is of no help'),
      expect.stringContaining('the provider of sign-on answers again'),
    ]);
  });

  test.each<[string, Parameters<RunningProvider['hold']>[0]]>([
    ['before its metadata is read', 'discovery'],
    ['when a code is exchanged', 'token'],
    ['when its keys are read', 'jwks'],
  ])('that is slow is away: %s', async (_, endpoint) => {
    const impatient = clientOf({}, 300);
    const held = real.hold(endpoint);
    expect(await kindOf(logIn(impatient))).toMatch(/^away: .*it takes too long/);
    held.release();
  });

  test.each<[string, OddAnswer, RegExp]>([
    ['with a page', htmlAnswer(200), /^nonsense: /],
    ['with too much', hugeAnswer, /^nonsense: .*more than 1048576 bytes/],
    ['without an end', endlessAnswer, /^nonsense: .*more than 1048576 bytes/],
    ['that it has a fault', htmlAnswer(503), /^away: .*status 503/],
  ])('that answers %s', async (_, answer, expected) => {
    real.answer('discovery', answer);
    expect(await asking()).toMatch(expected);
  });

  test('with another issuer is rejected, and the message names it', async () => {
    real.answer('discovery', saying({ issuer: 'https://id.example' }));
    expect(await asking()).toMatch(
      /calls itself https:\/\/id\.example: auth\.oidc\.issuer must be the same$/,
    );
    real.answer('discovery', saying({ issuer: real.issuer, authorization_endpoint: 'javascript:alert(1)' }));
    expect(await asking(clientOf())).toBe('nonsense: the provider has no authorization_endpoint by https');
  });

  test('with an unprintable issuer is rejected without logging it', async () => {
    for (const issuer of [
      'https://id.example/ü/x',
      'https://id.example/x/ü',
      `https://id.example/${'x'.repeat(300)}`,
    ]) {
      real.answer('discovery', saying({ issuer }));
      expect(await asking(clientOf())).toMatch(/calls itself something else: /);
    }
  });

  test.each<[methods: readonly string[] | undefined, byHeader: boolean]>([
    [undefined, true],
    [['client_secret_basic', 'client_secret_post'], true],
    [['client_secret_post'], false],
    [['private_key_jwt', 'client_secret_post'], false],
    [['private_key_jwt'], true],
  ])('that takes %j gets the secret of the client in a header: %s', async (methods, byHeader) => {
    const { token_endpoint_auth_methods_supported: _, ...metadata } = await provider.metadata();
    const supported = methods === undefined ? {} : { token_endpoint_auth_methods_supported: methods };
    real.answer('discovery', saying({ ...metadata, ...supported }));
    const headers: Array<string | undefined> = [];
    real.answer('token', (response) => {
      headers.push(response.req.headers.authorization);
      errorAnswer('invalid_grant')(response);
    });
    expect(await kindOf(clientOf().refresh('r', 'olaf'))).toMatch(/^refused: /);
    expect(headers).toEqual([byHeader ? (expect.stringMatching(/^Basic /) as string) : undefined]);
  });

  test('gets the address after a logout if it offers one', async () => {
    const url = new URL((await provider.endSessionUrl('an.id.token')) ?? '');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'postern',
      id_token_hint: 'an.id.token',
      post_logout_redirect_uri: 'https://cameras.example/postern/oidc/logged-out',
    });
    real.wrong.noEndSession = true;
    expect(await clientOf().endSessionUrl()).toBeUndefined();
  });
});

describe('a logout token', () => {
  const forged = async (claims: JWTPayload, forgery?: Forgery) =>
    kindOf(provider.verifyLogoutToken(await real.logoutToken(claims, forgery)));
  const seconds = () => Math.floor(Date.now() / 1000);

  test('returns the user, and until when its `jti` is remembered', async () => {
    const token = await real.logoutToken({ sub: 'olaf', sid: 'one', jti: 'first' });
    const { expiresAt, ...said } = await provider.verifyLogoutToken(token);
    expect(said).toEqual({ sub: 'olaf', sid: 'one', jti: 'first' });
    expect(expiresAt).toBeGreaterThanOrEqual(now + 120_000);
  });

  test.each<[string, () => JWTPayload, Forgery?]>([
    ['of no signature', () => ({ sub: 'olaf' }), { algorithm: 'none' }],
    ['signed with the secret of the client', () => ({ sub: 'olaf' }), { algorithm: 'HS256' }],
    ['signed with another key', () => ({ sub: 'olaf' }), { byForeignKey: true }],
    ['of another issuer', () => ({ sub: 'olaf', iss: 'https://evil.example' })],
    ['for another client', () => ({ sub: 'olaf', aud: 'another' })],
    ['with a nonce: it is an id token', () => ({ sub: 'olaf', nonce: 'one' })],
    ['without the event', () => ({ sub: 'olaf', events: {} })],
    [
      'with an event that is none',
      () => ({ sub: 'olaf', events: { 'http://schemas.openid.net/event/backchannel-logout': true } }),
    ],
    ['without a subject', () => ({})],
    ['with an empty jti', () => ({ sub: 'olaf', jti: '' })],
    ['that is over', () => ({ sub: 'olaf', exp: seconds() - 60 })],
    ['that is old', () => ({ sub: 'olaf', iat: seconds() - 660, exp: seconds() + 3_600 })],
    ['of tomorrow', () => ({ sub: 'olaf', iat: seconds() + 86_400, exp: seconds() + 90_000 })],
  ])('%s is refused', async (_, claims, forgery) => {
    expect(await forged(claims(), forgery)).toMatch(/^nonsense: /);
  });

  test.each([undefined, 'JWT', 'jwt', 'logout+jwt', 'LOGOUT+JWT', 'application/logout+jwt'])(
    'may have the type %s',
    async (typ) => {
      const token = await real.logoutToken({ sub: 'olaf' }, { header: { typ } });
      expect(await provider.verifyLogoutToken(token)).toMatchObject({ sub: 'olaf' });
    },
  );

  test.each(['at+jwt', 'application/at+jwt', 'secevent+jwt', 'text/logout+jwt', 'logout', ''])(
    'of the type %j is refused',
    async (typ) => {
      expect(await forged({ sub: 'olaf' }, { header: { typ } })).toBe(
        'nonsense: a logout token is of another type',
      );
    },
  );

  test('is not decoded when it is too long', async () => {
    expect(await kindOf(provider.verifyLogoutToken('x'.repeat(16_385)))).toBe(
      'nonsense: a logout token is too long',
    );
  });
});
