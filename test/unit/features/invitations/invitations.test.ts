import { beforeEach, describe, expect, test } from 'vitest';
import { createInvitations, type Invitations } from '../../../../src/features/invitations/invitations.ts';
import { createRevocations } from '../../../../src/accounts/sessions/revocations.ts';
import { createUsers, type Users } from '../../../../src/accounts/users/users.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';
import {
  isGiven,
  orphanedPersonalRoles,
  readPersonalRoles,
} from '../../../../src/accounts/users/personal-roles.ts';
import { temporaryVersionedStore } from '../../store/temporary-store.ts';

let now: number;
let users: Users;
let invitations: Invitations;
let store: Store;
beforeEach(async () => {
  now = 1_000_000_000;
  const clock = { now: () => now };
  ({ store } = await temporaryVersionedStore());
  users = createUsers(store, clock);
  invitations = createInvitations(store, clock);
  for (const username of ['boss', 'chief'])
    await users.add({ username, role: 'admin', passwordHash: 'h' }, unconditional);
});

const invite = async (lasts = 60_000) => {
  const wanted = {
    name: 'nell',
    role: 'viewer',
    madeBy: 'boss',
    expiresAt: now + lasts,
  };
  const { invitation, secret } = await invitations.add(wanted, unconditional);
  return { id: invitation.id, secret };
};
const anyRole = async () => undefined;
const accept = (link: Awaited<ReturnType<typeof invite>>, name = 'nell') =>
  invitations.accept(link, name, { passwordHash: 'h' }, anyRole);
const over = { code: 'invitation_over' };

