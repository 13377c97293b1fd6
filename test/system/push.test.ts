import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adminOf, goodPassword, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { browserKeys, startPushService } from '../support/push-service.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startRecorder, type Recorder } from '../support/start-recorder.ts';
import { patience } from '../support/patience.ts';

const cameras = ['driveway', 'front_door', 'garage'];
const roles = { family: ['front_door', 'driveway'] };

let gateway: RunningGateway;
let recorder: Recorder;
let service: Awaited<ReturnType<typeof startPushService>>;
let admin: Visitor;
let count = 0;
const gone = new Set<string>();
const address = () => gateway.addresses.authenticated ?? '';
beforeAll(async () => {
  [recorder, service] = await Promise.all([
    startRecorder(cameras, roles),
    startPushService((path) => (gone.has(path) ? 410 : 201)),
  ]);
  gateway = await startGateway({
    config: {
      upstream: `http://${recorder.address}`,
      cameras,
      auth: {
        failed_login_rate_limit: null,
        roles: { ...roles, watcher: cameras },
        role_access: { watcher: { may: ['live'] } },
      },
      notifications: { push_services: [service.origin] },
    },
  });
  admin = await adminOf(gateway);
});
afterAll(async () => {
  await gateway?.close();
  await Promise.all([recorder?.close(), service?.close()]);
});
beforeEach(() => void (service.received.length = 0));

const path = '/postern/api/push';
type Keys = ReturnType<typeof browserKeys>;

/** A user whose browser gets pushes. */
async function subscribed(role: string, language = 'en') {
  count += 1;
  const name = `user${count}`;
  const user = await userOf(admin, address(), name, role);
  const browser: Keys = browserKeys();
  const endpoint = `${service.origin}/${name}`;
  const answer = await user.send('POST', path, { endpoint, keys: browser.keys }, [
    ['Accept-Language', language],
  ]);
  expect(answer.status, answer.body).toBe(201);
  const { id } = JSON.parse(answer.body) as { readonly id: string };
  return { name, user, browser, id, endpoint: `/${name}` };
}

/** Sends a review, again and again until someone else's browser has heard of it: a push that is missing then was not sent. */
let reviews = 0;
const now = () => Date.now() / 1_000;
function review(camera: string, changes: object = {}) {
  reviews += 1;
  const id = `${now().toFixed(3)}-r${reviews}`;
  const after = {
    id,
    camera,
    severity: 'alert',
    start_time: now(),
    data: { objects: ['person'], detections: [`${id}-event`] },
    ...changes,
  };
  recorder.tell('reviews', { type: 'new', before: after, after });
  return id;
}
const pushesTo = (endpoint: string, browser: Keys) =>
  service.received
    .filter((push) => push.path === endpoint)
    .map(({ body }) => JSON.parse(browser.decrypt(body)) as Readonly<Record<string, string>>);
/** A witness sees every camera, and is asked last. */
async function witnessed(witness: Awaited<ReturnType<typeof subscribed>>, camera: string) {
  let ids: string[] = [];
  await expect
    .poll(
      () => {
        ids.push(review(camera));
        return pushesTo(witness.endpoint, witness.browser).some(({ tag }) => ids.includes(tag ?? ''));
      },
      { timeout: patience, interval: 500 },
    )
    .toBe(true);
  return ids;
}

/** As time does. */
function expire(username: string) {
  const file = new DatabaseSync(join(gateway.directory, 'activity.db'), { timeout: 5_000 });
  const { changes } = file
    .prepare('UPDATE seen_sessions SET expires_at = unixepoch() - 1 WHERE username = ?')
    .run(username);
  file.close();
  expect(changes).toBeGreaterThan(0);
}

