import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { adminOf, goodPassword, userOf, type Visitor } from '../support/log-in.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

// A user, even one who sees next to nothing, must neither fill the disk with records that stay, nor push out
// those of others, nor void the caches of all users again and again.

let gateway: RunningGateway;
let address: string;
let admin: Visitor;
beforeEach(async () => {
  gateway = await startGateway({
    config: { cameras: ['front', 'garage'], auth: { roles: { guest: ['front'] } } },
  });
  address = gateway.addresses.authenticated ?? '';
  admin = await adminOf(gateway);
});
afterEach(() => gateway.close());

/** @returns how many records of the user stay by age, or among those of sessions */
function lastingRecords(user: string): number {
  const database = new DatabaseSync(join(gateway.directory, 'activity.db'), { readOnly: true });
  const count = database.prepare(
    "SELECT count(*) AS number FROM audit_records WHERE username = ? AND kind <> 'refusal'",
  );
  const found = count.get(user);
  database.close();
  return Number(found?.['number']);
}

test('passwords of others are refused without a record that stays', async () => {
  const guest = await userOf(admin, address, 'guest', 'guest');
  const before = lastingRecords('guest');
  for (let i = 0; i < 20; i += 1) {
    const answer = await guest.send('PUT', '/api/users/admin/password', { password: goodPassword });
    expect(answer.status).toBe(403);
  }
  expect(lastingRecords('guest')).toBe(before);
});

test.each<[name: string, deed: (guest: Visitor, i: number) => Promise<number>, most: number, done: number]>([
  [
    "one's own sessions",
    async (guest) => (await guest.send('DELETE', '/postern/api/sessions')).status,
    20,
    204,
  ],
  [
    "one's own API tokens",
    async (guest, i) => {
      const { status, body } = await guest.send('POST', '/postern/api/tokens', {
        name: `${i}`,
        role: 'guest',
      });
      const { id } = JSON.parse(body) as { id?: string };
      if (id !== undefined) await guest.send('DELETE', `/postern/api/tokens/${id}`);
      return status;
    },
    60,
    201,
  ],
])('%s can be changed by hand, not by a flood', async (_, deed, most, done) => {
  const guest = await userOf(admin, address, 'guest', 'guest');
  const statuses: number[] = [];
  for (let i = 0; i < most + 10; i += 1) statuses.push(await deed(guest, i));
  expect(statuses.slice(0, most)).toEqual(Array.from({ length: most }, () => done));
  expect(statuses.slice(most)).toEqual(Array.from({ length: 10 }, () => 429));
  const kept = lastingRecords('guest');
  await deed(guest, most + 10);
  expect(lastingRecords('guest')).toBe(kept);
  // No other user has less for it, and the sessions can still be ended: by the password, or by an admin.
  const other = await userOf(admin, address, 'other', 'guest');
  expect(await deed(other, 0)).toBe(done);
  const change = { password: `${goodPassword}2`, old_password: goodPassword };
  expect((await guest.send('PUT', '/api/users/guest/password', change)).status).toBe(200);
  expect((await admin.send('DELETE', '/postern/api/sessions?user=guest')).status).toBe(204);
});
