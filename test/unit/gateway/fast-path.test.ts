import * as fc from 'fast-check';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createUsers } from '../../../src/accounts/users.ts';
import { createAuthoriser } from '../../../src/gateway/authoriser.ts';
import { createDecisionLog } from '../../../src/gateway/decision-log.ts';
import type { InForce } from '../../../src/gateway/dependencies.ts';
import { createFastPath } from '../../../src/gateway/fast-path.ts';
import { createGateway } from '../../../src/gateway/gateway.ts';
import { gatewayListener } from '../../../src/gateway/listener.ts';
import { createRevocations } from '../../../src/sessions/revocations.ts';
import { createSessionRegistry } from '../../../src/sessions/session-registry.ts';
import { createSessionTokens } from '../../../src/sessions/session-token.ts';
import { createSessions } from '../../../src/sessions/sessions.ts';
import { createCacheTallies } from '../../../src/telemetry/cache-tally.ts';
import { sendRaw, type RawAnswer } from '../../support/raw-http.ts';
import {
  temporaryActivity,
  temporaryDirectory,
  temporaryStore,
  temporaryVersionedStore,
} from '../store/temporary-store.ts';
import { gatewayDependencies, inForce as family } from './gateway-dependencies.ts';
import { unconditional } from '../../../src/store/permit.ts';

type Header = readonly [name: string, value: string];

const start = 1_800_000_000;
const sessionLength = 3_600;
const refreshTime = 600;
const facts = { edge: 'authenticated', listener: 'forward-auth', tls: false } as const;

/** Settings that the tests swap: own accounts, own accounts with another grant of `family`, an upstream proxy. */
const settings: Record<string, InForce> = {
  accounts: { ...family, mode: 'session' },
  'another grant': {
    ...family,
    mode: 'session',
    rules: { ...family.rules, customRoles: new Map([['family', new Set(['garage'])]]) },
  },
  proxy: family,
};

/** A store with users, and gateways on it that share a clock and settings. */
async function startWorld() {
  let now = start;
  let inForce = settings['accounts'] ?? family;
  const directory = temporaryDirectory();
  const { store, version } = await temporaryVersionedStore(directory);
  const users = createUsers(store, () => now);
  const otherProcess = createUsers(await temporaryStore(directory), () => now);
  const revocations = createRevocations(store, () => now);
  const tokens = createSessionTokens('s'.repeat(64), () => new Date(now * 1_000));
  const sessionRegistry = createSessionRegistry({
    activity: await temporaryActivity(directory),
    now: () => now,
    onFault: (error) => {
      throw error;
    },
    onRecovery: () => undefined,
  });
  onTestFinished(sessionRegistry.close);
  const sessionsWith = (rememberedBytes: number) =>
    createSessions({
      tokens,
      revocations,
      findUser: users.find,
      sessionLength,
      refreshTime,
      now: () => now,
      storeVersion: version,
      rememberedBytes,
      tally: createCacheTallies().sessions,
    });

  /** @param bytes for verdicts and for sessions; 0: everything is decided anew, by Hono's listener */
  const startGateway = async (bytes: number) => {
    const sessions = sessionsWith(bytes);
    const { dependencies } = gatewayDependencies({ sessions, users, sessionRegistry, now: () => now });
    const withSettings = { ...dependencies, inForce: () => inForce };
    const decisions = createDecisionLog();
    const authoriser = createAuthoriser(withSettings, decisions);
    const listener = createFastPath(
      gatewayListener(createGateway(withSettings, authoriser, decisions), facts, withSettings),
      {
        edge: 'authenticated',
        dependencies: withSettings,
        authoriser,
        storeVersion: version,
        bytes,
      },
    );
    return { sessions, decisions, authoriser, address: await listenOn(listener) };
  };
  return {
    users,
    otherProcess,
    revocations,
    sessionRegistry,
    sessionsWith,
    version,
    startGateway,
    step: (seconds: number) => void (now += seconds),
    use: (name: string) => void (inForce = settings[name] ?? inForce),
    now: () => now,
    inForce: () => inForce,
  };
}

async function listenOn(listener: RequestListener): Promise<string> {
  const path = join(temporaryDirectory(), 'gate.sock');
  const server = createServer(listener).listen(path);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `unix:${path}`;
}

const question = (uri: string, ...headers: readonly Header[]): Header[] => [
  ['X-Original-Method', 'GET'],
  ['X-Original-URL', uri],
  ...headers,
];
const cookie = (token: string): Header => ['Cookie', `session_token=${token}`];
const ask = (address: string, headers: readonly Header[], method = 'GET') =>
  sendRaw(address, { method, uri: '/auth', headers });

