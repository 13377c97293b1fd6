import * as fc from 'fast-check';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createSessionRegistry,
  type SeenSession,
  type SessionRegistry,
} from '../../../../src/accounts/sessions/last-seen.ts';
import type { SessionClaims } from '../../../../src/accounts/sessions/session-token.ts';
import { activityPath } from '../../../../src/store/sqlite/open-store.ts';
import { isOnPostgres, temporaryActivity, temporaryDirectory } from '../../store/temporary-store.ts';
import { assertCases } from '../../../support/assert-cases.ts';
import { heapInUse } from '../../../support/heap-in-use.ts';
import { patience, slowness } from '../../../support/patience.ts';

const start = 1_800_000_000_000;
let now: number;
let directory: string;
let registry: SessionRegistry;
const onFault = vi.fn<(error: unknown) => void>();
const onRecovery = vi.fn<() => void>();

beforeEach(async () => {
  now = start;
  onFault.mockClear();
  onRecovery.mockClear();
  directory = temporaryDirectory();
  registry = createSessionRegistry({
    activity: await temporaryActivity(directory),
    clock: { now: () => now },
    onFault,
    onRecovery,
  });
  onTestFinished(registry.close);
});

const claimsOf = (sessionId: string, changes: Partial<SessionClaims> = {}): SessionClaims => ({
  username: 'olaf',
  issuedAt: start,
  expiresAt: start + 3_600_000,
  sessionId,
  generation: 'g1',
  ...changes,
});
const seenAt = (at: number, agent?: string) => ({ at, address: '192.0.2.1', agent });
const idsOf = (sessions: readonly SeenSession[]) => sessions.map(({ id }) => id);
const all = () => registry.page({ limit: 100 });

describe('a session', () => {
  test('is found at once, as it was seen', async () => {
    registry.note(claimsOf('s1'), { at: start + 5_900, address: '192.0.2.1', agent: 'curl/8' });
    const expected: SeenSession = {
      id: 's1',
      username: 'olaf',
      generation: 'g1',
      beganAt: start,
      lastSeenAt: start + 5_000,
      expiresAt: start + 3_600_000,
      address: '192.0.2.1',
      agent: 'curl/8',
    };
    expect(await registry.find('s1')).toEqual(expected);
    expect(await all()).toEqual([expected]);
    expect(await registry.find('s2')).toBeUndefined();
  });

  test('keeps its beginning with a refreshed token, and expires later', async () => {
    registry.note(claimsOf('s1'), seenAt(start, 'old'));
    await all();
    registry.note(
      claimsOf('s1', { issuedAt: start + 600_000, expiresAt: start + 4_200_000, generation: 'g2' }),
      {
        at: start + 600_000,
        address: '',
        agent: undefined,
      },
    );
    expect(await registry.find('s1')).toMatchObject({
      generation: 'g2',
      beganAt: start,
      lastSeenAt: start + 600_000,
      expiresAt: start + 4_200_000,
      address: null,
      agent: null,
    });
    // The former token is still valid, and may be used.
    registry.note(claimsOf('s1'), seenAt(start + 601_000));
    expect(await registry.find('s1')).toMatchObject({ beganAt: start, expiresAt: start + 4_200_000 });
  });

  test('is removed when it has ended or expired', async () => {
    for (const id of ['s1', 's2', 's3']) registry.note(claimsOf(id), seenAt(start));
    await all();
    registry.forget('s1');
    expect(idsOf(await all())).toEqual(['s3', 's2']);
    registry.note(claimsOf('s2'), seenAt(start + 1_000));
    registry.forget('s2');
    expect(idsOf(await all())).toEqual(['s3']);
    now = start + 3_600_000;
    expect(await all()).toEqual([]);
    expect(await registry.find('s3')).toBeUndefined();
  });

  test('keeps one bounded line of its agent', async () => {
    registry.note(claimsOf('s1'), seenAt(start, `a\tb\u0080c${'x'.repeat(9_000)}`));
    registry.note(claimsOf('s2'), seenAt(start, ' \t'));
    const long = (await registry.find('s1'))?.agent ?? '';
    expect(long).toHaveLength(256);
    expect(long.slice(0, 7)).toBe('a b cxx');
    expect((await registry.find('s2'))?.agent).toBeNull();
  });
});

test('a page of a user has only sessions of the current generation', async () => {
  registry.note(claimsOf('now'), seenAt(start));
  registry.note(claimsOf('former', { generation: 'g0' }), seenAt(start));
  registry.note(claimsOf('foreign', { generation: undefined, issuedAt: start - 10_000 }), seenAt(start));
  registry.note(
    claimsOf('foreign and old', { generation: undefined, issuedAt: start - 11_000 }),
    seenAt(start),
  );
  registry.note(claimsOf('of anna', { username: 'anna' }), seenAt(start));
  const owner = { username: 'olaf', generation: 'g1', notBefore: start - 10_000 };
  expect(idsOf(await registry.page({ owner, limit: 100 })).toSorted()).toEqual(['foreign', 'now']);
});

