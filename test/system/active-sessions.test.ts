import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ListedSession } from '../../src/accounts/sessions/active-sessions.ts';
import { activityPath } from '../../src/store/sqlite/open-store.ts';
import { startFronts, type Fronts } from '../support/fronts.ts';
import { adminOf, cookieOf, goodPassword, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { postern } from '../support/postern-here.ts';
import { sendRaw, type RawAnswer } from '../support/raw-http.ts';
import { startGateway } from '../support/start-gateway.ts';

interface Listed extends ListedSession {
  readonly current: boolean;
}

const start = Math.floor(Date.now() / 1000);
let nowSeconds = start;
let fronts: Fronts;
let admin: Visitor;
beforeAll(async () => {
  fronts = await startFronts({
    config: {
      auth: {
        roles: { family: ['garage'] },
        session_length: 3_000,
        refresh_time: 600,
        failed_login_rate_limit: null,
      },
      cameras: ['garage'],
    },
    clock: { now: () => nowSeconds * 1000 },
  });
});
// The tests let time pass, and sessions end.
beforeEach(async () => {
  admin = await adminOf(fronts.gateway);
});
afterAll(() => fronts.close());

const embedded = () => fronts.gateway.addresses.authenticated ?? '';
const agentOf = (name: string): Array<readonly [string, string]> => [['User-Agent', name]];
const pageOf = (answer: RawAnswer) =>
  JSON.parse(answer.body) as { readonly sessions: readonly Listed[]; readonly next: string | null };
const listOf = async (by: Visitor, query = '') => {
  const answer = await by.send('GET', `/postern/api/sessions${query}`);
  expect(answer.status).toBe(200);
  return pageOf(answer).sessions;
};
const isGood = async (by: Visitor) => (await by.send('GET', '/api/profile')).status === 200;
let names = 0;
/** A user of its own for a test, with a session. */
async function newUser(role = 'viewer', address = embedded()): Promise<Visitor & { readonly name: string }> {
  names += 1;
  const name = `user${names}`;
  return Object.assign(await userOf(admin, address, name, role), { name });
}
async function again(user: { readonly name: string }, agent = 'again'): Promise<Visitor> {
  const other = visitor(embedded());
  await other.send('POST', '/api/login', { user: user.name, password: goodPassword }, agentOf(agent));
  return other;
}
const authorizationRequest = (
  token: string | undefined,
  uri = '/api/garage/latest.jpg',
  agent = 'Player/1',
) => ({
  uri: '/auth',
  headers: [
    ['X-Original-Method', 'GET'],
    ['X-Original-URL', uri],
    ['X-Forwarded-For', '198.51.100.7'],
    ['User-Agent', agent],
    ['Cookie', `session_token=${token}`],
  ] as const,
});
const ask = async (...of: Parameters<typeof authorizationRequest>) =>
  (await sendRaw(fronts.gateway.addresses.forwardAuthAuthenticated ?? '', authorizationRequest(...of)))
    .status;

describe('GET /postern/api/sessions', () => {
  test('has a session from its login on: who, since, last seen, where and by what', async () => {
    const user = await newUser();
    const other = visitor(embedded());
    await other.send('POST', '/api/login', { user: user.name, password: goodPassword }, agentOf('Phone/1'));
    const sessions = await listOf(user);
    expect(sessions).toHaveLength(2);
    expect(sessions.find(({ current }) => !current)).toEqual({
      id: expect.any(String),
      username: user.name,
      began_at: nowSeconds,
      last_seen_at: nowSeconds,
      expires_at: nowSeconds + 3_000,
      address: '127.0.0.1',
      agent: 'Phone/1',
      current: false,
    });
    const own = (await listOf(other)).find(({ current }) => current);
    expect(own?.id).toBe(sessions.find(({ current }) => !current)?.id);
  });

  test('of all users is for admins; a name filters', async () => {
    const [user, family] = [await newUser(), await newUser('family')];
    const names = (await listOf(admin, '?limit=500')).map(({ username }) => username);
    expect(names).toEqual(expect.arrayContaining(['admin', user.name, family.name]));
    expect((await listOf(admin, `?user=${user.name}`)).map(({ username }) => username)).toEqual([user.name]);
    expect((await listOf(admin)).filter(({ current }) => current)).toHaveLength(1);
    for (const one of [user, family]) {
      for (const query of ['', `?user=${one.name}`, '?limit=500'])
        expect((await listOf(one, query)).map(({ username }) => username)).toEqual([one.name]);
    }
    const internal = visitor(fronts.gateway.addresses.internal ?? '', false);
    expect((await listOf(internal, `?user=${user.name}`)).map(({ current }) => current)).toEqual([false]);
  });

  test('the name of another user is answered like an unknown one', async () => {
    const [user, family] = [await newUser(), await newUser('family')];
    const answers = await Promise.all(
      [user.name, 'admin', 'no.such.user', '', 'x'.repeat(5_000)].map((name) =>
        family.send('GET', `/postern/api/sessions?user=${name}`),
      ),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(404);
    expect((await admin.send('GET', '/postern/api/sessions?user=no.such.user')).status).toBe(404);
  });

  test('comes in pages', async () => {
    const user = await newUser();
    for (let i = 0; i < 4; i += 1) await again(user);
    const pages: string[][] = [];
    let next: string | null = '';
    while (next !== null) {
      const answer: RawAnswer = await user.send(
        'GET',
        `/postern/api/sessions?limit=2${next && `&before=${next}`}`,
      );
      const page = pageOf(answer);
      pages.push(page.sessions.map(({ id }) => id));
      ({ next } = page);
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(new Set(pages.flat()).size).toBe(5);
  });

  test.each([
    'limit=0',
    'limit=501',
    'limit=',
    'limit=1e2',
    'limit=-1',
    'before=x',
    'before=WzEsMl0',
    'before=bnVsbA',
  ])('%s: 422', async (query) => {
    const answer = await admin.send('GET', `/postern/api/sessions?${query}`);
    expect([query, answer.status]).toEqual([query, 422]);
    expect(JSON.parse(answer.body)).toHaveProperty('detail.0.loc.1', query.split('=', 1)[0]);
  });
});

describe('a session is seen', () => {
  const seen = async (of: { readonly name: string }) => (await listOf(admin, `?user=${of.name}`))[0];

  test('by what nginx asks, from memory too, at most once a minute', async () => {
    const user = await newUser('family');
    const { token } = user;
    for (let i = 0; i < 3; i += 1) expect(await ask(token)).toBe(200);
    nowSeconds += 59;
    expect(await ask(token)).toBe(200);
    expect((await seen(user))?.last_seen_at).toBe(nowSeconds - 59);
    nowSeconds += 1;
    // Warm: the very same authorization request again.
    expect(await ask(token)).toBe(200);
    expect(await seen(user)).toMatchObject({
      last_seen_at: nowSeconds,
      address: '198.51.100.7',
      agent: 'Player/1',
      began_at: nowSeconds - 60,
    });
    nowSeconds += 60;
    // Warm for the user, and another authorization request.
    expect(await ask(token, undefined, 'Player/2')).toBe(200);
    expect(await seen(user)).toMatchObject({ last_seen_at: nowSeconds, agent: 'Player/2' });
    nowSeconds += 60;
    // What it may not see.
    expect(await ask(token, '/api/users', 'Player/3')).toBe(403);
    expect(await seen(user)).toMatchObject({ last_seen_at: nowSeconds, agent: 'Player/3' });
  });

  test.each(['embedded front', 'nginx', 'forward-auth', 'ext-authz'] as const)('by %s', async (front) => {
    const user = await newUser();
    nowSeconds += 60;
    const headers = [
      ['Authorization', `Bearer ${user.token}`],
      ['User-Agent', `By ${front}`],
    ] as const;
    await fronts.send(front, 'authenticated', { uri: '/api/profile', headers });
    expect(await seen(user)).toMatchObject({ last_seen_at: nowSeconds, agent: `By ${front}` });
    nowSeconds += 60;
    await fronts.send(front, 'authenticated', { uri: '/api/events', headers });
    expect(await seen(user)).toMatchObject({ last_seen_at: nowSeconds });
  });

  test('and lives longer when it is refreshed', async () => {
    const user = await newUser();
    const before = await seen(user);
    nowSeconds += 2_500;
    const answer = await user.send('GET', '/api/profile');
    expect(cookieOf(answer)).toBeDefined();
    expect(await seen(user)).toEqual({ ...before, last_seen_at: nowSeconds, expires_at: nowSeconds + 3_000 });
    nowSeconds += 3_001;
    expect(await isGood(user)).toBe(false);
    admin = await adminOf(fronts.gateway);
    expect(await seen(user)).toBeUndefined();
  });

  test('is replaced by a new one at a password change', async () => {
    const user = await newUser();
    const other = await again(user);
    const before = (await listOf(user)).find(({ current }) => current);
    await user.send('PUT', `/api/users/${user.name}/password`, {
      password: `${goodPassword}2`,
      old_password: goodPassword,
    });
    const after = await listOf(user);
    expect(after.map(({ current }) => current)).toEqual([true]);
    expect(after[0]?.id).not.toBe(before?.id);
    expect(await isGood(other)).toBe(false);
  });

  test('when its token was made elsewhere with the secret, or was never written down', async () => {
    const user = await newUser();
    const file = new DatabaseSync(activityPath(fronts.gateway.directory));
    await listOf(user);
    file.exec('DELETE FROM seen_sessions');
    file.close();
    expect(await listOf(user)).toEqual([]);
    nowSeconds += 60;
    expect((await listOf(user)).map(({ current }) => current)).toEqual([true]);
    nowSeconds += 60;
    expect(await isGood(admin)).toBe(true);
  });
});

describe('DELETE /postern/api/sessions/:id', () => {
  test.each(['embedded front', 'nginx'] as const)(
    'by %s ends it from the next request on, on every path',
    async (front) => {
      const user = await newUser('family');
      const other = await again(user);
      for (let i = 0; i < 3; i += 1) expect(await ask(other.token)).toBe(200);
      const id = (await listOf(user)).find(({ current }) => !current)?.id;
      const answer = await fronts.send(front, 'authenticated', {
        method: 'DELETE',
        uri: `/postern/api/sessions/${id}`,
        headers: [['Cookie', `session_token=${user.token}`]],
      });
      expect([answer.status, answer.body, answer.reached]).toEqual([204, '', []]);
      expect(await ask(other.token)).toBe(401);
      expect(await isGood(other)).toBe(false);
      expect(await isGood(user)).toBe(true);
      expect((await listOf(user)).map(({ current }) => current)).toEqual([true]);
      expect(fronts.gateway.log.findLast(({ msg }) => msg === 'session ended')).toMatchObject({
        user: user.name,
        by: user.name,
        session: id,
        address: '127.0.0.1',
      });
    },
  );

  test('the current session is a logout', async () => {
    const user = await newUser();
    const id = (await listOf(user)).find(({ current }) => current)?.id;
    const { token } = user;
    const answer = await user.send('DELETE', `/postern/api/sessions/${id}`);
    expect([answer.status, cookieOf(answer)]).toEqual([204, '']);
    user.token = token;
    expect(await isGood(user)).toBe(false);
    expect((await admin.send('DELETE', `/postern/api/sessions/${id}`)).status).toBe(404);
  });

  test("another user's session is for admins; to others there is no such session", async () => {
    const [user, family] = [await newUser(), await newUser('family')];
    const id = (await listOf(user))[0]?.id ?? '';
    const answers = await Promise.all(
      [id, 'none', `${id}x`, '%00', 'x'.repeat(5_000)].map((of) =>
        family.send('DELETE', `/postern/api/sessions/${of}`),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 403, 404]);
    const [first, ...others] = answers.filter(({ status }) => status === 404).map(({ body }) => body);
    for (const body of others) expect(body).toBe(first);
    expect(await isGood(user)).toBe(true);
    expect((await admin.send('DELETE', `/postern/api/sessions/${id}`)).status).toBe(204);
    expect(await isGood(user)).toBe(false);
    expect(fronts.gateway.log.findLast(({ msg }) => msg === 'session ended')).toMatchObject({
      user: user.name,
      by: 'admin',
    });
  });
});

describe('DELETE /postern/api/sessions', () => {
  test('ends all sessions of a user except the current one, which gets a new token', async () => {
    const user = await newUser('family');
    const others = [await again(user), await again(user)];
    for (const { token } of others) expect(await ask(token)).toBe(200);
    const before = (await listOf(user)).find(({ current }) => current);
    const { token: stolen } = user;
    const answer = await user.send('DELETE', '/postern/api/sessions');
    expect([answer.status, cookieOf(answer)]).toEqual([204, expect.stringMatching(/^ey/)]);
    expect(await listOf(user)).toEqual([{ ...before, expires_at: nowSeconds + 3_000 }]);
    for (const { token } of [...others, { token: stolen }]) expect(await ask(token)).toBe(401);
    expect(await ask(user.token)).toBe(200);
  });

  test('ends all sessions of a user, for admins only', async () => {
    const [user, family] = [await newUser(), await newUser('family')];
    const other = await again(user);
    expect((await family.send('DELETE', `/postern/api/sessions?user=${user.name}`)).status).toBe(404);
    expect((await family.send('DELETE', '/postern/api/sessions?user=no.such.user')).status).toBe(404);
    expect([await isGood(user), await isGood(other), await isGood(family)]).toEqual([true, true, true]);
    expect((await admin.send('DELETE', `/postern/api/sessions?user=${user.name}`)).status).toBe(204);
    expect([await isGood(user), await isGood(other), await isGood(family)]).toEqual([false, false, true]);
    expect((await admin.send('DELETE', '/postern/api/sessions?user=no.such.user')).status).toBe(404);
    expect(await listOf(admin, `?user=${user.name}`)).toEqual([]);
  });

  test('on the internal entry point needs a name: there are no sessions there', async () => {
    const internal = visitor(fronts.gateway.addresses.internal ?? '', false);
    const user = await newUser();
    expect((await internal.send('DELETE', '/postern/api/sessions')).status).toBe(422);
    expect((await internal.send('DELETE', `/postern/api/sessions?user=${user.name}`)).status).toBe(204);
    expect(await isGood(user)).toBe(false);
  });
});

test('the command lists and ends them beside the running server', async () => {
  const user = await newUser('family');
  const other = await again(user, 'Elsewhere/1');
  await listOf(admin);
  const command = async (...args: string[]) => {
    const { status, output, errors } = await postern(fronts.gateway.directory, ['sessions', ...args]);
    return { status, output: `${output}${errors}` };
  };
  const listed = await command('list', '--user', user.name, '--json');
  const records = listed.output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Listed);
  const shown = await listOf(admin, `?user=${user.name}`);
  expect(records.map((record) => ({ ...record, current: false }))).toEqual(shown);
  expect((await command('list')).output).toContain('Elsewhere/1');
  const id = records.find(({ agent }) => agent === 'Elsewhere/1')?.id ?? '';
  expect(await ask(other.token)).toBe(200);
  expect(await command('end', id)).toEqual({ status: 0, output: `ended a session of ${user.name}\n` });
  expect(await ask(other.token)).toBe(401);
  expect(await ask(user.token)).toBe(200);
  expect(await command('end', '--user', user.name)).toEqual({
    status: 0,
    output: `ended every session of ${user.name}\n`,
  });
  expect(await ask(user.token)).toBe(401);
  expect((await command('end', id)).output).toContain('No such session');
  expect((await command('end')).status).toBe(1);
  expect((await command('end', id, '--user', user.name)).status).toBe(1);
  expect((await command('end', '--user', 'no.such.user')).output).toContain('No such user');
});

test('behind a proxy no user has the sessions of an account of the same name; admins see them', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'postern-sessions-'));
  const accounts = await startGateway({ directory });
  const owner = await adminOf(accounts);
  await userOf(owner, accounts.addresses.authenticated ?? '', 'olaf', 'viewer');
  await accounts.close();
  const proxy = await startGateway({
    directory,
    config: {
      auth: { enabled: false },
      proxy: { header_map: { user: 'Remote-User', role: 'Remote-Groups' }, default_role: 'viewer' },
    },
  });
  try {
    const as = (name: string, role: string) => (method: string, uri: string) =>
      sendRaw(
        proxy.addresses.authenticated ?? '',
        {
          method,
          uri,
          headers: [
            ['Remote-User', name],
            ['Remote-Groups', role],
            ['Cookie', `session_token=${owner.token}`],
          ],
        },
        true,
      );
    const [olaf, root] = [as('olaf', 'viewer'), as('root', 'admin')];
    expect(pageOf(await olaf('GET', '/postern/api/sessions'))).toEqual({ sessions: [], next: null });
    expect((await olaf('GET', '/postern/api/sessions?user=olaf')).status).toBe(404);
    expect((await olaf('DELETE', '/postern/api/sessions')).status).toBe(422);
    const { sessions } = pageOf(await root('GET', '/postern/api/sessions'));
    expect(sessions.map(({ username }) => username).toSorted()).toEqual(['admin', 'olaf']);
    expect(sessions.some(({ current }) => current)).toBe(false);
    for (const { id } of sessions)
      expect((await olaf('DELETE', `/postern/api/sessions/${id}`)).status).toBe(404);
    for (const { id } of sessions)
      expect((await root('DELETE', `/postern/api/sessions/${id}`)).status).toBe(204);
    expect(pageOf(await root('GET', '/postern/api/sessions')).sessions).toEqual([]);
  } finally {
    await proxy.close();
    rmSync(directory, { recursive: true, force: true });
  }
});

test('no token is in an answer or in the log', async () => {
  const user = await newUser();
  const { body } = await user.send('GET', '/postern/api/sessions');
  const text = `${body}${JSON.stringify(fronts.gateway.log)}`;
  for (const part of (user.token ?? '').split('.').slice(1)) expect(text).not.toContain(part);
});

describe('when the activity database takes nothing', () => {
  test('logins and decisions continue, and sessions can be ended', async () => {
    const user = await newUser('family');
    await listOf(user);
    const other = new DatabaseSync(activityPath(fronts.gateway.directory));
    other.exec('BEGIN EXCLUSIVE');
    const second = await again(user);
    expect(await isGood(second)).toBe(true);
    expect(await ask(second.token)).toBe(200);
    // Earlier writes are there, and the session that was lost ends with its user's.
    expect(await listOf(admin, `?user=${user.name}`)).toHaveLength(1);
    expect((await user.send('DELETE', '/postern/api/sessions')).status).toBe(204);
    expect(await ask(second.token)).toBe(401);
    other.exec('ROLLBACK');
    other.close();
    expect(
      fronts.gateway.log.filter(({ msg }) => msg === 'what sessions do cannot be written down'),
    ).toHaveLength(1);
  });
});
