import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { createApiTokens } from '../../src/features/api-tokens/api-tokens.ts';
import { createUsers } from '../../src/accounts/users/users.ts';
import { activityPath, openStore, storePath } from '../../src/store/sqlite/open-store.ts';
import { frontNames, startFronts, type Fronts } from '../support/fronts.ts';
import { adminOf, goodPassword, userOf, type Visitor, visitor } from '../support/log-in.ts';
import { sendRaw, type RawRequest } from '../support/raw-http.ts';
import { startGateway } from '../support/start-gateway.ts';
import { rolesAreVerified } from '../support/verified-roles.ts';
import { unconditional } from '../../src/store/permit.ts';

const cameras = ['back_yard', 'driveway', 'front_door', 'garage', 'side_yard'];
let nowSeconds = Date.now() / 1000;
let fronts: Fronts;
let admin: Visitor;
let vera: Visitor;
let anna: Visitor;
const address = () => fronts.gateway.addresses.authenticated ?? '';

beforeAll(async () => {
  fronts = await startFronts({
    config: {
      auth: { roles: { family: ['front_door', 'driveway'], porch: ['front_door'] } },
      cameras,
      networking: {
        listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' },
        forward_auth: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' },
      },
    },
    clock: { now: () => nowSeconds * 1000 },
  });
  admin = await adminOf(fronts.gateway);
  vera = await userOf(admin, address(), 'vera', 'viewer');
  anna = await userOf(admin, address(), 'anna', 'family');
});
afterAll(() => fronts.close());

interface Made {
  readonly id: string;
  readonly token: string;
}
let made = 0;

