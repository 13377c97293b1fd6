import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { createPasswordHasher } from '../../src/identity/users/password-hash.ts';
import { createUsers } from '../../src/identity/users/users.ts';
import { unconditional } from '../../src/store/permit.ts';
import { openStore, storePath } from '../../src/store/sqlite/open-store.ts';
import { adminOf, goodPassword, userOf, visitor, type Visitor } from '../support/log-in.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

let gateway: RunningGateway;
let admin: Visitor;
const address = () => gateway.addresses.authenticated ?? '';
beforeEach(async () => {
  gateway = await startGateway({
    config: { auth: { failed_login_rate_limit: null } },
    passwordIterations: 600_000,
  });
  admin = await adminOf(gateway);
});
afterEach(() => gateway.close());

/** Sends a request that is permitted and then stands behind logins in the queue of password hashes. */
async function queued(by: Visitor, method: string, uri: string, body: object) {
  const before = Array.from({ length: 4 }, () => visitor(address()).logIn('unknown', 'a guess'));
  // Each has its place once one of them was compared.
  await Promise.race(before);
  let settled: RawAnswer | undefined;
  const answer = by.send(method, uri, body).then((found) => (settled = found));
  const isPermitted = () =>
    gateway.log.some(({ msg, path, method: of }) => msg === 'allowed' && path === uri && of === method);
  await vi.waitFor(() => expect(isPermitted()).toBe(true), { timeout: 60_000, interval: 1 });
  return {
    end: async () => {
      expect(settled).toBeUndefined();
      const found = await answer;
      await Promise.all(before);
      return found;
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

test('a password that is reset meanwhile stays, and the user who changed it gets no cookie', async () => {
  const thief = await userOf(admin, address(), 'vera', 'viewer');
  const passwordHash = await createPasswordHasher().hash('the reset of an admin');
  const store = await openStore(storePath(gateway.directory), 5_000);
  try {
    const own = { password: 'the password of a thief', old_password: goodPassword };
    const { end } = await queued(thief, 'PUT', '/api/users/vera/password', own);
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
