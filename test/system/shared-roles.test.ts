import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startFaultyLink, type FaultyLink } from '../support/faulty-link.ts';
import { printedPassword, visitor, type Visitor } from '../support/log-in.ts';
import { emptyDatabase } from '../support/postgres.ts';
import type { PostgresDatabase } from '../support/postgres-cluster.ts';
import { outputOf } from '../support/postern-command.ts';
import { postern } from '../support/postern-here.ts';
import { sendRaw } from '../support/raw-http.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { patience, slowness } from '../support/patience.ts';

let database: PostgresDatabase;
let link: FaultyLink;
/** The second asks PostgreSQL over the link. */
let one: RunningGateway;
let other: RunningGateway;
let admin: Visitor;
/** A user with the role `family`, once that exists. */
let token: string;

beforeAll(async () => {
  database = await emptyDatabase();
  link = await startFaultyLink(Number(new URL(database.urlAt()).port));
  const start = (url: string) =>
    startGateway({
      config: {
        store: { url },
        tls: { enabled: false },
        cameras: ['front', 'garage', 'yard'],
        auth: { roles: { staff: ['yard'] }, camera_groups: { declared: ['yard'] } },
      },
      environment: { SERVICE_JWT_SECRET: 's'.repeat(64) },
    });
  one = await start(database.url);
  other = await start(database.urlAt(link.port));
  admin = visitor(one.addresses.authenticated ?? '', false);
  await admin.logIn('admin', printedPassword(one));
  await define('family', 'front', 'garage');
  await admin.send('POST', '/api/users', { username: 'olaf', password, role: 'family' });
  const olaf = visitor(one.addresses.authenticated ?? '', false);
  await olaf.logIn('olaf', password);
  token = olaf.token ?? '';
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await link.close();
});

const password = 'correct-horse-battery';
const define = (name: string, ...cameras: string[]) =>
  admin.send('PUT', `/postern/api/roles/${name}`, { cameras });
const rolesOf = async (gate: RunningGateway, asking = visitor(gate.addresses.internal ?? '', false)) =>
  JSON.parse((await asking.send('GET', '/postern/api/roles')).body) as unknown;
/** The gate's answer to a front that asks for olaf. */
const ask = async (gate: RunningGateway, camera: string) => {
  const { status, headers } = await answerOf(gate, camera);
  return `${status} ${headers.get('x-postern-reason')?.[0] ?? ''}`.trim();
};
const answerOf = (gate: RunningGateway, camera: string) =>
  sendRaw(gate.addresses.forwardAuthAuthenticated ?? '', {
    method: 'GET',
    uri: '/auth',
    headers: [
      ['X-Original-Method', 'GET'],
      ['X-Original-URL', `http://gate/api/${camera}/latest.jpg`],
      ['Cookie', `session_token=${token}`],
    ],
  });

/** What the embedded events app answers a front that another gate has let pass to it. */
const listAt = async ({ addresses: { events } }: RunningGateway) =>
  (
    await sendRaw(events, {
      method: 'GET',
      uri: '/api/events?limit=1',
      headers: [
        ['Remote-User', 'olaf'],
        ['Remote-Role', 'family'],
      ],
    })
  ).status;

/** Asks until the answer is another. @returns that, and how long after the change the last one was asked for that was not */
async function changeOf(answer: () => Promise<string>, change: () => Promise<unknown>) {
  const former = await answer();
  await change();
  const changed = performance.now();
  for (let last = 0; ;) {
    const asked = performance.now();
    const now = await answer();
    if (now !== former) return { from: former, to: now, last };
    last = asked - changed;
    await setTimeout(10);
  }
}

test('a role that is made at one gate is a role at the others', async () => {
  await expect.poll(() => ask(other, 'front')).toBe('200');
  expect(await ask(other, 'yard')).toBe('403 camera_not_granted');
  for (const gate of [one, other])
    expect(await rolesOf(gate)).toMatchObject([
      { name: 'staff', cameras: ['yard'], declared: true },
      { name: 'family', cameras: ['front', 'garage'] },
    ]);
});

test('the command has it too', async () => {
  const added = await outputOf(one.directory, ['users', 'add', 'nell', '--role', 'family'], {
    input: password,
  });
  expect(added).toBe('added nell as family\n');
  await admin.send('DELETE', '/api/users/nell');
});

test('a refusal of one gate is explained by another, which reports that it does not remember it', async () => {
  const { headers } = await answerOf(one, 'yard');
  const id = headers.get('x-postern-decision')?.[0] ?? '';
  const explained = async () => {
    const asking = visitor(other.addresses.internal ?? '', false);
    const { body } = await asking.send('POST', '/postern/api/explain', { decision: id });
    return JSON.parse(body) as unknown;
  };
  await expect.poll(explained).toMatchObject({
    decision: id,
    recorded: true,
    reason: 'camera_not_granted',
    user: 'olaf',
    role: 'family',
    steps: expect.arrayContaining([{ step: 'uri', says: 'GET /api/yard/latest.jpg' }]) as unknown,
  });
});

