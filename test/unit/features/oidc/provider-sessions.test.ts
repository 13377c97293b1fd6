import { beforeEach, describe, expect, test } from 'vitest';
import { createUsers, type Users } from '../../../../src/accounts/users/users.ts';
import { createSealing } from '../../../../src/accounts/sealing.ts';
import { createRevocations } from '../../../../src/accounts/sessions/revocations.ts';
import {
  type ClaimedSession,
  createProviderSessions,
  type ProviderSessions,
} from '../../../../src/features/oidc/provider-sessions.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';
import { temporaryStore } from '../../store/temporary-store.ts';

const issuer = 'https://id.example';
const hour = 3_600_000;
let now: number;
let store: Store;
let users: Users;
let sessions: ProviderSessions;
const clock = { now: () => now };
beforeEach(async () => {
  now = 1_800_000_000_000;
  store = await temporaryStore();
  users = createUsers(store, clock);
  const sealing = createSealing('a secret', clock);
  sessions = createProviderSessions({ store, sealing, clock, sessionLength: 24 * hour });
  for (const [username, subject] of [
    ['anna', '1'],
    ['vera', '2'],
  ] as const) {
    await users.add({ username, role: 'viewer', passwordHash: '' }, unconditional);
    await store.change(unconditional, (on) =>
      on
        .updateTable('users')
        .set({ issuer, subject, role_reason: 'group viewer' })
        .where('username', '=', username)
        .execute(),
    );
  }
});

const anna = { sessionId: 's1', username: 'anna', issuer, subject: '1' };
const vera = { sessionId: 'v1', username: 'vera', issuer, subject: '2' };
const grant = { refreshToken: 'r1', idToken: 'i1', sid: 'sid1' as string | undefined };
const viewer = { role: 'viewer', roleReason: 'group viewer' };

async function begin(session = anna, given: Partial<typeof grant> = {}, expiresAt = now + hour) {
  const write = await sessions.begin(session, { ...grant, ...given }, expiresAt);
  await store.change(unconditional, (on) => write(on, session.username));
}
async function claim(sessionId = 's1'): Promise<ClaimedSession> {
  const known = await sessions.find(sessionId);
  const claimed = known && (await sessions.claim(known));
  if (claimed === undefined) throw new Error('not claimed');
  return claimed;
}
const rows = () => store.selectFrom('provider_sessions').selectAll().orderBy('session_id').execute();
const isRevoked = (id: string) => createRevocations(store, clock).isRevoked(id);

describe('a session that begins at a provider', () => {
  test('keeps the grant sealed until it ends', async () => {
    await begin();
    expect(await rows()).toMatchObject([
      {
        session_id: 's1',
        username: 'anna',
        subject: '1',
        provider_sid: 'sid1',
        checked_at: now / 1000,
        refreshing_until: 0,
        fault: null,
        expires_at: (now + hour) / 1000,
      },
    ]);
    expect(await sessions.find('s1')).toEqual({
      ...anna,
      canBeAsked: true,
      checkedAt: now,
      fault: undefined,
      isClaimed: false,
    });
    expect(await sessions.idTokenOf('s1')).toBe('i1');
    expect((await claim()).refreshToken).toBe('r1');
    expect(await sessions.find('other')).toBeUndefined();
    expect(await sessions.idTokenOf('other')).toBeUndefined();
  });

  test('without a refresh token cannot be asked about', async () => {
    await begin(anna, { refreshToken: undefined as never, idToken: undefined as never, sid: undefined });
    const known = await sessions.find('s1');
    expect(known?.canBeAsked).toBe(false);
    expect(known && (await sessions.claim(known))).toBeUndefined();
    expect(await sessions.idTokenOf('s1')).toBeUndefined();
  });
});

describe('a claim', () => {
  test('succeeds once a minute, for an unchanged session', async () => {
    await begin();
    const known = await sessions.find('s1');
    if (known === undefined) throw new Error('no session');
    expect(await sessions.claim(known)).toMatchObject({ claimedUntil: now / 1000 + 60, isClaimed: true });
    now += 59_000;
    expect(await sessions.claim(known)).toBeUndefined();
    expect((await sessions.find('s1'))?.isClaimed).toBe(true);
    now += 1_000;
    expect((await sessions.find('s1'))?.isClaimed).toBe(false);
    const again = await sessions.claim(known);
    expect(again).toBeDefined();
    // The clock goes back: a claim of the future is none.
    now -= hour;
    expect((await sessions.find('s1'))?.isClaimed).toBe(false);
    expect(await sessions.claim(known)).toBeDefined();
    now += 2 * hour;
    await sessions.renew(await claim(), grant, viewer, now + hour);
    expect(await sessions.claim(known)).toBeUndefined();
  });
});

