import { describe, expect, test } from 'vitest';
import { createSessionTokens } from '../../src/accounts/sessions/session-token.ts';
import { unconditional } from '../../src/store/permit.ts';
import { goodPassword as password, visitor } from '../support/log-in.ts';
import { hashOf, jwtSecret, type Place } from '../support/start-delayed-gate.ts';
import {
  accounts,
  auth,
  begin,
  changes,
  house,
  proxied,
  remake,
  taken,
  usersOf,
  whileWaiting,
  type Asker,
  type Change,
  type House,
} from './delayed-rows.ts';

const all = (Object.entries(changes) as Array<[Asker, readonly Change[]]>).flatMap(([asker, ofAsker]) =>
  ofAsker.map((change, i) => ({
    asker,
    what: change[0],
    change,
    ways: i === 0 ? taken[asker] : taken[asker].slice(0, 1),
  })),
);

describe.each(all)('$asker $what', ({ asker, change, ways }) => {
  test('and what is not taken away takes effect', async () => {
    const { answer, before, after } = await whileWaiting(
      await begin(asker),
      [asker, change],
      () => undefined,
    );
    expect(answer.status).toBeLessThan(300);
    expect(after).not.toEqual(before);
  });

  test.each(ways)('but meanwhile there is %s', async (_, take, status, reason) => {
    const all = await begin(asker);
    const { answer, before, after } = await whileWaiting(all, [asker, change], () => take(all, asker));
    expect(after).toEqual(before);
    expect(answer.status).toBe(status);
    expect(answer.headers.has('set-cookie')).toBe(false);
    const refused = all.gate.log.filter(({ msg }) => msg === 'refused');
    expect(refused).toMatchObject([
      { reason: expect.stringMatching(reason) as string, user: expect.any(String) as string },
    ]);
    expect(answer.headers.get('x-postern-decision')).toEqual([refused[0]?.['decision']]);
  });
});

describe('meanwhile', () => {
  const ghost: Change = ['', 'POST', '/api/users', { username: 'ghost', password, role: 'admin' }];
  const own: Change = [
    '',
    'PUT',
    '/api/users/vera/password',
    { password: 'the password of a thief', old_password: password },
  ];
  const reset = (all: House) => usersOf(all).setPassword('vera', hashOf('a reset'), unconditional);

  test('the sessions of an admin end: that admin makes no other one', async () => {
    const all = await house();
    const end = () => usersOf(all).endSessions('thief', unconditional);
    const { answer, before, after } = await whileWaiting(all, ['thief', ghost], end, 'hash');
    expect(answer.status).toBe(401);
    expect(answer.headers.get('location')).toEqual(['/login']);
    expect(after).toEqual(before);
  });

  // Such a token is held against a time of whole seconds, and this one is not too old.
  test('a token that was made elsewhere ends with a reset within the same second', async () => {
    const all = await house();
    const { clock } = all.gate.services;
    const issuedAt = clock.now();
    const times = { issuedAt, expiresAt: issuedAt + 600_000, authenticatedAt: issuedAt };
    const claims = { username: 'thief', ...times, generation: undefined };
    const token = await createSessionTokens(jwtSecret, clock).issue(
      { ...claims, sessionId: undefined as never },
      'admin',
    );
    const bearer = [['Authorization', `Bearer ${token}`] as const];
    const foreign: House = {
      ...all,
      send: (_, method, uri, body) => visitor(all.gate.address, false).send(method, uri, body, bearer),
    };
    const end = () => usersOf(all).setPassword('thief', hashOf('a reset'), unconditional);
    const { answer, before, after } = await whileWaiting(foreign, ['thief', ghost], end);
    expect(after).toEqual(before);
    expect(answer.status).toBe(401);
  });

  test.each<[place: Place, status: number]>([
    ['verify', 403],
    ['hash', 401],
  ])('(%s) an admin resets it: the reset stays, and no cookie is handed out', async (place, status) => {
    const all = await house();
    const { answer, before, after } = await whileWaiting(all, ['vera', own], () => reset(all), place);
    expect(after).toEqual(before);
    expect([answer.status, answer.headers.has('set-cookie')]).toEqual([status, false]);
  });

  const guests: readonly Change[] = [
    ['a user', 'POST', '/api/users', { username: 'ghost', password, role: 'family' }],
    ['another user', 'PUT', '/api/users/vera/role', { role: 'family' }],
    ['an API token', 'POST', '/postern/api/tokens', { name: 'for ever', role: 'family' }],
  ];
  test.each(guests.map((guest) => ({ guest })))(
    'its role is removed that $guest.0 was to have',
    async ({ guest }) => {
      const all = await house();
      const { roles: _, role_access: __, ...withoutRoles } = auth;
      const remove = () => all.gate.reload({ ...accounts, auth: withoutRoles });
      const { answer, before, after } = await whileWaiting(all, ['thief', guest], remove);
      expect(after).toEqual(before);
      expect(answer.status).toBe(422);
    },
  );
});

test.each<[what: string, change: Change]>([
  [
    'a new password',
    ['', 'PUT', '/api/users/vera/password', { password: `${password}!`, old_password: password }],
  ],
  ['the end of all sessions', ['', 'DELETE', '/postern/api/sessions']],
])('the cookie that %s hands out ends with what comes after it', async (_, change) => {
  const all = await house();
  const reset = () => usersOf(all).setPassword('vera', hashOf('a reset'), unconditional);
  const { answer } = await whileWaiting(all, ['vera', change], reset, 'changed');
  expect(answer.headers.has('set-cookie')).toBe(true);
  expect((await all.send('vera', 'GET', '/api/profile')).status).toBe(401);
});

test('a cookie that was refreshed on the way is not handed out with a refusal', async () => {
  const all = await house();
  all.gate.advance(86_400 - 600);
  const token: Change = ['', 'POST', '/postern/api/tokens', { name: 'for ever', role: 'viewer' }];
  const wide = await whileWaiting(await house(), ['vera', token], () => undefined);
  expect(wide.answer.status).toBe(201);
  const end = () => usersOf(all).endSessions('vera', unconditional);
  const { answer } = await whileWaiting(all, ['vera', token], end);
  expect([answer.status, answer.headers.has('set-cookie')]).toEqual([401, false]);
});

describe('a login whose password is compared', () => {
  const logIn: Change = ['', 'POST', '/api/login', { user: 'vera', password }];
  const ways: ReadonlyArray<readonly [how: string, take: (all: House) => unknown, status: number]> = [
    ['a new password', (all) => usersOf(all).setPassword('vera', hashOf('a reset'), unconditional), 401],
    ['a removal', (all) => usersOf(all).remove('vera', unconditional), 401],
    ['a removal, and a user of that name', (all) => remake(all, 'vera'), 401],
    ['a proxy that logs in', ({ gate }) => gate.reload(proxied), 404],
  ];

  test.each(ways)('begins no session when meanwhile there is %s', async (_, take, status) => {
    const all = await house();
    const { answer } = await whileWaiting(all, ['vera', logIn], () => take(all), 'verify');
    expect([answer.status, answer.headers.has('set-cookie')]).toEqual([status, false]);
  });

  test('leaves a new generated password as never used', async () => {
    const all = await house();
    const generate = (text: string) =>
      usersOf(all).setPassword('vera', hashOf(text), unconditional, { generated: true });
    await generate(password);
    await whileWaiting(all, ['vera', logIn], () => generate('another'), 'verify');
    expect(await usersOf(all).isGeneratedPasswordUnused()).toBe(true);
  });
});
