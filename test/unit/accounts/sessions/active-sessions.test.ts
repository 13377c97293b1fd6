import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createUsers, type Users } from '../../../../src/accounts/users/users.ts';
import {
  createActiveSessions,
  type ActiveSessions,
} from '../../../../src/accounts/sessions/active-sessions.ts';
import { createRevocations } from '../../../../src/accounts/sessions/revocations.ts';
import { createSessionRegistry, type SessionRegistry } from '../../../../src/accounts/sessions/last-seen.ts';
import { createSessionTokens } from '../../../../src/accounts/sessions/session-token.ts';
import { createSessions, type Sessions } from '../../../../src/accounts/sessions/sessions.ts';
import { createCacheTallies } from '../../../../src/telemetry/tallies.ts';
import { temporaryActivity, temporaryVersionedStore } from '../../store/temporary-store.ts';
import { unconditional } from '../../../../src/store/permit.ts';

const start = 1_800_000_000_000;
let now: number;
let users: Users;
let sessions: Sessions;
let registry: SessionRegistry;
let live: ActiveSessions;

beforeEach(async () => {
  now = start;
  const { store, version } = await temporaryVersionedStore();
  users = createUsers(store, { now: () => now });
  const revocations = createRevocations(store, { now: () => now });
  sessions = createSessions({
    tokens: createSessionTokens('s'.repeat(64), { now: () => now }),
    revocations,
    sessionLength: 3_600_000,
    refreshTime: 600_000,
    clock: { now: () => now },
    storeVersion: version,
    tally: createCacheTallies().sessions,
  });
  registry = createSessionRegistry({
    activity: await temporaryActivity(),
    clock: { now: () => now },
    onFault: (error) => {
      throw error;
    },
    onRecovery: () => undefined,
  });
  onTestFinished(registry.close);
  live = createActiveSessions({ registry, revocations, sessions, users });
  for (const username of ['olaf', 'anna', 'admin'])
    await users.add(
      { username, role: username === 'admin' ? 'admin' : 'viewer', passwordHash: 'h' },
      unconditional,
    );
});

/** Signs in. @returns the token, and the id of its session */
async function begin(username: string, address = '192.0.2.1', agent?: string) {
  const user = await users.find(username);
  if (user === undefined) throw new Error(`no ${username}`);
  const { token, claims } = await sessions.begin(user);
  registry.note(claims, { at: now, address, agent });
  now += 1_000;
  return { token, id: claims.sessionId, claims };
}
const listed = async (username?: string) =>
  (await live.list({ username, limit: 100 })).sessions.map(({ id }) => id);
const isGood = async (token: string) => 'session' in (await sessions.check(token));

