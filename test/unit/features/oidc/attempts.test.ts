import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { createSealing } from '../../../../src/accounts/sealing.ts';
import type { ApiEnvironment } from '../../../../src/api/environment.ts';
import { createAttempts } from '../../../../src/features/oidc/attempts.ts';
import { sessionSettings } from '../../api/ask-endpoint.ts';

const start = 1_800_000_000_000;
const minute = 60_000;

/** A browser, which has the cookies of several attempts; its clock is the one of the gate. */
function browser(secret = 'a secret of the gate') {
  let now = start;
  const clock = { now: () => now };
  const jar = new Map<string, string>();
  const lines: string[] = [];
  const run = async <T>(
    work: (attempts: ReturnType<typeof createAttempts>, c: Parameters<Attempts['begin']>[0]) => Promise<T>,
    { issuer = 'https://id.example', state = '', sealedBy = secret } = {},
  ): Promise<T> => {
    const sealing = createSealing(sealedBy, clock);
    let result: { readonly value: T } | undefined;
    const app = new Hono<ApiEnvironment>().get('/*', async (c) => {
      const attempts = createAttempts({ settings: sessionSettings, sealing, clock, issuer });
      result = { value: await work(attempts, c) };
      return c.body(null);
    });
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const rawHeaders = ['Host', 'gate.test', 'Cookie', cookie];
    const answer = await app.request(`http://gate.test/postern/oidc/callback?state=${state}`, undefined, {
      incoming: { headers: {}, rawHeaders, socket: { remoteAddress: '192.0.2.1' } },
    });
    for (const line of answer.headers.getSetCookie()) {
      lines.push(line);
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    if (result === undefined) throw new Error(`${answer.status}`);
    return result.value;
  };
  return {
    jar,
    lines,
    pass: (milliseconds: number) => void (now += milliseconds),
    begin: (next = '/live', changes = {}) => run((attempts, c) => attempts.begin(c, next), changes),
    find: (state: string, changes = {}) => run((attempts, c) => attempts.find(c), { state, ...changes }),
    forget: (state: string) => run(async (attempts, c) => attempts.forget(c, { state })),
  };
}

type Attempts = ReturnType<typeof createAttempts>;

test('an attempt is found by its state, in the browser that began it', async () => {
  const { begin, find, lines } = browser();
  const secrets = await begin();
  for (const secret of Object.values(secrets)) expect(secret).toMatch(/^[\w-]{43}$/);
  expect(new Set(Object.values(secrets)).size).toBe(3);
  expect(await find(secrets.state)).toEqual({ ...secrets, next: '/live', expiresAt: start + 10 * minute });
  expect(lines).toEqual([
    expect.stringMatching(
      new RegExp(
        `^postern_oidc_${secrets.state.slice(0, 16)}=[\\w.-]+; Max-Age=600; Path=/postern/oidc/; HttpOnly; SameSite=Lax$`,
      ),
    ),
  ]);
});

test('several are under way at once, and each is forgotten alone', async () => {
  const { begin, find, forget } = browser();
  const [first, second] = [await begin('/a'), await begin('/b')];
  expect([(await find(first.state))?.next, (await find(second.state))?.next]).toEqual(['/a', '/b']);
  await forget(first.state);
  expect([await find(first.state), (await find(second.state))?.next]).toEqual([undefined, '/b']);
});

test('a browser has eight at most, and begins more in place of the last', async () => {
  const { begin, jar } = browser();
  const names: string[] = [];
  for (let i = 0; i < 9; i += 1) names.push(`postern_oidc_${(await begin()).state.slice(0, 16)}`);
  expect([...jar.keys()]).toEqual([...names.slice(0, 7), names[8]]);
});

test('cookies of others count for none', async () => {
  const { begin, jar } = browser();
  for (let i = 0; i < 20; i += 1) jar.set(`postern_oidc_${i}`, 'x');
  await begin();
  expect(jar.size).toBe(21);
});

test.each<[length: number, next: string | undefined]>([
  [1_024, undefined],
  [1_025, '/'],
])('a path of %i characters leads to %s', async (length, next) => {
  const { begin, find } = browser();
  const path = '/'.repeat(length);
  expect((await find((await begin(path)).state))?.next).toBe(next ?? path);
});

test.each<[what: string, change: (gate: ReturnType<typeof browser>, state: string) => Promise<unknown>]>([
  ['without a state', ({ find }) => find('')],
  ['with another state', ({ find }) => find('x'.repeat(43))],
  ['with the beginning of its state', ({ find }, state) => find(state.slice(0, 16))],
  ['with its state and more', ({ find }, state) => find(`${state}x`)],
  ['with a state that begins alike', ({ find }, state) => find(`${state.slice(0, 16)}${'x'.repeat(27)}`)],
  ['at another provider', ({ find }, state) => find(state, { issuer: 'https://other.example' })],
  ['at another gate', ({ find }, state) => find(state, { sealedBy: 'another secret' })],
  [
    'without its cookie',
    ({ find, jar }, state) => {
      jar.clear();
      return find(state);
    },
  ],
  [
    'with a cookie that was changed',
    ({ find, jar }, state) => {
      for (const [name, value] of jar)
        jar.set(
          name,
          value.replace(/.(.{8})$/, (end) => `${end.startsWith('A') ? 'B' : 'A'}${end.slice(1)}`),
        );
      return find(state);
    },
  ],
  [
    'with the cookie of another attempt',
    async ({ begin, find, jar }, state) => {
      const [[name = ''] = []] = jar;
      const other = await begin();
      jar.set(name, jar.get(`postern_oidc_${other.state.slice(0, 16)}`) ?? '');
      return find(state);
    },
  ],
  [
    'after ten minutes',
    ({ find, pass }, state) => {
      pass(10 * minute + 1_000);
      return find(state);
    },
  ],
])('an attempt is not found %s', async (_, change) => {
  const gate = browser();
  const { state } = await gate.begin();
  expect(await change(gate, state)).toBeUndefined();
});

test('two cookies of one name are none', async () => {
  const { begin, find, jar } = browser();
  const { state } = await begin();
  const [[name = '', value = ''] = []] = jar;
  jar.set(name, `planted; ${name}=${value}`);
  expect(await find(state)).toBeUndefined();
});
