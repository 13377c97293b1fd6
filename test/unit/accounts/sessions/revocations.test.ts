import { describe, expect, test } from 'vitest';
import { clockAt } from '../../../support/clock-at.ts';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import { createRevocations } from '../../../../src/accounts/sessions/revocations.ts';
import { temporaryDirectory, temporaryStore } from '../../store/temporary-store.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';

test('revokes one session only, and may be repeated', async () => {
  const revocations = createRevocations(await temporaryStore(), clockAt(1_000_000));
  for (let i = 0; i < 2; i += 1) await revocations.revoke('s1', 2_000_000, unconditional);
  expect(await revocations.isRevoked('s1')).toBe(true);
  for (const other of ['s2', 'S1', 's1 ', '', '%']) expect(await revocations.isRevoked(other)).toBe(false);
});

test('among many, those that are revoked are found, and no others', async () => {
  const revocations = createRevocations(await temporaryStore(), clockAt(1_000_000));
  const ids = Array.from({ length: 2_500 }, (_, n) => `s${n}`);
  const revoked = ids.filter((_, n) => n % 833 === 0);
  for (const id of [...revoked, 'another']) await revocations.revoke(id, 2_000_000, unconditional);
  expect(await revocations.revokedAmong(ids)).toEqual(new Set(revoked));
  expect(await revocations.revokedAmong([])).toEqual(new Set());
});

test('another connection sees a revocation at once', async () => {
  const directory = temporaryDirectory();
  const [one, other] = [await temporaryStore(directory), await temporaryStore(directory)];
  await createRevocations(one, clockAt(1_000_000)).revoke('s1', 2_000_000, unconditional);
  expect(await createRevocations(other, clockAt(1_000_000)).isRevoked('s1')).toBe(true);
});

const day = 86_400_000;

test.each<[expiresAt: number, now: number, kept: boolean]>([
  [2_000_000, 1_999_000, true],
  [2_000_000, 2_000_000 + day, true],
  [2_000_000, 2_001_000 + day, false],
  [1_999_200, 1_999_900 + day, true],
])('one that expires at %d is kept at %d: %j', async (expiresAt, now, kept) => {
  const revocations = createRevocations(await temporaryStore(), clockAt(now));
  await revocations.revoke('s1', expiresAt, unconditional);
  await revocations.prune();
  expect(await revocations.isRevoked('s1')).toBe(kept);
});

describe('a clock that jumps forward, so that a revocation is deleted,', () => {
  async function forgotten() {
    const store = await temporaryStore();
    let at = 1_000_000_000;
    let wentBack = 0;
    const revocations = createRevocations(store, { now: () => at }, () => (wentBack += 1));
    const users = createUsers(store, { now: () => at });
    for (const username of ['olaf', 'vera'])
      await users.add({ username, role: 'viewer', passwordHash: 'h' }, unconditional);
    await revocations.revoke('s1', at + day, unconditional);
    const generations = async () => [
      (await users.find('olaf'))?.generation,
      (await users.find('vera'))?.generation,
    ];
    const before = await generations();
    at += 3 * 365 * day;
    await revocations.prune();
    expect(await revocations.isRevoked('s1')).toBe(false);
    return {
      store,
      revocations,
      before,
      generations,
      wentBack: () => wentBack,
      moveTo: (time: number) => (at = time),
    };
  }

  test('and back again, ends every session once, with a new generation for each', async () => {
    const { revocations, before, generations, wentBack, moveTo } = await forgotten();
    moveTo(1_000_060_000);
    expect(await revocations.isRevoked('another')).toBe(true);
    const after = await generations();
    expect(new Set([...before, ...after]).size).toBe(4);
    expect(await revocations.isRevoked('another')).toBe(false);
    expect([await generations(), wentBack()]).toEqual([after, 1]);
  });

  test('and back again, is noticed after a restart too', async () => {
    const { store, before, generations } = await forgotten();
    expect(await createRevocations(store, clockAt(1_000_060_000)).isRevoked('s1')).toBe(true);
    expect(await generations()).not.toEqual(before);
  });

  test("ends nothing when it goes back to a time after the revoked session's expiry", async () => {
    const { revocations, before, generations, wentBack, moveTo } = await forgotten();
    moveTo(1_000_000_000 + 2 * day);
    expect(await revocations.isRevoked('another')).toBe(false);
    expect([await generations(), wentBack()]).toEqual([before, 0]);
  });
});

