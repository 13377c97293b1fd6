import { decodeJwt } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  adminOf,
  cookieOf,
  goodPassword,
  printedPassword,
  userOf,
  visitor,
  type Visitor,
} from '../support/log-in.ts';
import { sendRaw } from '../support/raw-http.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

let gateway: RunningGateway;
let nowSeconds: number;
const config = {
  auth: {
    roles: { operator: ['garage'] },
    session_length: 1_000,
    refresh_time: 300,
    failed_login_rate_limit: '100/minute',
  },
};
const address = () => gateway.addresses.authenticated ?? '';

beforeEach(async () => {
  nowSeconds = Date.UTC(2026, 10, 1) / 1000;
  gateway = await startGateway({ config, clock: { now: () => nowSeconds * 1000 } });
});
afterEach(() => gateway.close());

describe('login', () => {
  test('answers with the profile and one cookie with all its attributes', async () => {
    const answer = await visitor(address()).logIn('admin', printedPassword(gateway));
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      200,
      {
        username: 'admin',
        role: 'admin',
        allowed_cameras: ['back_yard', 'driveway', 'front_door', 'garage', 'side_yard'],
      },
    ]);
    expect(answer.headers.get('set-cookie')).toHaveLength(1);
    expect(answer.headers.get('set-cookie')?.[0]).toMatch(
      /^session_token=[\w.-]+; Max-Age=1000; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    const claims = decodeJwt(cookieOf(answer) ?? '');
    expect(claims).toMatchObject({ sub: 'admin', role: 'admin', iat: nowSeconds, exp: nowSeconds + 1_000 });
    expect(claims.jti).toBeTypeOf('string');
  });

  test('on the internal entry point sets a cookie without Secure', async () => {
    const answer = await visitor(gateway.addresses.internal ?? '', false).logIn(
      'admin',
      printedPassword(gateway),
    );
    expect(answer.headers.get('set-cookie')?.[0]).not.toContain('Secure');
  });

  test('fails alike for a wrong password and for an unknown user', async () => {
    const answers = await Promise.all([
      visitor(address()).logIn('admin', 'wrong'),
      visitor(address()).logIn('unknown', 'wrong'),
      visitor(address()).logIn('', ''),
    ]);
    for (const answer of answers) {
      expect([answer.status, JSON.parse(answer.body)]).toEqual([
        401,
        { message: 'Login failed', code: 'login_failed' },
      ]);
      expect(answer.headers.has('set-cookie')).toBe(false);
      expect(answer.headers.has('remote-user')).toBe(false);
    }
  });

  test.each([
    ['no password', { user: 'admin' }, 422],
    ['a number', { user: 'admin', password: 5 }, 422],
    ['a list', [], 422],
    ['no JSON', 'user=admin', 415],
  ])('%s: refused', async (_, body, status) => {
    const answer = await visitor(address()).send('POST', '/api/login', body);
    expect(answer.status).toBe(status);
    if (status === 422) expect(JSON.parse(answer.body)).toHaveProperty('detail.0.loc.0', 'body');
  });

  test.each<[what: string, headers: Array<[string, string]>, status: number]>([
    ['a program without a content type', [], 200],
    ['a page without a content type', [['Origin', 'null']], 403],
    ['a page of Postern without a content type', [['Sec-Fetch-Site', 'same-origin']], 415],
    ['text', [['Content-Type', 'text/plain']], 415],
    ['a form', [['Content-Type', 'application/x-www-form-urlencoded']], 415],
  ])('%s: %j is %i', async (_, headers, status) => {
    const body = JSON.stringify({ user: 'admin', password: printedPassword(gateway) });
    const answer = await sendRaw(address(), { method: 'POST', uri: '/api/login', headers, body }, true);
    expect(answer.status).toBe(status);
    expect(answer.headers.has('set-cookie')).toBe(status === 200);
  });
});