describe('a session that the provider has renewed', () => {
  test('has the new tokens and `sid`, and a longer life', async () => {
    await begin();
    const claimed = await claim();
    now += 5_000;
    const renewed = { refreshToken: 'r2', idToken: 'i2', sid: 'sid2' };
    expect(await sessions.renew(claimed, renewed, viewer, now + 2 * hour)).toBe('viewer');
    expect(await rows()).toMatchObject([
      {
        provider_sid: 'sid2',
        checked_at: now / 1000,
        refreshing_until: 0,
        fault: null,
        expires_at: (now + 2 * hour) / 1000,
      },
    ]);
    expect(await sessions.idTokenOf('s1')).toBe('i2');
    expect((await claim()).refreshToken).toBe('r2');
  });

  test('keeps what the provider did not replace', async () => {
    await begin(anna, {}, now + 3 * hour);
    const nothing = { refreshToken: undefined, idToken: undefined, sid: undefined };
    await sessions.renew(await claim(), nothing, viewer, now + hour);
    expect(await rows()).toMatchObject([{ provider_sid: 'sid1', expires_at: (now + 3 * hour) / 1000 }]);
    expect(await sessions.idTokenOf('s1')).toBe('i1');
    expect((await claim()).refreshToken).toBe('r1');
  });

  test('gives only that user the new role with its reason', async () => {
    await begin();
    expect(await sessions.renew(await claim(), grant, { role: 'admin', roleReason: 'group a' }, now)).toBe(
      'viewer',
    );
    expect(await users.find('anna')).toMatchObject({ role: 'admin' });
    expect(await users.find('vera')).toMatchObject({ role: 'viewer' });
    await sessions.renew(await claim(), grant, { role: 'admin', roleReason: 'group b' }, now);
    const { role_reason: reason } = await store
      .selectFrom('users')
      .select('role_reason')
      .where('username', '=', 'anna')
      .executeTakeFirstOrThrow();
    expect(reason).toBe('group b');
  });

  test('changes nothing if it has ended, was claimed by another process, or belongs to another user', async () => {
    await begin();
    const late = await claim();
    now += 61_000;
    const claimed = await claim();
    const admin = { role: 'admin', roleReason: 'group a' };
    expect(await sessions.renew(late, grant, admin, now)).toBeUndefined();
    await store.change(unconditional, (on) =>
      on.updateTable('users').set({ subject: '3' }).where('username', '=', 'anna').execute(),
    );
    expect(await sessions.renew(claimed, grant, admin, now)).toBeUndefined();
    expect(await users.find('anna')).toMatchObject({ role: 'viewer' });
    await begin(vera);
    const ended = await claim('v1');
    await sessions.end(vera);
    expect(await sessions.renew(ended, grant, admin, now)).toBeUndefined();
  });
});

describe('a fault', () => {
  test('is stored, together with a rotated refresh token', async () => {
    await begin();
    await sessions.noteFault(await claim(), 'nonsense', 'r2');
    expect(await sessions.find('s1')).toMatchObject({ fault: 'nonsense' });
    now += 61_000;
    const claimed = await claim();
    expect(claimed.refreshToken).toBe('r2');
    // The same fault again, and the token before is used up.
    await sessions.noteFault(claimed, 'nonsense', 'r3');
    now += 61_000;
    expect((await claim()).refreshToken).toBe('r3');
    expect(await sessions.idTokenOf('s1')).toBe('i1');
  });

  test('is not written twice, nor for a claim that was lost', async () => {
    await begin();
    const late = await claim();
    now += 61_000;
    const claimed = await claim();
    await sessions.noteFault(late, 'away');
    expect(await sessions.find('s1')).toMatchObject({ fault: undefined });
    await sessions.noteFault(claimed, 'away');
    now += 61_000;
    const again = await claim();
    await sessions.noteFault(again, 'away');
    expect(await sessions.find('s1')).toMatchObject({ fault: 'away' });
    await sessions.renew(again, grant, viewer, now);
    expect(await sessions.find('s1')).toMatchObject({ fault: undefined });
  });

  test('counts for its provider, for ten minutes', async () => {
    await begin();
    await begin(vera);
    expect(await sessions.countFaults(issuer)).toBe(0);
    await sessions.noteFault(await claim(), 'away');
    expect([await sessions.countFaults(issuer), await sessions.countFaults('https://other.example')]).toEqual(
      [1, 0],
    );
    now += 660_000 - 1_000;
    expect(await sessions.countFaults(issuer)).toBe(1);
    now += 1_000;
    expect(await sessions.countFaults(issuer)).toBe(0);
  });
});