describe('the user of a session', () => {
  async function open() {
    const time = { now: 1_000_000_000 };
    const clock = { now: () => time.now };
    const store = await temporaryStore();
    const wentBack: number[] = [];
    const seen: number[] = [];
    const revocations = createRevocations(
      store,
      clock,
      () => wentBack.push(time.now),
      (version) => seen.push(version),
    );
    const users = createUsers(store, clock);
    await users.add({ username: 'olaf', role: 'viewer', passwordHash: 'h' }, unconditional);
    const ask = (sessionId = 's1', on?: Store) => revocations.userOf({ username: 'olaf', sessionId }, on);
    return { time, store, wentBack, seen, revocations, users, ask };
  }

  test('is returned as stored now, with the revocation', async () => {
    const { seen, revocations, users, ask, store } = await open();
    const olaf = await users.find('olaf');
    expect(await ask()).toEqual({
      user: {
        username: 'olaf',
        role: 'viewer',
        generation: olaf?.generation,
        notBefore: expect.any(Number) as number,
        issuer: undefined,
        hasSecondFactor: false,
      },
      isRevoked: false,
      isBlocked: false,
    });
    expect(seen).toHaveLength(1);
    await revocations.revoke('s1', 2_000_000_000, unconditional);
    expect([(await ask())?.isRevoked, (await ask('s2'))?.isRevoked]).toEqual([true, false]);
    await users.block('olaf', unconditional);
    expect(await ask('s2')).toMatchObject({ isRevoked: false, isBlocked: true });
    await store.change(unconditional, (on) =>
      on.updateTable('users').set({ issuer: 'https://id.example', subject: '1' }).execute(),
    );
    expect((await ask())?.user.issuer).toBe('https://id.example');
    await users.remove('olaf', unconditional);
    expect(await ask()).toBeUndefined();
  });

  test("ends with all others when a clock went back to before a deleted revocation's expiry", async () => {
    const { time, wentBack, revocations, users, ask } = await open();
    const before = await users.find('olaf');
    await revocations.revoke('s1', time.now + day, unconditional);
    time.now += 3 * day;
    await revocations.prune();
    expect(await ask('another')).toMatchObject({ isRevoked: false });
    time.now -= 3 * day;
    expect(await ask('another')).toMatchObject({ isRevoked: true });
    expect(wentBack).toEqual([time.now]);
    expect((await users.find('olaf'))?.generation).not.toBe(before?.generation);
    expect(await ask('another')).toMatchObject({ isRevoked: false });
  });
});

test('deleting an earlier expiry does not lower the remembered latest one', async () => {
  const time = { now: 1_000_000_000 };
  const store = await temporaryStore();
  const revocations = createRevocations(store, { now: () => time.now });
  const start = time.now;
  const forgotten = () => store.selectFrom('forgotten_revocations').select('latest_expiry').execute();
  await revocations.prune();
  expect(await forgotten()).toEqual([]);
  await revocations.revoke('long', start + 5 * day, unconditional);
  time.now += 7 * day;
  await revocations.prune();
  expect(await forgotten()).toEqual([{ latest_expiry: (start + 5 * day) / 1000 }]);
  // Written by another gate with a clock that is behind.
  await revocations.revoke('short', start + 3 * day, unconditional);
  await revocations.prune();
  expect(await forgotten()).toEqual([{ latest_expiry: (start + 5 * day) / 1000 }]);
});
