import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createUsers, type Users } from '../../../../src/accounts/users/users.ts';
import { createRevocations, type Revocations } from '../../../../src/accounts/sessions/revocations.ts';
import { createSessionTokens, type Session } from '../../../../src/accounts/sessions/session-token.ts';
import {
  createSessions,
  type IssuedToken,
  type Sessions,
} from '../../../../src/accounts/sessions/sessions.ts';
import { createCacheTallies } from '../../../../src/telemetry/tallies.ts';
import { temporaryVersionedStore } from '../../store/temporary-store.ts';
import type { Store } from '../../../../src/store/store.ts';
import { unconditional } from '../../../../src/store/permit.ts';

const start = 1_800_000_000_000;
let now: number;
let storeVersion: () => number;
let store: Store;
let users: Users;
let revocations: Revocations;
beforeEach(async () => {
  now = start;
  const opened = await temporaryVersionedStore();
  store = opened.store;
  storeVersion = opened.version;
  users = createUsers(store, { now: () => now });
  revocations = createRevocations(store, { now: () => now });
  await users.add({ username: 'olaf', role: 'viewer', passwordHash: 'h' }, unconditional);
});

const tokens = createSessionTokens('s'.repeat(64), { now: () => now });
const sessionsOf = (sessionLength = 3_600_000, refreshTime = 600_000, mostRemembered?: number): Sessions =>
  createSessions({
    tokens,
    revocations,
    sessionLength,
    refreshTime,
    issuer: 'https://id.example',
    clock: { now: () => now },
    storeVersion,
    ...(mostRemembered === undefined ? {} : { mostRemembered }),
    tally: createCacheTallies().sessions,
  });
async function begin(sessions = sessionsOf()): Promise<IssuedToken> {
  const user = await users.find('olaf');
  if (user === undefined) throw new Error('no olaf');
  return sessions.begin(user);
}
const outcome = async (token: string, sessions = sessionsOf()) => {
  const checked = await sessions.check(token);
  return 'problem' in checked ? checked.problem : 'good';
};
async function sessionOf(token: string, sessions = sessionsOf()): Promise<Session> {
  const checked = await sessions.check(token);
  if ('problem' in checked) throw new Error(checked.problem);
  return checked.session;
}
/** As recorders create them: without our session and generation. */
const foreign = (issuedAt: number) =>
  tokens.issue(
    {
      username: 'olaf',
      issuedAt,
      expiresAt: start + 9_999_000,
      sessionId: undefined as never,
      generation: undefined,
    },
    'admin',
  );

test('a session is valid for its length, with the user as stored now', async () => {
  const { token, maxAgeSeconds } = await begin();
  expect(maxAgeSeconds).toBe(3_600);
  expect((await sessionOf(token)).user).toMatchObject({ username: 'olaf', role: 'viewer' });
  now = start + 3_599_000;
  expect(await outcome(token)).toBe('good');
  now = start + 3_600_000;
  expect(await outcome(token)).toBe('token_expired');
});

describe('the next check rejects a token after', () => {
  const changes: ReadonlyArray<readonly [what: string, change: () => Promise<unknown>, problem: string]> = [
    ['a password change', () => users.setPassword('olaf', 'h2', unconditional), 'token_revoked'],
    ['a role change', () => users.setRole('olaf', 'admin', unconditional), 'token_revoked'],
    ['a revocation', () => users.endSessions('olaf', unconditional), 'token_revoked'],
    [
      'the end of the role',
      () => users.reassignRole('viewer', 'viewer', () => {}, unconditional),
      'token_revoked',
    ],
    ['deletion', () => users.remove('olaf', unconditional), 'user_unknown'],
    [
      'deletion and a user of the same name',
      async () => {
        await users.remove('olaf', unconditional);
        await users.add({ username: 'olaf', role: 'admin', passwordHash: 'h' }, unconditional);
      },
      'token_revoked',
    ],
  ];
  describe.each(changes)('%s', (_, change, problem) => {
    test.each([0, 1, 30, -30, -86_400])('the clock steps by %i', async (step) => {
      const { token } = await begin();
      now += step * 1000;
      await change();
      expect(await outcome(token)).not.toBe('good');
      now = start + 1_000;
      expect(await outcome(token)).toBe(problem);
    });
  });

  test.each([-30, 0, 30])('and accepts a later login when the clock steps by %i', async (step) => {
    now += step * 1000;
    await users.setPassword('olaf', 'h2', unconditional);
    now = start;
    expect(await outcome((await begin()).token)).toBe('good');
  });
});

