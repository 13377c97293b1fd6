import { beforeEach, expect, test } from 'vitest';
import {
  createPushSubscriptions,
  type PushSubscriptions,
} from '../../../../src/features/push/subscriptions.ts';
import { createRevocations } from '../../../../src/accounts/sessions/revocations.ts';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import { readPushKeys } from '../../../../src/features/push/send-push.ts';
import { createSealing } from '../../../../src/accounts/sealing.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';
import { temporaryStore } from '../../store/temporary-store.ts';

let store: Store;
let subscriptions: PushSubscriptions;
const clock = { now: () => Date.now() };
beforeEach(async () => {
  store = await temporaryStore();
  subscriptions = createPushSubscriptions(store, clock);
  for (const username of ['vera', 'anna'])
    await createUsers(store, clock).add({ username, role: 'viewer', passwordHash: 'x' }, unconditional);
});
const add = (endpoint: string, username = 'vera', sessionId = 's1') =>
  subscriptions.add(
    {
      username,
      sessionId,
      generation: 'g',
      endpoint,
      publicKey: 'p',
      auth: 'a',
      language: 'de',
    },
    unconditional,
  );

test('one is found again with all that it takes to send', async () => {
  const id = await add('https://push.example/1');
  expect(await subscriptions.find(id)).toEqual({
    id,
    username: 'vera',
    sessionId: 's1',
    generation: 'g',
    endpoint: 'https://push.example/1',
    publicKey: 'p',
    auth: 'a',
    language: 'de',
  });
  expect(await subscriptions.list()).toEqual([{ id, username: 'vera', sessionId: 's1' }]);
});

test('a browser belongs to the last user who switched it on', async () => {
  const id = await add('https://push.example/1');
  expect(await add('https://push.example/1', 'anna')).toBe(id);
  expect((await subscriptions.find(id))?.username).toBe('anna');
  expect(await subscriptions.of('vera')).toEqual([]);
  expect(await subscriptions.remove('vera', id, unconditional)).toBe(false);
  expect(await subscriptions.remove('anna', id, unconditional)).toBe(true);
});

test('it goes with the session, and with the user', async () => {
  await add('https://push.example/1');
  const other = await add('https://push.example/2', 'vera', 's2');
  await add('https://push.example/3', 'anna', 's3');
  const revocations = createRevocations(store, clock);
  await revocations.revoke('s1', Date.now() + 1_000, unconditional);
  expect((await subscriptions.of('vera')).map(({ id }) => id)).toEqual([other]);
  await createUsers(store, clock).remove('anna', unconditional);
  expect(await subscriptions.list()).toEqual([{ id: other, username: 'vera', sessionId: 's2' }]);
});

test('the keys of the gate stay, until they cannot be opened any longer', async () => {
  const sealing = createSealing('one secret of the gate', clock);
  const [keys, same] = await Promise.all([readPushKeys(store, sealing), readPushKeys(store, sealing)]);
  expect(same).toEqual(keys);
  expect(await readPushKeys(store, sealing)).toEqual(keys);
  const { private_key: sealed } = await store.selectFrom('push_keys').selectAll().executeTakeFirstOrThrow();
  expect(sealed).not.toContain(keys.privateKey);
  await add('https://push.example/1');
  const others = await readPushKeys(store, createSealing('another secret', clock));
  expect(others.publicKey).not.toBe(keys.publicKey);
  // They were made for the former key.
  expect(await subscriptions.list()).toEqual([]);
});