describe('an end', () => {
  test('of one session removes it, and leaves the others', async () => {
    await begin();
    await begin({ ...anna, sessionId: 's2' });
    expect(await sessions.end(anna)).toBe(true);
    expect(await sessions.end(anna)).toBe(false);
    expect((await rows()).map((row) => row.session_id)).toEqual(['s2']);
    expect([await isRevoked('s1'), await isRevoked('s2')]).toEqual([true, false]);
    const { expires_at } = await store
      .selectFrom('revoked_sessions')
      .select('expires_at')
      .executeTakeFirstOrThrow();
    expect(expires_at).toBe((now + 24 * hour) / 1000);
  });

  test('by a block removes all sessions, and begins another generation', async () => {
    await begin();
    await begin({ ...anna, sessionId: 's2' });
    await begin(vera);
    const before = await users.find('anna');
    expect(await sessions.block(anna)).toBe(true);
    expect((await rows()).map((row) => row.session_id)).toEqual(['v1']);
    const after = await users.find('anna');
    expect(after?.blocked).toBe('provider');
    expect(after?.generation).not.toBe(before?.generation);
    expect((await users.find('vera'))?.blocked).toBeUndefined();
    expect(await sessions.block(anna)).toBe(false);
  });

  test('by a block affects only that user, and keeps the block of an admin', async () => {
    for (const other of [
      { ...anna, subject: '3' },
      { ...anna, issuer: 'https://other.example' },
    ])
      expect(await sessions.block(other)).toBe(false);
    expect((await users.find('anna'))?.blocked).toBeUndefined();
    await users.block('anna', unconditional);
    expect(await sessions.block(anna)).toBe(false);
    expect((await users.find('anna'))?.blocked).toBe('admin');
  });
});

describe('a logout token', () => {
  let made = 0;
  const endBy = async (said: { sub?: string; sid?: string }, by = issuer) => {
    const token = {
      jti: `j${(made += 1)}`,
      sub: said.sub,
      sid: said.sid,
      expiresAt: now + hour,
    };
    return (await sessions.endBy(token, by))?.map(({ sessionId }) => sessionId).toSorted();
  };
  beforeEach(async () => {
    await begin();
    await begin({ ...anna, sessionId: 's2' }, { sid: 'sid2' });
    await begin({ ...anna, sessionId: 's3' }, { sid: undefined });
    await begin(vera, { sid: 'sid3' });
  });

  test.each<[said: { sub?: string; sid?: string }, ended: string[]]>([
    [{ sub: '1' }, ['s1', 's2', 's3']],
    [{ sid: 'sid1' }, ['s1']],
    // A session that the provider never named has only its user in common with the token.
    [{ sub: '1', sid: 'sid2' }, ['s2', 's3']],
    [{ sub: '2', sid: 'sid1' }, []],
    [{ sid: 'unknown' }, []],
    [{ sub: '3' }, []],
  ])('of %j ends %j', async (said, ended) => {
    expect(await endBy(said)).toEqual(ended);
    const all = ['s1', 's2', 's3', 'v1'];
    expect((await rows()).map((row) => row.session_id)).toEqual(all.filter((id) => !ended.includes(id)));
    for (const id of all) expect(await isRevoked(id), id).toBe(ended.includes(id));
  });

  test('of another provider ends nothing', async () => {
    expect(await endBy({ sub: '1' }, 'https://other.example')).toEqual([]);
  });

  test('is used once', async () => {
    const token = { jti: 'x'.repeat(5_000), sub: '1', sid: undefined, expiresAt: now + hour };
    expect(await sessions.wasUsed(token)).toBe(false);
    expect(await sessions.endBy(token, issuer)).toHaveLength(3);
    expect(await sessions.wasUsed(token)).toBe(true);
    expect(await sessions.endBy(token, issuer)).toBeUndefined();
    expect(await sessions.wasUsed({ jti: 'another' })).toBe(false);
  });
});