describe('a token issued from an earlier check', () => {
  test.each<[what: string, change: () => Promise<unknown>]>([
    ['a password change', () => users.setPassword('olaf', 'h2', unconditional)],
    ['a role change', () => users.setRole('olaf', 'admin', unconditional)],
    ['the end of all', () => users.endSessions('olaf', unconditional)],
  ])('%s is no good after it: a refresh and a login that had to wait', async (_, change) => {
    const session = await sessionOf((await begin()).token);
    const user = await users.find('olaf');
    if (user === undefined) throw new Error('no olaf');
    await change();
    const refreshed = await sessionsOf().refresh(session);
    expect(await outcome(refreshed?.token ?? '')).toBe('token_revoked');
    expect(await outcome((await sessionsOf().begin(user)).token)).toBe('token_revoked');
  });

  test('is invalid after a logout', async () => {
    const session = await sessionOf((await begin()).token);
    await sessionsOf().end(session, unconditional);
    const refreshed = await sessionsOf().refresh(session);
    expect(await outcome(refreshed?.token ?? '')).toBe('token_revoked');
  });
});

test.each<[issuedAt: number, outcome: string]>([
  [start + 9_000, 'token_revoked'],
  [start + 10_000, 'good'],
  [start + 11_000, 'good'],
])('a token without a generation, issued at %i, is held against the time: %s', async (issuedAt, expected) => {
  now = start + 10_000;
  await users.endSessions('olaf', unconditional);
  now = start + 20_000;
  expect(await outcome(await foreign(issuedAt))).toBe(expected);
});

describe('a logout', () => {
  test('ends that session, refreshed or not, and no other', async () => {
    const sessions = sessionsOf();
    const first = await begin();
    const other = await begin();
    now = start + 60_000;
    const refreshed = await sessions.refresh(await sessionOf(first.token));
    await sessions.end(await sessionOf(first.token), unconditional);
    expect(await outcome(first.token)).toBe('token_revoked');
    expect(await outcome(refreshed?.token ?? '')).toBe('token_revoked');
    expect(await outcome(other.token)).toBe('good');
    // A token of the session may be valid for a full length from now: the logout is remembered until then.
    now = start + 3_659_000;
    await revocations.prune();
    expect(await outcome(refreshed?.token ?? '')).toBe('token_revoked');
  });

  test('ends a token without a session by the token itself', async () => {
    const token = await foreign(start);
    await sessionsOf().end(await sessionOf(token), unconditional);
    expect(await outcome(token)).toBe('token_revoked');
  });
});

test('a refreshed token is of the same session, with a new expiry', async () => {
  const { token } = await begin();
  const before = await sessionOf(token);
  now = start + 3_000_000;
  const refreshed = await sessionsOf().refresh(before);
  const after = await sessionOf(refreshed?.token ?? '');
  expect(refreshed?.token).not.toBe(token);
  expect(after.claims).toEqual({ ...before.claims, issuedAt: now, expiresAt: now + 3_600_000 });
});

test('a session ended during a refresh stays ended', async () => {
  const session = await sessionOf((await begin()).token);
  await users.setPassword('olaf', 'h2', unconditional);
  const refreshed = await sessionsOf().refresh(session);
  expect(await outcome(refreshed?.token ?? '')).toBe('token_revoked');
});

test.each<[left: number, due: boolean]>([
  [3_600, false],
  [600, false],
  [599, true],
  [1, true],
])('with %i of 3600 seconds left and a refresh time of 600 it is due: %j', async (left, due) => {
  const session = await sessionOf((await begin()).token);
  now = start + 3_600_000 - left * 1000;
  expect(sessionsOf().isDue(session)).toBe(due);
});

test('a session length of 0: a token for 30 seconds, a cookie until the browser closes, no refresh', async () => {
  const sessions = sessionsOf(0, 0);
  const { token, maxAgeSeconds } = await begin(sessions);
  expect(maxAgeSeconds).toBeUndefined();
  const session = await sessionOf(token, sessions);
  expect(session.claims.expiresAt).toBe(start + 30_000);
  now = start + 29_000;
  expect(await outcome(token, sessions)).toBe('good');
  expect(sessions.isDue(session)).toBe(false);
  expect(await sessions.refresh(session)).toBeUndefined();
  now = start + 30_000;
  expect(await outcome(token, sessions)).toBe('token_expired');
});

test('a token from the future is invalid, so a clock that steps back interrupts a session only until it is right', async () => {
  const { token } = await begin();
  now = start - 3_600_000;
  expect(await outcome(token)).toBe('token_invalid');
  now = start + 1_000;
  expect(await outcome(token)).toBe('good');
});

