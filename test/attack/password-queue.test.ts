import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { createPasswordHasher } from '../../src/identity/users/password-hash.ts';
import { createUsers } from '../../src/identity/users/users.ts';
import { unconditional } from '../../src/store/permit.ts';
import { openStore, storePath } from '../../src/store/sqlite/open-store.ts';
import { adminOf, goodPassword, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

let gateway: RunningGateway;
let admin: Visitor;
const address = () => gateway.addresses.authenticated ?? '';
/** Awaited before each password is hashed. */
let turn: () => Promise<void>;
beforeEach(async () => {
  turn = () => Promise.resolve();
  gateway = await startGateway({ onHash: () => turn() });
  admin = await adminOf(gateway);
});
afterEach(() => gateway.close());

/** Sends a request that is permitted and then waits for its nth hash, until its end is asked for. */
async function queued(by: Visitor, method: string, uri: string, body: object, nth = 1) {
  const [reached, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let hashes = 0;
  turn = () => {
    hashes += 1;
    if (hashes < nth) return Promise.resolve();
    reached.resolve();
    return free.promise;
  };
  const answer = by.send(method, uri, body);
  await Promise.race([reached.promise, answer]);
  expect(hashes).toBe(nth);
  return {
    end: () => {
      free.resolve();
      return answer;
    },
  };
}

test('an admin whose sessions are ended meanwhile creates no other admin', async () => {
  const thief = await userOf(admin, address(), 'thief', 'admin');
  const ghost = { username: 'ghost', password: goodPassword, role: 'admin' };
  const { end } = await queued(thief, 'POST', '/api/users', ghost);
  expect((await admin.send('DELETE', '/postern/api/sessions?user=thief')).status).toBe(204);
  expect((await end()).status).toBe(401);
  expect((await admin.send('GET', '/api/users')).body).not.toContain('ghost');
});

test.each([
  ['the former password is compared', 1],
  ['the next one is hashed', 2],
])('a password that is reset while %s stays, and no cookie is sent', async (_, nth) => {
  const thief = await userOf(admin, address(), 'vera', 'viewer');
  const passwordHash = await createPasswordHasher().hash('the reset of an admin');
  const store = await openStore(storePath(gateway.directory), 5_000);
  try {
    const own = { password: 'the password of a thief', old_password: goodPassword };
    const { end } = await queued(thief, 'PUT', '/api/users/vera/password', own, nth);
    await createUsers(store, systemClock).setPassword('vera', passwordHash, unconditional);
    const { status, headers } = await end();
    expect([401, 403]).toContain(status);
    expect(headers.has('set-cookie')).toBe(false);
  } finally {
    await store.destroy();
  }
  expect((await visitor(address()).logIn('vera', 'the password of a thief')).status).toBe(401);
  expect((await visitor(address()).logIn('vera', 'the reset of an admin')).status).toBe(200);
});