/** What must be the same with and without: all but the id, the date and the random part of a new token. */
function told({ status, headers }: RawAnswer): unknown {
  const lines = [...headers].filter(
    ([name]) => !['date', 'x-postern-decision', 'connection', 'keep-alive'].includes(name),
  );
  return {
    status,
    lines: Object.fromEntries(
      lines.map(([name, values]) => [name, values.map((value) => value.replace(/=ey[^;]*/, '=token'))]),
    ),
  };
}

test('random requests, changes, reloads and clock steps: the answers are those of the pipeline alone', async () => {
  const uri = fc.constantFrom(
    '/api/front/latest.jpg',
    '/api/garage/latest.jpg',
    '/api/users',
    '/',
    '/auth',
    '/a%2fb',
  );
  const who = fc.constantFrom('olaf', 'anna');
  const role = fc.constantFrom('admin', 'viewer', 'family', 'gone');
  const command = fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({ do: fc.constant('ask' as const), token: fc.nat(7), uri, bearer: fc.boolean() }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('ask proxy' as const), role, uri }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('log in' as const), who }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('log out' as const), token: fc.nat(7) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('password' as const), who }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('role' as const), who, role }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('role elsewhere' as const), who, role }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), who }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('settings' as const),
        name: fc.constantFrom(...Object.keys(settings)),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('step' as const),
        seconds: fc.constantFrom(1, 2_999, 3_000, 3_001, 3_600, 9_000, -1, -6, -4_000),
      }),
    },
  );
  const remembered = { asked: 0, atOnce: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 40 }), async (commands) => {
      const world = await startWorld();
      const [fast, plain] = [await world.startGateway(1_000_000), await world.startGateway(0)];
      const atOnce = vi.spyOn(fast.decisions, 'keep');
      const decided = vi.spyOn(plain.decisions, 'keep');
      const add = (name: string) =>
        world.users
          .add({ username: name, role: 'family', passwordHash: 'h' }, unconditional)
          .catch(() => undefined);
      await add('olaf');
      await add('anna');
      const issued: string[] = [];
      const logIn = async (name: string) => {
        const user = await world.users.find(name);
        if (user !== undefined) issued.push((await plain.sessions.begin(user)).token);
      };
      await logIn('olaf');
      const tokenAt = (place: number) => issued.at(-1 - (place % issued.length)) ?? '';
      const compare = async (headers: readonly Header[]) => {
        // Twice: what the first has remembered, the second is answered with.
        for (let i = 0; i < 2; i += 1) {
          const [one, other] = [await ask(fast.address, headers), await ask(plain.address, headers)];
          expect(told(one)).toEqual(told(other));
        }
      };
      for (const chosen of commands) {
        switch (chosen.do) {
          case 'ask': {
            const token = tokenAt(chosen.token);
            const shown: Header = chosen.bearer ? ['Authorization', `Bearer ${token}`] : cookie(token);
            await compare(question(chosen.uri, shown));
            break;
          }
          case 'ask proxy':
            await compare(question(chosen.uri, ['Remote-User', 'ada'], ['Remote-Groups', chosen.role]));
            break;
          case 'log in':
            await logIn(chosen.who);
            break;
          case 'log out': {
            const checked = await plain.sessions.check(tokenAt(chosen.token));
            if ('session' in checked) await plain.sessions.end(checked.session, unconditional);
            break;
          }
          case 'password':
            await world.users.setPassword(chosen.who, 'i', unconditional).catch(() => undefined);
            break;
          case 'role':
            await world.users.setRole(chosen.who, chosen.role, unconditional).catch(() => undefined);
            break;
          case 'role elsewhere':
            await world.otherProcess.setRole(chosen.who, chosen.role, unconditional).catch(() => undefined);
            // The bound within which the store sees what another process wrote.
            await new Promise((resolve) => setTimeout(resolve, 2));
            break;
          case 'delete':
            await world.users.remove(chosen.who, unconditional).catch(() => undefined);
            await add(chosen.who);
            break;
          case 'settings':
            world.use(chosen.name);
            break;
          case 'step':
            world.step(chosen.seconds);
        }
      }
      remembered.asked += decided.mock.calls.length;
      remembered.atOnce += atOnce.mock.calls.length;
    }),
    { numRuns: 25 },
  );
  expect(remembered.atOnce).toBe(remembered.asked);
}, 60_000);