describe('a session', () => {
  test('is valid as cookie and as bearer, and a bad bearer is not rescued by the cookie', async () => {
    const admin = await adminOf(gateway);
    const bearer = (value: string, cookie = '') =>
      sendRaw(
        address(),
        {
          uri: '/api/profile',
          headers: [['Authorization', value], ...(cookie ? [['Cookie', cookie] as const] : [])],
        },
        true,
      );
    const profile = await admin.send('GET', '/api/profile');
    expect(profile.status).toBe(200);
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect((await bearer(`${scheme} ${admin.token}`)).status).toBe(200);
    }
    const refused = await bearer('Bearer nonsense', `session_token=${admin.token}`);
    expect([refused.status, refused.headers.get('location')]).toEqual([401, ['/login']]);
    expect((await bearer('Basic YTpi', `session_token=${admin.token}`)).status).toBe(200);
  });

  test('ends at its time, to the second', async () => {
    const admin = await adminOf(gateway);
    const { token } = admin;
    nowSeconds += 999;
    expect(
      (
        await sendRaw(
          address(),
          { uri: '/api/profile', headers: [['Authorization', `Bearer ${token}`]] },
          true,
        )
      ).status,
    ).toBe(200);
    nowSeconds += 1;
    expect(
      (
        await sendRaw(
          address(),
          { uri: '/api/profile', headers: [['Authorization', `Bearer ${token}`]] },
          true,
        )
      ).status,
    ).toBe(401);
  });

  test.each([
    ['an own endpoint', '/api/profile'],
    ['what is passed on', '/api/events?limit=1'],
  ])('is refreshed by %s when it is due, not before', async (_, uri) => {
    const admin = await adminOf(gateway);
    nowSeconds += 699;
    expect(cookieOf(await admin.send('GET', uri))).toBeUndefined();
    nowSeconds += 2;
    const refreshed = cookieOf(await admin.send('GET', uri));
    expect(decodeJwt(refreshed ?? '').exp).toBe(nowSeconds + 1_000);
  });

  test('is refreshed by a visit to /auth, whatever the role', async () => {
    const admin = await adminOf(gateway);
    const olaf = await userOf(admin, address(), 'olaf', 'operator');
    for (const who of [admin, olaf]) {
      nowSeconds += 5;
      const answer = await who.send('GET', '/auth');
      expect([answer.status, answer.body]).toEqual([200, '']);
      expect(decodeJwt(cookieOf(answer) ?? '').exp).toBe(nowSeconds + 1_000);
    }
  });

  test('as bearer is never refreshed', async () => {
    const { token } = await adminOf(gateway);
    nowSeconds += 900;
    const answer = await sendRaw(
      address(),
      { uri: '/auth', headers: [['Authorization', `Bearer ${token}`]] },
      true,
    );
    expect([answer.status, cookieOf(answer)]).toEqual([200, undefined]);
  });

  test('through a front is refreshed in the answer to the front', async () => {
    const { token } = await adminOf(gateway);
    nowSeconds += 900;
    const answer = await sendRaw(gateway.addresses.forwardAuthAuthenticated ?? '', {
      uri: '/auth',
      headers: [
        ['Cookie', `session_token=${token}`],
        ['X-Original-URL', '/api/events'],
        ['X-Original-Method', 'GET'],
        ['X-Forwarded-Proto', 'https'],
      ],
    });
    expect(answer.headers.get('set-cookie')?.[0]).toContain('; Secure');
  });
});

describe('session_length: 0', () => {
  test('gives half a minute, no Max-Age and no refresh', async () => {
    const zero = await startGateway({
      config: { auth: { session_length: 0 } },
      clock: { now: () => nowSeconds * 1000 },
    });
    const admin = visitor(zero.addresses.authenticated ?? '');
    const login = await admin.logIn('admin', printedPassword(zero));
    const auth = await admin.send('GET', '/auth');
    nowSeconds += 29;
    const before = await admin.send('GET', '/api/profile');
    nowSeconds += 1;
    const after = await admin.send('GET', '/api/profile');
    await zero.close();
    expect(login.headers.get('set-cookie')?.[0]).not.toContain('Max-Age');
    expect(cookieOf(auth)).toBeUndefined();
    expect([before.status, after.status]).toEqual([200, 401]);
  });
});