describe('the list has valid sessions', () => {
  test('of all users, or of one', async () => {
    const [olaf, anna] = [await begin('olaf'), await begin('anna')];
    expect(await listed()).toEqual([anna.id, olaf.id]);
    expect(await listed('olaf')).toEqual([olaf.id]);
    expect(await listed('admin')).toEqual([]);
    await expect(live.list({ username: 'nobody', limit: 1 })).rejects.toMatchObject({ code: 'user_unknown' });
    expect(await live.find(olaf.id)).toMatchObject({ id: olaf.id, username: 'olaf' });
    expect(await live.find('none')).toBeUndefined();
  });

  test.each<[search: string, found: readonly string[]]>([
    ['OLA', ['olaf']],
    ['2001:DB8', ['anna']],
    ['firefox linux', ['olaf']],
    ['linux olaf', ['olaf']],
    ['  ', ['admin', 'anna', 'olaf']],
    ['olaf192', []],
    ['anna linux', []],
  ])('search %j finds sessions of %j', async (search, found) => {
    await begin('olaf', '192.0.2.1', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0');
    await begin('anna', '2001:db8::7', 'curl/8');
    await begin('admin', '', undefined);
    const page = await live.list({ search, limit: 100 });
    expect(page.sessions.map(({ username }) => username)).toEqual(found);
    expect(page.next).toBeUndefined();
  });

  test('the pages of a search together have all matches', async () => {
    for (let i = 0; i < 30; i += 1) await begin(i % 3 === 0 ? 'olaf' : 'anna', `192.0.2.${i}`);
    for (const limit of [1, 4, 10, 30]) {
      const found: string[] = [];
      let before: Parameters<typeof live.list>[0]['before'];
      do {
        const page = await live.list({ search: 'olaf', before, limit });
        found.push(...page.sessions.map(({ address }) => address ?? ''));
        before = page.next;
      } while (before !== undefined);
      expect(found).toEqual([27, 24, 21, 18, 15, 12, 9, 6, 3, 0].map((i) => `192.0.2.${i}`));
    }
  });

  test.each<[what: string, change: () => Promise<unknown>, left: number]>([
    ['a new password', () => users.setPassword('olaf', 'i', unconditional), 1],
    ['a new role', () => users.setRole('olaf', 'admin', unconditional), 1],
    ['a removal', () => users.remove('olaf', unconditional), 1],
    [
      'a removal, and another user of that name',
      async () => {
        await users.remove('olaf', unconditional);
        await users.add({ username: 'olaf', role: 'viewer', passwordHash: 'h' }, unconditional);
      },
      1,
    ],
    ['the end of all', () => users.endSessions('olaf', unconditional), 1],
    ['another password hash', () => users.rehash('olaf', 'h', 'i'), 2],
    ['the time', async () => void (now += 3_600_000), 0],
  ])('after %s', async (_, change, left) => {
    const [olaf, anna] = [await begin('olaf'), await begin('anna')];
    await change();
    const good = [await isGood(olaf.token), await isGood(anna.token)].filter(Boolean).length;
    expect(good).toBe(left);
    expect(await listed()).toHaveLength(left);
    expect((await live.find(olaf.id)) !== undefined).toBe(await isGood(olaf.token));
  });

  test('after a logout that the registry did not record', async () => {
    const olaf = await begin('olaf');
    await sessions.end(olaf, unconditional);
    expect(await listed()).toEqual([]);
    expect(await live.find(olaf.id)).toBeUndefined();
  });
});

test('rejects all tokens of an ended session, and no others', async () => {
  const [first, second] = [await begin('olaf'), await begin('olaf')];
  const checked = await sessions.check(first.token);
  const refreshed = 'session' in checked ? await sessions.refresh(checked.session) : undefined;
  const found = await live.find(first.id);
  if (found === undefined) throw new Error('not found');
  await live.end(found, unconditional);
  expect([await isGood(first.token), await isGood(refreshed?.token ?? '')]).toEqual([false, false]);
  expect(sessions.recall(first.token)).toBeUndefined();
  expect(await isGood(second.token)).toBe(true);
  expect(await listed()).toEqual([second.id]);
});

test('ending all sessions includes those never seen', async () => {
  const user = await users.find('olaf');
  if (user === undefined) throw new Error('no olaf');
  const { token } = await sessions.begin(user);
  expect(await listed()).toEqual([]);
  await users.endSessions('olaf', unconditional);
  expect(await isGood(token)).toBe(false);
  await expect(users.endSessions('nobody', unconditional)).rejects.toMatchObject({ code: 'user_unknown' });
});

describe('pages', () => {
  const pagesOf = async (limit: number, username?: string) => {
    const pages: string[][] = [];
    let before;
    do {
      const page = await live.list({ username, before, limit });
      pages.push(page.sessions.map(({ id }) => id));
      before = page.next;
    } while (before !== undefined);
    return pages;
  };

  test('together are the list, even if sessions between have ended', async () => {
    const begun: Array<Awaited<ReturnType<typeof begin>>> = [];
    for (let i = 0; i < 9; i += 1) begun.push(await begin(i % 3 === 0 ? 'anna' : 'olaf'));
    for (const place of [0, 3, 4, 8]) {
      const session = begun[place];
      if (session !== undefined) await sessions.end(session, unconditional);
    }
    const good = [7, 6, 5, 2, 1].map((place) => begun[place]?.id);
    for (const limit of [1, 2, 4, 5, 6]) {
      const pages = await pagesOf(limit);
      expect(pages.flat()).toEqual(good);
      expect(Math.max(...pages.map((page) => page.length))).toBe(Math.min(limit, 5));
      // The last page is not empty.
      expect(pages).toHaveLength(Math.ceil(5 / limit));
    }
  });

  test('read a bounded number of rows when thousands have ended', async () => {
    const { claims } = await begin('olaf');
    for (let i = 0; i < 4_500; i += 1)
      registry.note(
        { ...claims, sessionId: `former${i}`, generation: 'former' },
        { at: now, address: '', agent: undefined },
      );
    const page = vi.spyOn(registry, 'page');
    const pages = await pagesOf(500);
    expect(pages.flat()).toEqual([claims.sessionId]);
    expect(pages.length).toBeGreaterThan(1);
    expect(page.mock.calls.length).toBeLessThan(15);
  });
});

test('the sessions of many are those that are valid', async () => {
  const olaf = await begin('olaf');
  const ended = await begin('olaf');
  const anna = await begin('anna');
  await begin('admin');
  const found = await Promise.all(['olaf', 'anna'].map((name) => users.find(name)));
  const owners = () =>
    new Map(found.filter((user) => user !== undefined).map((user) => [user.username, user]));
  const ids = async (of = owners()) => (await live.listOf(of)).map(({ id }) => id);
  expect(await ids()).toEqual([anna.id, ended.id, olaf.id]);
  await live.end({ id: ended.id, expiresAt: ended.claims.expiresAt }, unconditional);
  expect(await ids()).toEqual([anna.id, olaf.id]);
  // A logout that the registry did not record.
  const left = await begin('olaf');
  expect(await ids()).toContain(left.id);
  await sessions.end(left, unconditional);
  expect(await ids()).toEqual([anna.id, olaf.id]);
  await users.endSessions('anna', unconditional);
  found[1] = await users.find('anna');
  expect(await ids()).toEqual([olaf.id]);
});