describe('what is remembered', () => {
  const startRemembering = async (bytes = 1_000_000) => {
    const world = await startWorld();
    const user = await world.users.add(
      { username: 'olaf', role: 'family', passwordHash: 'h' },
      unconditional,
    );
    const gateway = await world.startGateway(bytes);
    const found = await world.users.find(user.username);
    if (found === undefined) throw new Error('no olaf');
    const { token } = await gateway.sessions.begin(found);
    await gateway.sessions.check(token);
    const decided = vi.spyOn(gateway.authoriser, 'authoriseAtOnce');
    /** Whether the pipeline was asked. */
    const isDecided = async (headers: readonly Header[], method?: string) => {
      const before = decided.mock.calls.length;
      const { status } = await ask(gateway.address, headers, method);
      return { status, decided: decided.mock.calls.length > before };
    };
    return { ...world, gateway, token, isDecided };
  };
  const granted = '/api/front/latest.jpg';

  test('is what was allowed, for every header line, and for HEAD too', async () => {
    const { token, isDecided } = await startRemembering();
    const headers = question(granted, cookie(token));
    expect(await isDecided(headers)).toEqual({ status: 200, decided: true });
    expect(await isDecided(headers)).toEqual({ status: 200, decided: false });
    expect(await isDecided(headers, 'HEAD')).toEqual({ status: 200, decided: false });
    for (const other of [
      question('/api/garage/latest.jpg', cookie(token)),
      question(granted, cookie(`${token}x`)),
      question(granted, cookie(token), ['Authorization', 'Basic eDp5']),
      question(granted, cookie(token), ['Accept', '*/*']),
      [...question(granted), ['Cookie', `session_token=${token}; session_token=x`] as const],
    ]) {
      expect((await isDecided(other)).decided).toBe(true);
    }
  });

  test('is for all sessions of a user that are known to be good', async () => {
    const { users, gateway, token, isDecided } = await startRemembering();
    await isDecided(question(granted, cookie(token)));
    const user = await users.find('olaf');
    if (user === undefined) throw new Error('no olaf');
    const other = (await gateway.sessions.begin(user)).token;
    expect((await isDecided(question(granted, cookie(other)))).decided).toBe(true);
    // Now the other session was seen: what olaf may do need not be decided again.
    const third = (await gateway.sessions.begin(user)).token;
    await gateway.sessions.check(third);
    expect(await isDecided(question(granted, cookie(third)))).toEqual({ status: 200, decided: false });
    expect(await isDecided(question(granted, ['Authorization', `Bearer ${third}`]))).toEqual({
      status: 200,
      decided: true,
    });
  });

  test('is not for another user, even of the same role', async () => {
    const { users, gateway, token, isDecided } = await startRemembering();
    await users.add({ username: 'anna', role: 'family', passwordHash: 'h' }, unconditional);
    const anna = await users.find('anna');
    if (anna === undefined) throw new Error('no anna');
    const { token: hers } = await gateway.sessions.begin(anna);
    for (const known of [hers, token]) await gateway.sessions.check(known);
    await isDecided(question(granted, cookie(token)));
    expect(await isDecided(question(granted, cookie(hers)))).toEqual({ status: 200, decided: true });
    const { headers } = await ask(gateway.address, question(granted, cookie(hers)));
    expect(headers.get('remote-user')).toEqual(['anna']);
  });

  test.each<[what: string, uri: string, headers: (token: string) => Header[]]>([
    ['a refusal', '/api/garage/latest.jpg', (token) => [cookie(token)]],
    ['nobody', granted, () => []],
    ['what is public', '/login', (token) => [cookie(token)]],
    ['a token of no session', granted, (token) => [cookie(token.slice(0, -3))]],
    ['a long request', granted, (token) => [cookie(token), ['X-Long', 'x'.repeat(9_000)]]],
    ['a visit that refreshes', '/auth', (token) => [cookie(token)]],
  ])('is not %s', async (_, uri, headers) => {
    const { token, isDecided } = await startRemembering();
    const asked = question(uri, ...headers(token));
    const { status } = await isDecided(asked);
    expect(await isDecided(asked)).toEqual({ status, decided: true });
  });

  type World = Awaited<ReturnType<typeof startRemembering>>;
  test.each<[what: string, change: (world: World) => Promise<unknown> | void]>([
    ['a role change', ({ users }) => users.setRole('olaf', 'viewer', unconditional)],
    ['a password change', ({ users }) => users.setPassword('olaf', 'i', unconditional)],
    [
      'a change by another process',
      ({ otherProcess }) =>
        otherProcess
          .setRole('olaf', 'viewer', unconditional)
          .then(() => new Promise((resolve) => setTimeout(resolve, 2))),
    ],
    [
      'a logout',
      async ({ gateway, token }) => {
        const checked = await gateway.sessions.check(token);
        if ('session' in checked) await gateway.sessions.end(checked.session, unconditional);
      },
    ],
    ['a change of the configuration', ({ use }) => use('another grant')],
    ['the refresh time', ({ step }) => step(sessionLength - refreshTime)],
    ['the end of the session', ({ step }) => step(sessionLength)],
    ['a clock that went back', ({ step }) => step(-1)],
  ])('is decided anew after %s', async (_, change) => {
    const world = await startRemembering();
    const headers = question(granted, cookie(world.token));
    await world.isDecided(headers);
    expect((await world.isDecided(headers)).decided).toBe(false);
    await change(world);
    expect((await world.isDecided(headers)).decided).toBe(true);
  });

  test('is a sighting of the session all the same, once a minute', async () => {
    const { users, gateway, token, isDecided, sessionRegistry, step, now } = await startRemembering();
    const seenAt = async () =>
      (await sessionRegistry.page({ limit: 9 })).map(({ lastSeenAt, agent }) => [lastSeenAt, agent]);
    const headers = question(granted, cookie(token), ['User-Agent', 'one']);
    await isDecided(headers);
    expect(await seenAt()).toEqual([[start, 'one']]);
    const note = vi.spyOn(sessionRegistry, 'note');
    step(59);
    expect(await isDecided(headers)).toEqual({ status: 200, decided: false });
    expect(note).not.toHaveBeenCalled();
    step(1);
    for (let i = 0; i < 3; i += 1) expect((await isDecided(headers)).decided).toBe(false);
    expect(note).toHaveBeenCalledTimes(1);
    expect(await seenAt()).toEqual([[now(), 'one']]);
    // Another session of the user, which only the memory has answered.
    const user = await users.find('olaf');
    if (user === undefined) throw new Error('no olaf');
    const other = (await gateway.sessions.begin(user)).token;
    await gateway.sessions.check(other);
    const same = question(granted, cookie(other), ['User-Agent', 'one']);
    expect((await isDecided(same)).decided).toBe(false);
    expect(await seenAt()).toHaveLength(2);
    // A clock that went back does not leave it unseen until then.
    step(-60);
    await isDecided(headers);
    expect(note).toHaveBeenCalledTimes(3);
  });

  test('is told to the registry no more often when the store changes', async () => {
    const { users, token, isDecided, sessionRegistry } = await startRemembering();
    const headers = question(granted, cookie(token));
    await isDecided(headers);
    const note = vi.spyOn(sessionRegistry, 'note');
    await users.add({ username: 'anna', role: 'viewer', passwordHash: 'h' }, unconditional);
    expect((await isDecided(headers)).decided).toBe(true);
    expect(note).not.toHaveBeenCalled();
  });

  test('cannot be pushed out by a flood without a session', async () => {
    const { gateway, token, isDecided } = await startRemembering(20_000);
    const headers = question(granted, cookie(token));
    await isDecided(headers);
    const check = vi.spyOn(gateway.sessions, 'check');
    for (let i = 0; i < 500; i += 1) {
      await ask(gateway.address, question(`/api/front/latest.jpg?${i}`, cookie(`${token}${i}`)));
      await ask(gateway.address, question(`/login?${i}`));
    }
    expect(await isDecided(headers)).toEqual({ status: 200, decided: false });
    check.mockClear();
    expect(await isDecided(question('/api/front/other.jpg', cookie(token)))).toEqual({
      status: 200,
      decided: true,
    });
    expect(check).not.toHaveBeenCalled();
  });

  test('takes no more than the bytes given to it; what is asked for again and again gets in', async () => {
    const { token, isDecided } = await startRemembering(20_000);
    const headers = (i: number) => question(`/api/front/latest.jpg?${i}`, cookie(token));
    for (let i = 0; i < 30; i += 1) await isDecided(headers(i));
    let kept = 0;
    for (let i = 0; i < 30; i += 1) kept += (await isDecided(headers(i))).decided ? 0 : 1;
    expect(kept).toBeGreaterThan(3);
    expect(kept).toBeLessThan(15);
    let asked = 0;
    while ((await isDecided(headers(99))).decided) asked += 1;
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(17);
  });

  test('when it is full, a change costs what is asked for often no more than one decision', async () => {
    const { users, token, isDecided } = await startRemembering(20_000);
    const headers = (i: number) => question(`/api/front/latest.jpg?${i}`, cookie(token));
    for (let i = 0; i < 30; i += 1) await isDecided(headers(i));
    await users.add({ username: 'anna', role: 'viewer', passwordHash: 'h' }, unconditional);
    const again: boolean[] = [];
    // The session is checked anew, then the verdict is made, then it is remembered.
    for (let i = 0; i < 6; i += 1) again.push((await isDecided(headers(0))).decided);
    expect(again).toEqual([true, true, false, false, false, false]);
  });
});