test('the pages together are the list, last seen first, for any page size', async () => {
  const seen = fc.record({
    user: fc.constantFrom('anna', 'olaf'),
    at: fc.nat(5).map((seconds) => seconds * 1000),
    id: fc.string({ maxLength: 3 }),
  });
  await assertCases(
    fc
      .asyncProperty(
        fc.uniqueArray(seen, { selector: ({ id }) => id, maxLength: 30 }),
        fc.integer({ min: 1, max: 7 }),
        fc.option(fc.constantFrom('anna', 'olaf'), { nil: undefined }),
        async (sessions, limit, username) => {
          for (const { user, at, id } of sessions)
            registry.note(claimsOf(id, { username: user }), seenAt(start + at));
          const owner = username && { username, generation: 'g1', notBefore: 0 };
          const found: SeenSession[] = [];
          for (;;) {
            const page = await registry.page({ owner: owner || undefined, before: found.at(-1), limit });
            found.push(...page);
            if (page.length < limit) break;
          }
          const expected = sessions
            .filter(({ user }) => username === undefined || user === username)
            .toSorted((a, b) => b.at - a.at || Buffer.compare(Buffer.from(b.id), Buffer.from(a.id)));
          expect(idsOf(found)).toEqual(expected.map(({ id }) => id));
        },
      )
      .afterEach(async () => {
        for (const { id } of await registry.page({ limit: 100 })) registry.forget(id);
        await all();
      }),
    { numRuns: 40 },
  );
});

test('prunes sessions that expired, are of another generation, or have no user', async () => {
  registry.note(claimsOf('expired', { expiresAt: start - 1_000 }), seenAt(start));
  registry.note(claimsOf('good'), seenAt(start));
  registry.note(claimsOf('former', { generation: 'g0' }), seenAt(start));
  registry.note(claimsOf('foreign', { generation: undefined, issuedAt: start }), seenAt(start));
  registry.note(claimsOf('foreign, old', { generation: undefined, issuedAt: start - 9_000 }), seenAt(start));
  registry.note(claimsOf('unowned', { username: 'gone' }), seenAt(start));
  registry.note(claimsOf('of zoe', { username: 'zoe' }), seenAt(start));
  for (let i = 0; i < 2_500; i += 1)
    registry.note(claimsOf(`former${i}`, { generation: 'g0' }), seenAt(start));
  await all();
  await registry.prune(async (username) =>
    username === 'gone' ? undefined : { username, generation: 'g1', notBefore: start - 5_000 },
  );
  now = start - 10_000;
  expect(idsOf(await registry.page({ limit: 500 })).toSorted()).toEqual(['foreign', 'good', 'of zoe']);
});

describe.skipIf(isOnPostgres())('when the database cannot be written', () => {
  const lock = () => {
    const other = new DatabaseSync(activityPath(directory));
    other.exec('BEGIN EXCLUSIVE');
    return other;
  };

  test('reads what was written, notes without waiting, and writes later', async () => {
    registry.note(claimsOf('s1'), seenAt(start));
    await all();
    const other = lock();
    registry.note(claimsOf('s2'), seenAt(start + 1_000));
    expect(idsOf(await all())).toEqual(['s1']);
    expect(onFault).toHaveBeenCalledTimes(1);
    // From now on a reader does not wait for the lock either: 200 would wait for 20 seconds.
    const before = performance.now();
    for (let i = 0; i < 200; i += 1) {
      registry.note(claimsOf('s2'), seenAt(start + 2_000));
      expect(idsOf(await all())).toEqual(['s1']);
    }
    expect(performance.now() - before).toBeLessThan(10_000 * slowness);
    expect(onFault).toHaveBeenCalledTimes(1);
    other.exec('ROLLBACK');
    other.close();
    await vi.waitFor(() => expect(onRecovery).toHaveBeenCalledTimes(1), patience);
    expect(idsOf(await all())).toEqual(['s2', 's1']);
  });

  test('bounds the pending sessions', async () => {
    const other = lock();
    const before = heapInUse();
    for (let i = 0; i < 300_000; i += 1) registry.note(claimsOf(`s${i}`), seenAt(start, 'x'.repeat(256)));
    expect(heapInUse() - before).toBeLessThan(50_000_000);
    other.exec('ROLLBACK');
    other.close();
    await all();
    let count = 0;
    for (let last: SeenSession | undefined; ;) {
      const page = await registry.page({ before: last, limit: 2_000 });
      count += page.length;
      last = page.at(-1);
      if (page.length < 2_000) break;
    }
    expect(count).toBe(20_000);
  });

  test('reports a database that cannot be read', async () => {
    registry.note(claimsOf('s1'), seenAt(start));
    await all();
    const other = new DatabaseSync(activityPath(directory));
    other.exec('DROP TABLE seen_sessions');
    other.close();
    await expect(all()).rejects.toMatchObject({ code: 'sessions_unavailable' });
    await expect(registry.find('s1')).rejects.toMatchObject({ code: 'sessions_unavailable' });
    registry.note(claimsOf('s2'), seenAt(start));
  });
});