describe('the memory of sessions', () => {
  const remembering = async (mostRemembered?: number) => {
    const sessions = sessionsOf(3_600_000, 600_000, mostRemembered);
    const { token } = await begin(sessions);
    const session = await sessionOf(token, sessions);
    return { sessions, token, session };
  };

  test('holds the session that was found', async () => {
    const { sessions, token, session } = await remembering();
    const found = sessions.recall(token);
    expect(found).toEqual(session);
    expect(found?.claims).toEqual(session.claims);
    expect(found?.claims).toMatchObject({ username: 'olaf', issuedAt: start });
  });

  test.each<[what: string, change: () => Promise<unknown> | void]>([
    ['a password change', () => users.setPassword('olaf', 'i', unconditional)],
    ['a role change', () => users.setRole('olaf', 'family', unconditional)],
    ['deletion', () => users.remove('olaf', unconditional)],
    [
      'a change of another user',
      () => users.add({ username: 'anna', role: 'viewer', passwordHash: 'h' }, unconditional),
    ],
    ['the end of another session', () => revocations.revoke('other', now + 9_000_000, unconditional)],
    ['its time', () => void (now += 3_600_000)],
    ['a clock that went back', () => void (now -= 1_000)],
  ])('is asked for again after %s', async (_, change) => {
    const { sessions, token } = await remembering();
    await change();
    expect(sessions.recall(token)).toBeUndefined();
  });

  test('holds no unchecked, rejected or similar token', async () => {
    const { sessions, token } = await remembering();
    const { token: unchecked } = await begin(sessions);
    await sessions.check('not a token');
    for (const other of [unchecked, 'not a token', '', token.slice(0, -1), `${token} `]) {
      expect(sessions.recall(other)).toBeUndefined();
    }
  });

  test('holds a rejected token until something changes', async () => {
    const { sessions, token } = await remembering();
    const userOf = vi.spyOn(revocations, 'userOf');
    await users.setRole('olaf', 'admin', unconditional);
    for (let i = 0; i < 3; i += 1) expect(await sessions.check(token)).toEqual({ problem: 'token_revoked' });
    expect(userOf).toHaveBeenCalledTimes(1);
    await users.add({ username: 'anna', role: 'viewer', passwordHash: 'h' }, unconditional);
    await sessions.check(token);
    expect(userOf).toHaveBeenCalledTimes(2);
  });

  test('holds the last used sessions; one that was pushed out is verified again', async () => {
    const { sessions, token } = await remembering(10);
    const others: string[] = [];
    for (let i = 0; i < 40; i += 1) {
      const { token: other } = await begin(sessions);
      await sessions.check(other);
      others.push(other);
      expect(sessions.recall(token)).toBeDefined();
    }
    expect(others.filter((other) => sessions.recall(other) !== undefined)).toEqual(others.slice(-9));
    expect(await outcome(others[0] as string, sessions)).toBe('good');
  });

  test('keeps when a session was last seen', async () => {
    const { sessions, token, session } = await remembering();
    session.lastSeenAt = now;
    await users.add({ username: 'anna', role: 'viewer', passwordHash: 'h' }, unconditional);
    expect((await sessionOf(token, sessions)).lastSeenAt).toBe(now);
  });
});

describe('the time of the last proof of identity', () => {
  const authenticated = async (token: string) => (await sessionOf(token)).claims.authenticatedAt;

  test('is that of the login, stays when refreshed, and is new when renewed', async () => {
    const { token } = await begin();
    now += 3_000_000;
    const session = await sessionOf(token);
    const refreshed = await sessionsOf().refresh(session);
    expect(await authenticated(refreshed?.token ?? '')).toBe(start);
    const renewed = await sessionsOf().renew(session);
    expect(await authenticated(renewed.token)).toBe(now);
    expect(renewed.claims.sessionId).toBe(session.claims.sessionId);
  });

  test('is unknown for a token made elsewhere', async () => {
    expect(await authenticated(await foreign(start))).toBeUndefined();
  });
});

describe('the store blocks a user with any token', () => {
  test.each<[what: string, row: Record<string, string>, expected: string]>([
    ['by an admin', { blocked: 'admin' }, 'user_blocked'],
    ['by the provider', { blocked: 'provider', issuer: 'https://id.example', subject: '1' }, 'user_blocked'],
    [
      'by a provider that is configured no more',
      { issuer: 'https://other.example', subject: '1' },
      'provider_removed',
    ],
    ['no one, at the present provider', { issuer: 'https://id.example', subject: '1' }, 'good'],
  ])('%s', async (_, row, expected) => {
    const { token } = await begin();
    await store.change(unconditional, (on) => on.updateTable('users').set(row).execute());
    expect(await outcome(token)).toBe(expected);
    expect(await outcome(await foreign(start))).toBe(expected);
  });
});