/** Each way to end sessions, and whose it ends. */
const endings: ReadonlyArray<
  readonly [name: string, end: (admin: Visitor, user: Visitor) => Promise<unknown>]
> = [
  [
    'a password change by admin',
    (admin) => admin.send('PUT', '/api/users/vera/password', { password: 'another-password' }),
  ],
  [
    'a password change by the user',
    // The user continues with the new cookie; the test uses the old token.
    async (_, user) => {
      const { token } = user;
      const answer = await user.send('PUT', '/api/users/vera/password', {
        password: 'another-password',
        old_password: goodPassword,
      });
      expect((await user.send('GET', '/api/profile')).status).toBe(200);
      user.token = token;
      return answer;
    },
  ],
  ['a role change', (admin) => admin.send('PUT', '/api/users/vera/role', { role: 'admin' })],
  ['deletion', (admin) => admin.send('DELETE', '/api/users/vera')],
  [
    'deletion and re-creation',
    async (admin) => {
      await admin.send('DELETE', '/api/users/vera');
      await admin.send('POST', '/api/users', { username: 'vera', password: goodPassword, role: 'viewer' });
    },
  ],
  [
    'logout',
    async (_, user) => {
      const { token } = user;
      await user.send('POST', '/api/logout');
      user.token = token;
    },
  ],
  [
    'logout by link',
    async (_, user) => {
      const { token } = user;
      await user.send('GET', '/logout');
      user.token = token;
    },
  ],
  [
    'logout with a refreshed token',
    async (_, user) => {
      const { token } = user;
      await user.send('GET', '/auth');
      await user.send('GET', '/logout');
      user.token = token;
    },
  ],
];

describe('a session is over on the very next request, on every path, after', () => {
  test.each(endings)('%s', async (_, end) => {
    const admin = await adminOf(gateway);
    const vera = await userOf(admin, address(), 'vera', 'viewer');
    const statuses = async () => {
      const headers = [['Authorization', `Bearer ${vera.token}`]] as const;
      const asked = [
        ['X-Original-URL', '/api/events'],
        ['X-Original-Method', 'GET'],
      ] as const;
      const answers = [
        await sendRaw(
          address(),
          { uri: '/api/profile', headers: [['Cookie', `session_token=${vera.token}`]] },
          true,
        ),
        await sendRaw(address(), { uri: '/api/profile', headers }, true),
        await sendRaw(address(), { uri: '/api/events?limit=1', headers }, true),
        await sendRaw(gateway.addresses.forwardAuthAuthenticated ?? '', {
          uri: '/auth',
          headers: [...headers, ...asked],
        }),
      ];
      return answers.map(({ status }) => status);
    };
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await end(admin, vera);
    expect(await statuses()).toEqual([401, 401, 401, 401]);
    expect((await admin.send('GET', '/api/profile')).status).toBe(200);
  });
});

test.each<[next: string, location: string]>([
  ['%2Fa%3Fb', '/login?next=%2Fa%3Fb'],
  ['%2Flogin%2F%3Fnext=/a', '/login?next=/a'],
  ['https://evil.test', '/login'],
  ['%2Flogin%2F%3Fa%0D%0ASet-Cookie:%20x=y', '/login'],
  ['%2Flogin%2F%3Fa%00', '/login'],
  ['%2Flogin%2F%3F%C3%A4', '/login'],
])('a logout with next=%s leads to %s', async (next, location) => {
  const answer = await sendRaw(address(), { method: 'POST', uri: `/logout?next=${next}` }, true);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, [location]]);
  expect(answer.headers.get('set-cookie')).toHaveLength(1);
});

test('a logout clears the cookie and leads on; without a session too', async () => {
  const admin = await adminOf(gateway);
  for (const method of ['GET', 'POST']) {
    const answer = await admin.send(method, '/api/logout');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, ['/login']]);
    expect(answer.headers.get('set-cookie')).toEqual([
      'session_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure',
    ]);
  }
});