async function make(owner: Visitor, wanted: object): Promise<Made> {
  made += 1;
  const answer = await owner.send('POST', '/postern/api/tokens', { name: `t${made}`, ...wanted });
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.body}`);
  return JSON.parse(answer.body) as Made;
}
const bearer = (token: string) => ['Authorization', `Bearer ${token}`] as const;
const asked = (token: string, uri = '/api/events', method = 'GET'): RawRequest => ({
  method,
  uri,
  headers: [bearer(token)],
});
const entriesFor = async (owner: Visitor, query = '') =>
  JSON.parse((await owner.send('GET', `/postern/api/tokens${query}`)).body) as Array<Record<string, unknown>>;
const ownersOf = (entries: ReadonlyArray<Record<string, unknown>>) => [
  ...new Set(entries.map(({ username }) => username)),
];
const entryOf = async (id: string) => (await entriesFor(admin)).find((entry) => entry['id'] === id);

describe('POST /postern/api/tokens', () => {
  test('shows the token this once', async () => {
    const answer = await vera.send('POST', '/postern/api/tokens', {
      name: 'Home Assistant',
      role: 'viewer',
      cameras: ['garage', 'front_door'],
      expires_in_days: 90,
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toEqual(['no-store']);
    const { token, ...entry } = JSON.parse(answer.body) as Record<string, unknown>;
    expect(token).toMatch(/^postern_[\w-]{43}$/);
    expect(entry).toEqual({
      id: expect.any(String) as string,
      username: 'vera',
      name: 'Home Assistant',
      role: 'viewer',
      cameras: ['garage', 'front_door'],
      access: null,
      created_at: Math.floor(nowSeconds),
      expires_at: Math.floor(nowSeconds) + 90 * 86_400,
      last_used_at: null,
      last_used_from: null,
      state: 'good',
    });
    expect(await entriesFor(vera)).toContainEqual(entry);
    expect(JSON.stringify(await entriesFor(vera))).not.toContain('postern_');
  });

  test.each<[what: string, wanted: object, status: number, where?: string]>([
    ['a wider role', { role: 'admin' }, 422, 'role'],
    ['a role that there is not', { role: 'former' }, 422, 'role'],
    ['no role', {}, 422, 'role'],
    ['no camera', { role: 'viewer', cameras: [] }, 422, 'cameras'],
    ['a camera that there is not', { role: 'viewer', cameras: ['attic'] }, 422, 'cameras'],
    ['a camera that its role has not', { role: 'porch', cameras: ['garage'] }, 422, 'cameras'],
    ['cameras that are no list', { role: 'viewer', cameras: 'garage' }, 422, 'cameras'],
    ['a name with a line break', { name: 'a\nb', role: 'viewer' }, 422, 'name'],
    ['an empty name', { name: '', role: 'viewer' }, 422, 'name'],
    ['a name that is taken', { name: 'Home Assistant', role: 'viewer' }, 409],
    ['a time that has passed', { role: 'viewer', expires_at: 1_000 }, 422, 'expires_at'],
    ['a time in 1000 years', { role: 'viewer', expires_at: 33_000_000_000 }, 422, 'expires_at'],
    ['no day', { role: 'viewer', expires_in_days: 0 }, 422, 'expires_in_days'],
    ['half a day', { role: 'viewer', expires_in_days: 0.5 }, 422, 'expires_in_days'],
    ['too many days', { role: 'viewer', expires_in_days: 3_651 }, 422, 'expires_in_days'],
    ['two times', { role: 'viewer', expires_in_days: 1, expires_at: 33_000 }, 422, 'expires_in_days'],
  ])('%s: %j is %i', async (_, wanted, status, where) => {
    const before = await entriesFor(admin);
    const answer = await vera.send('POST', '/postern/api/tokens', { name: 'other', ...wanted });
    expect(answer.status).toBe(status);
    if (where !== undefined) expect(JSON.parse(answer.body)).toHaveProperty('detail.0.loc', ['body', where]);
    expect(await entriesFor(admin)).toEqual(before);
  });

  test('of a role that is too wide, or that there is not, is answered in the same words, and names no role', async () => {
    const user = await userOf(admin, address(), 'curious', 'family');
    const answers = [];
    for (const role of ['viewer', 'admin', 'former', 'garage'])
      answers.push((await user.send('POST', '/postern/api/tokens', { name: 'x', role })).body);
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).not.toMatch(/viewer|admin|former|garage|porch/);
  });

  test('belongs to no user on the internal entry point, where all are listed', async () => {
    const { internal = '' } = fronts.gateway.addresses;
    const listed = await sendRaw(internal, { uri: '/postern/api/tokens' });
    expect(listed.status).toBe(200);
    const body = JSON.stringify({ name: 'x', role: 'admin' });
    const headers = [['Content-Type', 'application/json']] as const;
    const answer = await sendRaw(internal, { method: 'POST', uri: '/postern/api/tokens', headers, body });
    expect(answer.status).toBe(403);
  });
});

describe('GET and DELETE /postern/api/tokens', () => {
  test('users see and revoke their own, an admin those of all users', async () => {
    const mine = await make(vera, { role: 'viewer' });
    const hers = await make(anna, { role: 'family' });
    expect(ownersOf(await entriesFor(vera))).toEqual(['vera']);
    expect((await vera.send('GET', '/postern/api/tokens?user=anna')).status).toBe(404);
    expect((await admin.send('GET', '/postern/api/tokens?user=no.such.user')).status).toBe(404);
    expect((await vera.send('GET', '/postern/api/tokens?user=vera')).status).toBe(200);
    expect(ownersOf(await entriesFor(admin, '?user=anna'))).toEqual(['anna']);
    const users = new Set((await entriesFor(admin)).map(({ username }) => username));
    expect(users).toEqual(new Set(['vera', 'anna']));

    const foreign = await vera.send('DELETE', `/postern/api/tokens/${hers.id}`);
    const missing = await vera.send('DELETE', '/postern/api/tokens/00000000-0000-0000-0000-000000000000');
    expect([foreign.status, foreign.body]).toEqual([missing.status, missing.body]);
    expect(foreign.status).toBe(404);
    expect((await sendRaw(address(), asked(hers.token), true)).status).toBe(200);

    expect((await vera.send('DELETE', `/postern/api/tokens/${mine.id}`)).status).toBe(204);
    expect((await admin.send('DELETE', `/postern/api/tokens/${hers.id}`)).status).toBe(204);
    expect((await admin.send('DELETE', `/postern/api/tokens/${hers.id}`)).status).toBe(404);
    for (const { token } of [mine, hers])
      expect((await sendRaw(address(), asked(token), true)).status).toBe(401);
  });
});

const statusOf = async (token: string, uri?: string, front: (typeof frontNames)[number] = 'embedded front') =>
  (await fronts.send(front, 'authenticated', asked(token, uri))).status;
const warm = async (token: string, ...at: [uri?: string, front?: (typeof frontNames)[number]]) => {
  for (let i = 0; i < 3; i += 1) expect(await statusOf(token, ...at)).toBe(200);
};

test.each(frontNames)('%s, warm: a revocation applies from the next request on', async (front) => {
  const { id, token } = await make(vera, { role: 'viewer' });
  await warm(token, undefined, front);
  await vera.send('DELETE', `/postern/api/tokens/${id}`);
  expect(await statusOf(token, undefined, front)).toBe(401);
});

describe('warm, from the next request on', () => {
  test('what happens to its owner applies', async () => {
    const name = `own-${made}`;
    const owner = await userOf(admin, address(), name, 'admin');
    const { token: asAdmin } = await make(owner, { role: 'admin' });
    const { token: asViewer } = await make(owner, { role: 'viewer' });
    const { token: asPorch } = await make(owner, { role: 'porch' });
    const all = async () =>
      Promise.all([asAdmin, asViewer, asPorch].map((token) => statusOf(token, '/api/front_door/latest.jpg')));
    expect(await all()).toEqual([200, 200, 200]);
    expect(await all()).toEqual([200, 200, 200]);
    const changed = async (role: string) => {
      expect((await admin.send('PUT', `/api/users/${name}/role`, { role })).status).toBe(200);
      return all();
    };
    expect(await changed('viewer')).toEqual([401, 200, 200]);
    expect(await changed('family')).toEqual([401, 401, 200]);
    expect(await changed('admin')).toEqual([200, 200, 200]);
    const password = async (body: object) => {
      const changed = await admin.send('PUT', `/api/users/${name}/password`, body);
      expect(changed.status).toBe(200);
      return (JSON.parse(changed.body) as { api_tokens_ended: number }).api_tokens_ended;
    };
    expect(await password({ password: `${goodPassword}2`, keep_api_tokens: true })).toBe(0);
    expect(await all()).toEqual([200, 200, 200]);
    expect(await password({ password: `${goodPassword}3` })).toBe(3);
    expect(await all()).toEqual([401, 401, 401]);
    const again = visitor(address());
    await again.logIn(name, `${goodPassword}3`);
    const { token: later } = await make(again, { role: 'viewer' });
    expect(await statusOf(later)).toBe(200);
    await admin.send('DELETE', `/api/users/${name}`);
    expect(await statusOf(later)).toBe(401);
    expect(await all()).toEqual([401, 401, 401]);
    await admin.send('POST', '/api/users', { username: name, password: goodPassword, role: 'admin' });
    expect(await all()).toEqual([401, 401, 401]);
  });

  test('a change of its role in the configuration applies', async () => {
    const { token } = await make(anna, { role: 'porch' });
    const { token: cameraScoped } = await make(vera, { role: 'family', cameras: ['driveway'] });
    await warm(token, '/api/front_door/latest.jpg');
    await warm(cameraScoped, '/api/driveway/latest.jpg');
    expect(await statusOf(cameraScoped, '/api/front_door/latest.jpg')).toBe(403);
    const define = (role: string, granted: string[]) =>
      admin.send('PUT', `/postern/api/roles/${role}`, { cameras: granted });
    // Wider than family, which is what anna is.
    await define('porch', ['front_door', 'garage']);
    expect(await statusOf(token, '/api/front_door/latest.jpg')).toBe(401);
    await define('porch', ['front_door']);
    expect(await statusOf(token, '/api/front_door/latest.jpg')).toBe(200);
    await define('family', ['front_door']);
    expect(await statusOf(cameraScoped, '/api/driveway/latest.jpg')).toBe(403);
    await define('family', ['front_door', 'driveway']);
    expect(await statusOf(cameraScoped, '/api/driveway/latest.jpg')).toBe(200);

    const file = join(fronts.gateway.directory, 'config.yml');
    const text = readFileSync(file, 'utf8');
    const document = parse(text) as { auth: { roles: Record<string, unknown> } };
    delete document.auth.roles['porch'];
    writeFileSync(file, stringify(document));
    await fronts.gateway.reloading.reload('test');
    expect(await statusOf(token, '/api/front_door/latest.jpg')).toBe(401);
    writeFileSync(file, text);
    await fronts.gateway.reloading.reload('test');
    expect(await statusOf(token, '/api/front_door/latest.jpg')).toBe(200);
    // The lists of a role that was away come back when the recorder has been asked.
    await rolesAreVerified(fronts.gateway);
  });
});

describe('a token', () => {
  test('neither begins, refreshes nor ends a session', async () => {
    const { token } = await make(vera, { role: 'viewer' });
    for (const uri of ['/auth', '/api/profile', '/api/events']) {
      const answer = await sendRaw(address(), asked(token, uri), true);
      expect(answer.status, uri).toBe(200);
      expect(answer.headers.has('set-cookie'), uri).toBe(false);
    }
    const cookie = ['Cookie', `session_token=${vera.token}`] as const;
    await sendRaw(address(), { method: 'POST', uri: '/api/logout', headers: [bearer(token), cookie] }, true);
    expect((await vera.send('GET', '/api/profile')).status).toBe(200);
    expect((await sendRaw(address(), asked(token), true)).status).toBe(200);
  });

  test('has its cameras in the profile', async () => {
    const { token } = await make(vera, { role: 'viewer', cameras: ['garage'] });
    const profile = await sendRaw(address(), asked(token, '/api/profile'), true);
    expect(JSON.parse(profile.body)).toEqual({
      username: 'vera',
      role: 'viewer',
      allowed_cameras: ['garage'],
      may: ['live', 'history', 'export', 'ptz', 'share', 'talk'],
    });
    expect(JSON.parse((await sendRaw(address(), asked(token, '/postern/api/cameras'), true)).body)).toEqual([
      'garage',
    ]);
  });

  test('that is refused is not redirected to a login', async () => {
    for (const front of frontNames) {
      const answer = await fronts.send(front, 'authenticated', {
        uri: '/',
        headers: [bearer(`postern_${'A'.repeat(43)}`), ['Accept', 'text/html']],
      });
      expect(answer.status, front).toBe(401);
      if (front !== 'nginx') expect(answer.headers.has('location'), front).toBe(false);
    }
  });

  test('lists when and from where it was last used', async () => {
    const { id, token } = await make(vera, { role: 'viewer' });
    expect(await entryOf(id)).toMatchObject({ last_used_at: null, last_used_from: null });
    await sendRaw(address(), asked(token), true);
    const first = Math.floor(nowSeconds);
    expect(await entryOf(id)).toMatchObject({ last_used_at: first, last_used_from: '127.0.0.1' });
    nowSeconds += 61;
    await sendRaw(address(), asked(token, '/api/restart', 'POST'), true);
    expect(await entryOf(id)).toMatchObject({ last_used_at: Math.floor(nowSeconds) });
  });

  test('still works when its last use can be neither written nor read', async () => {
    const { id, token } = await make(vera, { role: 'viewer' });
    const file = new DatabaseSync(activityPath(fronts.gateway.directory));
    file.exec('ALTER TABLE api_token_uses RENAME TO gone');
    expect((await sendRaw(address(), asked(token), true)).status).toBe(200);
    expect((await vera.send('GET', '/postern/api/tokens')).status).toBe(200);
    file.exec('ALTER TABLE gone RENAME TO api_token_uses');
    file.close();
    expect(await entryOf(id)).toBeDefined();
  });

  test('is explained by its id', async () => {
    const { id, token } = await make(vera, { role: 'viewer', cameras: ['garage'] });
    const answer = await sendRaw(address(), asked(token, '/api/front_door/latest.jpg'), true);
    const decision = answer.headers.get('x-postern-decision')?.[0];
    const kept = (await admin.send('POST', '/postern/api/explain', { decision })).body;
    expect(kept).toContain(`vera, by the API token ${id}`);
    expect(kept).toContain('camera_not_granted');
    const authorizationRequest = { method: 'GET', uri: '/api/garage/latest.jpg', headers: [bearer(token)] };
    const asIf = (await admin.send('POST', '/postern/api/explain', authorizationRequest)).body;
    expect(asIf).toContain('the API token is granted garage');
    for (const body of [kept, asIf]) expect(body).not.toContain('postern_');
  });
});

test('no token is in a log line or in a file', async () => {
  const { id, token } = await make(vera, { role: 'viewer', name: 'a secret' });
  await Promise.all(frontNames.map((front) => fronts.send(front, 'authenticated', asked(token))));
  const cut = token.slice(0, -1);
  await Promise.all(frontNames.map((front) => fronts.send(front, 'authenticated', asked(cut))));
  await vera.send('DELETE', `/postern/api/tokens/${id}`);
  const { log, directory } = fronts.gateway;
  const lines = log.filter((line) => line['id'] === id);
  expect(lines.map(({ msg, user, token, owner }) => ({ msg, user, token, owner }))).toEqual([
    { msg: 'API token created', user: 'vera', token: 'a secret', owner: 'vera' },
    { msg: 'API token revoked', user: 'vera', token: 'a secret', owner: 'vera' },
  ]);
  expect(log.some((line) => line['token_id'] === id && line['source'] === 'api-token')).toBe(true);
  expect(log.some((line) => line['reason'] === 'api_token_unknown')).toBe(true);
  const secret = token.slice('postern_'.length, -1);
  expect(JSON.stringify(log)).not.toContain(secret);
  const files = readdirSync(directory).filter((file) => /\.(?:db|db-wal|yml)$/.test(file));
  expect(files).toEqual(expect.arrayContaining(['activity.db', 'config.yml', 'postern.db']));
  for (const name of files) {
    expect(readFileSync(join(directory, name)).includes(secret), name).toBe(false);
  }
});

test('behind a proxy that logs users in, tokens are not looked at', async () => {
  const gateway = await startGateway({
    config: {
      auth: { enabled: false },
      proxy: { header_map: { user: 'Remote-User', role: 'Remote-Groups' } },
    },
  });
  try {
    const store = await openStore(storePath(gateway.directory), 5_000);
    await createUsers(store, { now: () => nowSeconds * 1000 }).add(
      { username: 'vera', role: 'viewer', passwordHash: 'h' },
      unconditional,
    );
    const { token } = await createApiTokens(store, {
      clock: { now: () => nowSeconds * 1000 },
      storeVersion: () => 0,
    }).add(
      { name: 'x', owner: 'vera', role: 'viewer', cameras: undefined, expiresAt: undefined },
      unconditional,
    );
    await store.destroy();
    const proxied = gateway.addresses.authenticated ?? '';
    const as = (...headers: ReadonlyArray<readonly [string, string]>) =>
      sendRaw(proxied, { uri: '/api/profile', headers }, true);
    expect((await as(bearer(token))).status).toBe(401);
    const named = [
      ['Remote-User', 'olaf'],
      ['Remote-Groups', 'viewer'],
    ] as const;
    expect((await as(bearer(token), ...named)).status).toBe(200);
    const send = (method: string, group: string, body?: string) =>
      sendRaw(
        proxied,
        {
          method,
          uri: '/postern/api/tokens',
          headers: [
            ['Remote-User', 'olaf'],
            ['Remote-Groups', group],
            ['Content-Type', 'application/json'],
          ],
          ...(body === undefined ? {} : { body }),
        },
        true,
      );
    expect((await send('GET', 'viewer')).status).toBe(404);
    expect((await send('GET', 'admin')).status).toBe(200);
    expect((await send('POST', 'admin', '{"name":"x","role":"viewer"}')).status).toBe(404);
  } finally {
    await gateway.close();
  }
});