describe('a push', () => {
  test('reaches the browser of a user who may see the camera, encrypted and signed', async () => {
    const vera = await subscribed('family');
    await witnessed(vera, 'front_door');
    const [push] = service.received;
    expect(push?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '3600', urgency: 'high' });
    const [, token = '', key = ''] =
      /^vapid t=([^,]+), k=(.+)$/.exec(String(push?.headers['authorization'])) ?? [];
    const point = Buffer.from(key, 'base64url');
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    };
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: [jwk] }));
    expect(payload.aud).toBe(service.origin);
    const [shown] = pushesTo(vera.endpoint, vera.browser);
    expect(shown).toMatchObject({
      title: 'front door',
      body: 'Person',
      at: expect.any(Number),
      language: 'en',
    });
    expect(shown?.['page']).toMatch(/^events\/.*-event$/);
    expect(push?.body.includes('front')).toBe(false);
    const { key: ofGate } = JSON.parse((await vera.user.send('GET', path)).body) as { key: string };
    expect(ofGate).toBe(key);
  });

  test('is in the language of the browser', async () => {
    const hans = await subscribed('viewer', 'de');
    await witnessed(hans, 'garage');
    expect(pushesTo(hans.endpoint, hans.browser)[0]).toMatchObject({ body: 'Person', language: 'de' });
  });

  test.each<
    [what: string, role: string, lose: (user: Awaited<ReturnType<typeof subscribed>>) => Promise<unknown>]
  >([
    ['a camera that the role does not cover', 'family', async () => undefined],
    ['a camera whose recordings the role may not see', 'watcher', async () => undefined],
    [
      'a user whose role changed a moment ago',
      'viewer',
      ({ name }) => admin.send('PUT', `/api/users/${name}/role`, { role: 'family' }),
    ],
    [
      'a user who was blocked',
      'viewer',
      ({ name }) => admin.send('PUT', `/postern/api/users/${name}/blocked`, { blocked: true }),
    ],
    ['a user who was removed', 'viewer', ({ name }) => admin.send('DELETE', `/api/users/${name}`)],
    ['a user who signed out there', 'viewer', ({ user }) => user.send('POST', '/api/logout')],
    [
      'a user whose password was reset',
      'viewer',
      ({ name }) => admin.send('PUT', `/api/users/${name}/password`, { password: 'another good password' }),
    ],
    ['a user whose session has expired', 'viewer', async ({ name }) => expire(name)],
    ['a user who switched it off', 'viewer', ({ user, id }) => user.send('DELETE', `${path}/${id}`)],
  ])('does not tell of %s', async (_, role, lose) => {
    const [lost, witness] = [await subscribed(role), await subscribed('viewer')];
    await witnessed(witness, 'front_door');
    service.received.length = 0;
    await lose(lost);
    await witnessed(witness, 'garage');
    // Each review goes to all before the next one goes to anyone.
    await witnessed(witness, 'garage');
    // What was permitted before may still be on its way.
    const told = pushesTo(lost.endpoint, lost.browser).map(({ title }) => title);
    expect(told.filter((title) => title === 'garage')).toEqual([]);
  });

  test('is sent once for a review, and not for what is no alert or long over', async () => {
    const witness = await subscribed('viewer');
    await witnessed(witness, 'garage');
    const twice = review('garage');
    recorder.tell('reviews', {
      type: 'update',
      after: { id: twice, camera: 'garage', severity: 'alert', start_time: now(), data: {} },
    });
    const others = new Set([
      review('garage', { severity: 'detection' }),
      review('garage', { start_time: now() - 3_600 }),
    ]);
    await witnessed(witness, 'garage');
    const tags = pushesTo(witness.endpoint, witness.browser).map(({ tag }) => tag);
    expect(tags.filter((tag) => tag === twice)).toHaveLength(1);
    expect(tags.filter((tag) => others.has(tag ?? ''))).toEqual([]);
  });

  test('of a camera and a label with markup or line breaks is text', async () => {
    const witness = await subscribed('viewer');
    await witnessed(witness, 'garage');
    const id = review('garage', { data: { objects: ['<b>\r\nperson\u202e'], detections: ['../../logout'] } });
    await witnessed(witness, 'garage');
    const shown = pushesTo(witness.endpoint, witness.browser).find(({ tag }) => tag === id);
    expect(shown?.['body']).not.toMatch(/[\r\n\u202e]/);
    expect(shown?.['page']).toBe('explore');
  });
});

test('a subscription that the push service has no more is removed', async () => {
  const [lost, witness] = [await subscribed('viewer'), await subscribed('viewer')];
  gone.add(lost.endpoint);
  await witnessed(witness, 'garage');
  await expect
    .poll(async () => (JSON.parse((await lost.user.send('GET', path)).body) as { ids: string[] }).ids)
    .toEqual([]);
});