test('a role that is narrowed at one gate is narrow there at once, and at the others within a second', async () => {
  const narrowed = await changeOf(
    () => ask(other, 'garage'),
    async () => {
      await define('family', 'front');
      expect(await ask(one, 'garage')).toBe('403 camera_not_granted');
    },
  );
  expect(narrowed).toMatchObject({ from: '200', to: '403 camera_not_granted' });
  expect(narrowed.last).toBeLessThan(1_000 * slowness);
  expect(await ask(other, 'front')).toBe('200');
});

test('a schedule set at one gate closes the role at the others too', async () => {
  const give = (access: unknown) =>
    admin.send('PUT', '/postern/api/roles/family', { cameras: ['front', 'garage'], access });
  await give({ until: '2001-01-01' });
  expect(await ask(one, 'front')).toBe('403 role_outside_schedule');
  await expect.poll(() => ask(other, 'front')).toBe('403 role_outside_schedule');
  expect(await rolesOf(other)).toContainEqual(
    expect.objectContaining({ name: 'family', access: { until: '2001-01-01' } }),
  );
  await give(null);
  await expect.poll(() => ask(other, 'front')).toBe('200');
});

test('the same without a notification', async () => {
  const narrowed = await changeOf(
    () => ask(other, 'front'),
    () =>
      database.query(`
        WITH raised AS (UPDATE store_version SET version = version + 1, roles = version + 1)
        UPDATE custom_roles SET cameras = '["garage"]' WHERE name = 'family'`),
  );
  expect(narrowed).toMatchObject({ from: '200', to: '403 camera_not_granted' });
  expect(narrowed.last).toBeLessThan(1_000 * slowness);
  expect(await ask(other, 'garage')).toBe('200');
});

describe('while the store cannot be asked', () => {
  test.each<[what: string, fail: () => void]>([
    ['connections are cut', () => link.cut()],
    ['nothing gets through', () => link.stall()],
  ])('refuses users with roles, and the internal entry point answers: %s', async (_, fail) => {
    onTestFinished(link.restore);
    const refused = await changeOf(
      () => ask(other, 'garage'),
      async () => fail(),
    );
    expect(refused).toMatchObject({ from: '200', to: '503 store_unavailable' });
    expect(refused.last).toBeLessThan(1_000 * slowness);
    // The roles may have been asked for later than the session.
    await expect.poll(() => listAt(other)).toBe(503);
    const internal = visitor(other.addresses.internal ?? '', false);
    expect((await internal.send('GET', '/postern/api/configuration')).status).toBe(200);
    const answer = await internal.send('GET', '/postern/api/roles');
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([503, { code: 'store_unavailable' }]);
    await define('family', 'front');
    link.restore();
    await expect.poll(() => ask(other, 'front')).toBe('200');
    expect(await listAt(other)).toBe(200);
    expect(await ask(other, 'garage')).toBe('403 camera_not_granted');
    await define('family', 'garage');
    await expect.poll(() => ask(other, 'garage')).toBe('200');
  });
});

test('a role that config.yml declares overrides one of the store, and is marked so', async () => {
  await database.query(`INSERT INTO custom_roles (name, cameras) VALUES ('staff', '["front"]')`);
  await database.query('UPDATE store_version SET version = version + 1, roles = version + 1');
  await expect
    .poll(() => rolesOf(other))
    .toContainEqual(expect.objectContaining({ name: 'staff', cameras: ['yard'], hides_stored: true }));
  expect(other.log).toContainEqual(expect.objectContaining({ level: 'warn', roles: ['staff'] }));
});

test('users of a deleted role get the named one, and no session', async () => {
  const unknown = await admin.send('DELETE', '/postern/api/roles/family?reassign_to=unknown');
  expect(unknown.status).toBe(422);
  const deleted = await admin.send('DELETE', '/postern/api/roles/family?reassign_to=staff');
  expect([deleted.status, JSON.parse(deleted.body)]).toEqual([200, { name: 'family', reassigned_users: 1 }]);
  expect(await ask(one, 'garage')).toBe('401');
  const users = await admin.send('GET', '/api/users');
  expect(JSON.parse(users.body)).toContainEqual({ username: 'olaf', role: 'staff' });
  await expect.poll(() => rolesOf(other)).toMatchObject([{ name: 'staff' }]);
});