test('is used once, and its account is there', async () => {
  const link = await invite();
  expect(await invitations.open(link.id, link.secret)).toMatchObject({ name: 'nell', role: 'viewer' });
  const results = await Promise.allSettled(['nell', 'nora', 'nina'].map((name) => accept(link, name)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expect(accept(link, 'late')).rejects.toMatchObject(over);
  expect(await users.count({ role: 'viewer' })).toBe(1);
});

test('ends with its role, which gives its users another', async () => {
  const wanted = { name: 'nell', role: 'garagist', madeBy: 'boss', expiresAt: now + 60_000 };
  const [{ invitation, secret }, other] = [await invitations.add(wanted, unconditional), await invite()];
  await users.reassignRole('garagist', 'front', () => undefined, unconditional);
  // As on another gate, or beside the command: the role seems to be there still.
  await expect(accept({ id: invitation.id, secret })).rejects.toMatchObject(over);
  expect(await users.count({ role: 'garagist' })).toBe(0);
  expect(await accept(other)).toMatchObject({ role: 'viewer' });
});

describe('who invited someone', () => {
  const inviterOf = async (username: string) => {
    const revocations = createRevocations(store, { now: () => now });
    return (await revocations.userOf({ username, sessionId: 's1' }))?.user.invitedBy;
  };

  test('is known as long as they are an admin who can sign in, by their current name', async () => {
    await accept(await invite());
    expect(await inviterOf('nell')).toBe('boss');
    expect(await inviterOf('boss')).toBeUndefined();
    await store.change(unconditional, (on) =>
      on.updateTable('users').set({ username: 'anna' }).where('username', '=', 'boss').execute(),
    );
    expect(await inviterOf('nell')).toBe('anna');
    await users.block('anna', unconditional);
    expect(await inviterOf('nell')).toBeUndefined();
    await users.unblock('anna', unconditional);
    expect(await inviterOf('nell')).toBe('anna');
    await users.setRole('anna', 'viewer', unconditional);
    expect(await inviterOf('nell')).toBeUndefined();
  });

  test('is no one who has got the name since', async () => {
    await accept(await invite());
    await users.remove('boss', unconditional);
    await users.add({ username: 'boss', role: 'admin', passwordHash: 'h' }, unconditional);
    expect(await inviterOf('nell')).toBeUndefined();
  });

  test('is unknown where no invitation made the account', async () => {
    await users.add({ username: 'olaf', role: 'viewer', passwordHash: 'h' }, unconditional);
    expect(await inviterOf('olaf')).toBeUndefined();
  });
});

test.each<[what: string, change: () => unknown]>([
  ['its time is over', () => (now += 60_000)],
  ['its maker has another role', () => users.setRole('boss', 'viewer', unconditional)],
  ['its maker is blocked', () => users.block('boss', unconditional)],
  ['its maker is removed', () => users.remove('boss', unconditional)],
  [
    'its maker is no admin, whatever has changed that',
    () =>
      store.change(unconditional, (on, { grant }) =>
        on
          .updateTable('users')
          .set({ role: grant('viewer') })
          .where('username', '=', 'boss')
          .execute(),
      ),
  ],
  [
    'its maker is an admin again',
    async () => {
      for (const role of ['viewer', 'admin']) await users.setRole('boss', role, unconditional);
    },
  ],
  [
    'its maker was made again',
    async () => {
      await users.remove('boss', unconditional);
      await users.add({ username: 'boss', role: 'admin', passwordHash: 'h' }, unconditional);
    },
  ],
  ['its maker has a new password', () => users.setPassword('boss', 'i', unconditional)],
])('is over when %s, and is pruned', async (_, change) => {
  const link = await invite();
  await change();
  await expect(accept(link)).rejects.toMatchObject(over);
  await expect(invitations.open(link.id, link.secret)).rejects.toMatchObject(over);
  expect(await invitations.prune()).toMatchObject([{ role: 'viewer', makesRole: false }]);
  expect(await invitations.prune()).toEqual([]);
});

test.each<[what: string, refuse: (link: Awaited<ReturnType<typeof invite>>) => Promise<unknown>]>([
  ['another secret', ({ id }) => accept({ id, secret: 'x' })],
  ['another id', ({ secret }) => accept({ id: 'AAAAAAAAAAAAAAAA', secret })],
  ['a name that is taken', (link) => accept(link, 'CHIEF')],
  [
    'a role that is gone',
    (link) =>
      invitations.accept(link, 'nell', { passwordHash: 'h' }, () => {
        throw new Error('no such role');
      }),
  ],
])('stays after %s', async (_, refuse) => {
  const link = await invite();
  await expect(refuse(link)).rejects.toThrow();
  await accept(link);
});

test('is listed and found until its time is over', async () => {
  const { id } = await invite();
  const found = await invitations.find(id);
  expect([found?.id, await invitations.list()]).toEqual([id, [found]]);
  now += 60_000;
  expect([await invitations.find(id), await invitations.list()]).toEqual([undefined, []]);
});

test('may be revoked, and there are 100 at most', async () => {
  const link = await invite();
  expect(await invitations.revoke(link.id, unconditional)).toMatchObject({ id: link.id });
  expect(await invitations.revoke(link.id, unconditional)).toBeUndefined();
  await expect(accept(link)).rejects.toMatchObject(over);
  for (let i = 0; i < 100; i += 1) await invite();
  await expect(invite()).rejects.toMatchObject({ code: 'too_many_invitations' });
  expect(await invitations.list()).toHaveLength(100);
});

describe('a role that an invitation makes', () => {
  const role = 'guest_0123456789ab';
  const inviteTo = async () => {
    const wanted = { name: 'nell', role, madeBy: 'boss', expiresAt: now + 60_000 };
    const { invitation, secret } = await store.change(unconditional, (on, permission) =>
      invitations.addWithRole(wanted, on, permission),
    );
    return { id: invitation.id, secret };
  };
  const unknown = { code: 'role_unknown' };

  test('belongs to its invitation alone, and then to its person', async () => {
    const link = await inviteTo();
    expect(await readPersonalRoles(store)).toEqual(new Set([role]));
    const another = { name: 'rob', role, madeBy: 'boss', expiresAt: now + 60_000 };
    await expect(invitations.add(another, unconditional)).rejects.toMatchObject(unknown);
    await expect(inviteTo()).rejects.toThrow();
    await users.add({ username: 'olaf', role: 'viewer', passwordHash: 'h' }, unconditional);
    for (const moment of ['open', 'used']) {
      if (moment === 'used') await accept(link);
      await expect(users.setRole('olaf', role, unconditional)).rejects.toMatchObject(unknown);
      const rosa = { username: 'rosa', role, passwordHash: 'h' };
      await expect(users.add(rosa, unconditional)).rejects.toMatchObject(unknown);
      await expect(users.reassignRole('viewer', role, () => undefined, unconditional)).rejects.toMatchObject(
        unknown,
      );
    }
    await users.setRole('nell', role, unconditional);
    expect(await users.count({ role })).toBe(1);
  });

  test('can be given back, and is left over once its person is removed', async () => {
    await accept(await inviteTo());
    await users.setRole('nell', 'viewer', unconditional);
    expect(await orphanedPersonalRoles(store)).toEqual([role]);
    await users.setRole('nell', role, unconditional);
    expect(await orphanedPersonalRoles(store)).toEqual([]);
    await users.remove('nell', unconditional);
    expect([await isGiven(store, role), await orphanedPersonalRoles(store)]).toEqual([false, [role]]);
  });

  test('is forgotten once it is removed', async () => {
    const { id } = await inviteTo();
    expect(await isGiven(store, role)).toBe(true);
    expect(await invitations.revoke(id, unconditional)).toMatchObject({ role, makesRole: true });
    await users.reassignRole(role, 'viewer', () => undefined, unconditional);
    expect(await readPersonalRoles(store)).toEqual(new Set());
  });
});