test('a subscription whose session has expired is offered to the next session of its user', async () => {
  const ida = await subscribed('viewer');
  const listed = async () => JSON.parse((await ida.user.send('GET', path)).body) as Record<string, unknown>;
  expect(await listed()).toMatchObject({ ids: [ida.id], over: [] });
  const again = visitor(address());
  await again.logIn(ida.name, goodPassword);
  const file = new DatabaseSync(join(gateway.directory, 'postern.db'), { timeout: 5_000 });
  file.prepare("UPDATE push_subscriptions SET session_id = 'expired' WHERE username = ?").run(ida.name);
  file.close();
  expect(await listed()).toMatchObject({ ids: [], over: [ida.id] });
  const endpoint = service.origin + ida.endpoint;
  expect((await again.send('POST', path, { endpoint, keys: ida.browser.keys })).status).toBe(201);
  expect(await listed()).toMatchObject({ ids: [ida.id], over: [] });
});

describe('a subscription', () => {
  const { keys } = browserKeys();
  test.each([
    'https://127.0.0.1/push',
    'https://192.168.1.1/push',
    'https://[::1]/push',
    'https://[fd00::1]/push',
    'https://[64:ff9b::7f00:1]/push',
    'https://router.local/push',
    'https://router/push',
    'https://169.254.169.254/latest/meta-data',
    'http://push.example.org/a',
  ])('to %s is refused', async (endpoint) => {
    const user = await userOf(admin, address(), `net${(count += 1)}`, 'viewer');
    const answer = await user.send('POST', path, { endpoint, keys });
    expect([answer.status, answer.body]).toEqual([422, expect.stringContaining('private network')]);
  });

  test.each<[what: string, body: object]>([
    ['of another scheme', { endpoint: 'file:///etc/passwd', keys }],
    ['with a password', { endpoint: 'https://a:b@push.example.org/', keys }],
    [
      'with a key that is no point',
      { endpoint: 'https://push.example.org/', keys: { ...keys, p256dh: `B${'A'.repeat(86)}` } },
    ],
    ['with a short secret', { endpoint: 'https://push.example.org/', keys: { ...keys, auth: 'AAAA' } }],
    ['with another field', { endpoint: 'https://push.example.org/', keys, user: 'admin' }],
  ])('%s is refused', async (_, body) => {
    const user = await userOf(admin, address(), `bad${(count += 1)}`, 'viewer');
    expect((await user.send('POST', path, body)).status).toBe(422);
  });

  test('of someone else is not there, and needs a session', async () => {
    const [vera, other] = [await subscribed('viewer'), await subscribed('viewer')];
    expect((await other.user.send('DELETE', `${path}/${vera.id}`)).status).toBe(404);
    expect((await visitor(address()).send('GET', path)).status).toBe(401);
    const made = await vera.user.send('POST', '/postern/api/tokens', {
      name: 'script',
      role: 'viewer',
      expires_in_days: 1,
    });
    const { token } = JSON.parse(made.body) as { token: string };
    const answer = await visitor(address()).send('GET', path, undefined, [
      ['Authorization', `Bearer ${token}`],
    ]);
    expect(answer.status).toBe(403);
    expect((await visitor(address()).logIn(vera.name, goodPassword)).status).toBe(200);
  });

  test('is limited to 20 for a user', async () => {
    const user = await userOf(admin, address(), 'many', 'viewer');
    const add = (i: number) =>
      user.send('POST', path, { endpoint: `${service.origin}/many${i}`, keys: browserKeys().keys });
    for (let i = 0; i < 20; i += 1) expect((await add(i)).status).toBe(201);
    expect((await add(20)).status).toBe(409);
  });
});

test('the service worker is public, and may do nothing but show notifications', async () => {
  const { status, headers, body } = await visitor(address()).send('GET', '/postern/push.js');
  expect([status, headers.get('content-security-policy')?.[0]]).toEqual([200, "default-src 'none'"]);
  expect(body).not.toMatch(/fetch|caches|importScripts/);
});