describe('groups of cameras', () => {
  const at = (gate: RunningGateway) => visitor(gate.addresses.internal ?? '', false);
  const send = async (gate: RunningGateway, method: string, uri: string, body?: object) => {
    const answer = await at(gate).send(method, uri, body);
    return { status: answer.status, body: JSON.parse(answer.body || 'null') as unknown };
  };
  const groups = '/postern/api/camera-groups';
  const put = (name: string, cameras: readonly string[], query = '') =>
    send(one, 'PUT', `${groups}/${name}${query}`, { cameras });

  test('of one gate are those of the others, with the cameras of their roles', async () => {
    expect((await put('outside', ['front'])).status).toBe(200);
    const access = { groups: ['outside', 'declared'] };
    expect((await send(one, 'PUT', '/postern/api/roles/neighbour', { access })).status).toBe(200);
    const outside = { name: 'outside', cameras: ['front'], roles: ['neighbour'] };
    await expect
      .poll(() => send(other, 'GET', groups))
      .toMatchObject({ status: 200, body: [{ name: 'declared', roles: ['neighbour'] }, outside] });
    const change = { changes: [{ role: 'neighbour', users: 0, gains: ['garage'], loses: ['front'] }] };
    for (const query of ['?preview', ''])
      expect((await put('outside', ['garage', 'yard'], query)).body).toMatchObject(change);
    const seen = async () => (await send(other, 'GET', '/postern/api/roles/neighbour')).body;
    await expect.poll(seen).toMatchObject({ allowed_cameras: ['garage', 'yard'] });
  });

  test('are changed by the command for the gates that run', async () => {
    const run = (line: string) => postern(one.directory, line.split(' '), { input: '' });
    expect((await run('camera-groups set garden front')).output).toBe('defined the group garden: front\n');
    expect((await run('camera-groups set declared front')).errors).toContain('config.yml defines this group');
    expect((await run('roles set gardener --groups garden --may live')).status).toBe(0);
    const seen = async () => (await send(other, 'GET', '/postern/api/roles/gardener')).body;
    await expect
      .poll(seen)
      .toMatchObject({ access: { groups: ['garden'], may: ['live'] }, allowed_cameras: ['front'] });
  });
});

describe('access of one person', () => {
  const change = (at: Visitor, who: 'role' | 'person', cameras: readonly string[], query = '') =>
    at.send('PUT', `/postern/api/people/sam/access${query}`, { cameras, may: ['live'], for: who });
  const signIn = async (gate: RunningGateway, username: string, secret: string) => {
    const user = visitor(gate.addresses.authenticated ?? '', false);
    const { status } = await user.logIn(username, secret);
    expect(status).toBe(200);
    return user;
  };
  const seenBy = async (user: Visitor) =>
    (JSON.parse((await user.send('GET', '/api/profile')).body) as { allowed_cameras: string[] })
      .allowed_cameras;

  test('is a role in the store, also for someone whose role is declared, and counts at every gate', async () => {
    await admin.send('POST', '/api/users', { username: 'sam', password, role: 'staff' });
    const atOther = await signIn(other, 'admin', printedPassword(one));
    for (const query of ['', '?preview']) {
      const { status, body } = await change(admin, 'role', ['front'], query);
      expect([status, body]).toEqual([409, expect.stringContaining('role_declared')]);
    }
    const made = await change(admin, 'person', ['front']);
    expect(made.status, made.body).toBe(200);
    const { role } = JSON.parse(made.body) as { role: string };
    expect(role).toMatch(/^guest_[0-9a-f]{12}$/);
    for (const gate of [one, other])
      expect(await seenBy(await signIn(gate, 'sam', password))).toEqual(['front']);

    // It is theirs: the other gate changes it in place.
    const changed = await change(atOther, 'person', ['garage']);
    expect(JSON.parse(changed.body)).toMatchObject({ role, grant: { allowed_cameras: ['garage'] } });
    for (const gate of [other, one])
      expect(await seenBy(await signIn(gate, 'sam', password))).toEqual(['garage']);
    expect(JSON.stringify(await rolesOf(other))).not.toContain(role);
    const shown = (at: Visitor) => at.send('GET', '/postern/api/people/sam');
    expect(JSON.parse((await shown(admin)).body)).toMatchObject({ role, own_role: true });
    await admin.send('DELETE', '/api/users/sam');
    expect((await shown(atOther)).status).toBe(404);
  });
});

test('an invitation is not accepted with a role that another gate removes meanwhile', async () => {
  await define('gardeners', 'yard');
  await admin.send('POST', '/postern/api/step-up', { password: printedPassword(one) });
  const invited = await admin.send('POST', '/postern/api/invitations', { name: 'gwen', role: 'gardeners' });
  expect(invited.status, invited.body).toBe(201);
  const { url, id } = JSON.parse(invited.body) as { readonly url: string; readonly id: string };
  await expect
    .poll(() => rolesOf(other), { timeout: patience })
    .toContainEqual(expect.objectContaining({ name: 'gardeners' }));
  const client = new Client(database.url);
  await client.connect();
  onTestFinished(() => client.end());
  // As the removal does it, and not committed yet: the other gate still knows the role.
  await client.query('BEGIN');
  await client.query('UPDATE store_version SET version = version + 1, roles = version + 1');
  await client.query("DELETE FROM custom_roles WHERE name = 'gardeners'");
  const accepting = visitor(other.addresses.authenticated ?? '', false).send(
    'POST',
    `/postern/api/invitations/${id}/accept`,
    { secret: url.split('#')[1], username: 'gwen', password },
  );
  const waiting =
    "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
  await expect.poll(async () => (await client.query(waiting)).rowCount, { timeout: patience }).toBe(1);
  await client.query('COMMIT');
  expect((await accepting).status).toBe(404);
  expect((await admin.send('GET', '/postern/api/users?username=gwen')).body).not.toContain('gwen');
});
