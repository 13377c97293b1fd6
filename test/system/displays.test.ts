import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adminOf, goodPassword, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { codesFor, pair, screenAt, type Screen } from '../support/screen.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

let now = Date.now();
let gateway: RunningGateway;
let admin: Visitor;
let vera: Visitor;
let anna: Visitor;
const address = () => gateway.addresses.authenticated ?? '';
beforeAll(async () => {
  gateway = await startGateway({
    sample: true,
    config: {
      cameras: ['driveway', 'front_door', 'garage'],
      auth: {
        failed_login_rate_limit: '100/minute',
        roles: { family: ['front_door', 'driveway'] },
      },
    },
    clock: { now: () => now },
  });
  admin = await adminOf(gateway);
  vera = await userOf(admin, address(), 'vera', 'viewer');
  anna = await userOf(admin, address(), 'anna', 'family');
});
afterAll(() => gateway?.close());

const jpeg = (camera: string) => `/api/${camera}/latest.jpg`;
const ask = (screen: Screen, device_code: string) =>
  screen.send('POST', '/postern/api/displays/token', { device_code });
const errorOf = ({ body }: { readonly body: string }) => (JSON.parse(body) as { error?: string }).error;
const wall = async (screen: Screen) => {
  const { status, body } = await screen.send('POST', '/postern/api/wall', {});
  const { cameras = [], name } = JSON.parse(body) as {
    cameras?: Array<{ name: string }>;
    name?: string | null;
  };
  return { status, name, cameras: cameras.map((camera) => camera.name) };
};
const records = async (event: string) =>
  (
    JSON.parse((await admin.send('GET', `/postern/api/audit?event=${event}`)).body) as {
      records: Array<{ object: string }>;
    }
  ).records;

describe('pairing', () => {
  test('returns codes as RFC 8628 has them, and a credential once it is approved', async () => {
    const screen = screenAt(address());
    const codes = await codesFor(screen);
    expect(codes).toMatchObject({ expires_in: 600, interval: 5 });
    expect(codes.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(codes.verification_uri_complete).toMatch(/\/postern\/pair\?code=[A-Z-]{9}$/);

    const pending = await ask(screen, codes.device_code);
    expect([pending.status, errorOf(pending)]).toEqual([400, 'authorization_pending']);
    const early = await ask(screen, codes.device_code);
    expect([early.status, errorOf(early)]).toEqual([400, 'slow_down']);

    const shown = await vera.send('GET', `/postern/api/displays/code/${codes.user_code.toLowerCase()}`);
    expect(JSON.parse(shown.body)).toMatchObject({ user_code: codes.user_code, address: '127.0.0.1' });
    const approved = await vera.send('POST', '/postern/api/displays', {
      user_code: codes.user_code,
      name: 'Kitchen tablet',
      cameras: ['driveway'],
    });
    expect(approved.status).toBe(201);
    const got = await ask(screen, codes.device_code);
    expect([got.status, JSON.parse(got.body)]).toEqual([200, JSON.parse(approved.body)]);
    expect(screen.setCookie).toMatch(
      /^postern_display=display_[\da-f-]{36}\.1\.\d+\.[\w-]{11}\.\.[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(await wall(screen)).toEqual({ status: 200, name: 'Kitchen tablet', cameras: ['driveway'] });

    // Neither code is of any use afterwards.
    expect(errorOf(await ask(screenAt(address()), codes.device_code))).toBe('expired_token');
    const again = { user_code: codes.user_code, name: 'Again' };
    expect((await vera.send('POST', '/postern/api/displays', again)).status).toBe(404);
    expect((await records('display_paired')).map(({ object }) => object)).toContain('Kitchen tablet');
  });

  test('a code is approved once', async () => {
    const { user_code: code } = await codesFor(screenAt(address()));
    const answers = await Promise.all(
      ['Left', 'Right'].map((name) => vera.send('POST', '/postern/api/displays', { user_code: code, name })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 404]);
    now += 601_000;
  });

  test('a refused screen learns it, and an old code expires', async () => {
    const screen = screenAt(address());
    const { user_code: code, device_code: device } = await codesFor(screen);
    expect((await vera.send('DELETE', `/postern/api/displays/code/${code}`)).status).toBe(204);
    expect(errorOf(await ask(screen, device))).toBe('access_denied');
    expect((await vera.send('GET', `/postern/api/displays/code/${code}`)).status).toBe(404);
    const late = await codesFor(screen);
    now += 601_000;
    expect(errorOf(await ask(screen, late.device_code))).toBe('expired_token');
    expect((await vera.send('GET', `/postern/api/displays/code/${late.user_code}`)).status).toBe(404);
  });

  test.each<[string, object, string]>([
    ['a camera that the user may not see', { cameras: ['garage'] }, 'not granted'],
    ['a camera that moves', { may: ['ptz'] }, 'a display changes nothing'],
    ['no camera', { cameras: [] }, 'Name a camera'],
    ['a time that is over', { until: 1 }, 'within the next'],
    ['an unknown field', { role: 'admin' }, 'Unknown field'],
    ['a name with a line break', { name: 'a\nb' }, 'printable'],
  ])('%s is not approved', async (_, wanted, why) => {
    await anna.send('POST', '/postern/api/step-up', { password: goodPassword });
    const { user_code: code } = await codesFor(screenAt(address()));
    const answer = await anna.send('POST', '/postern/api/displays', {
      user_code: code,
      name: 'Hall',
      ...wanted,
    });
    expect([answer.status, answer.body]).toEqual([422, expect.stringContaining(why)]);
    now += 601_000;
  });
});

describe('a paired screen', () => {
  let screen: Screen;
  let id: string;
  beforeAll(async () => {
    screen = screenAt(address());
    id = await pair(screen, admin, { name: 'Hall', cameras: ['driveway', 'garage'], may: ['live'] });
  });

  test('is listed, changed and ended by its user or an admin, and by no one else', async () => {
    const listed = JSON.parse((await admin.send('GET', '/postern/api/displays')).body) as object[];
    expect(listed).toContainEqual(
      expect.objectContaining({ id, name: 'Hall', username: 'admin', state: 'good', may: ['live'] }),
    );
    expect((await anna.send('GET', `/postern/api/displays/${id}`)).status).toBe(404);
    expect((await anna.send('DELETE', `/postern/api/displays/${id}`)).status).toBe(404);
    expect((await admin.send('DELETE', `/postern/api/tokens/${id}`)).status).toBe(404);

    const change = { name: 'Hall 2', cameras: ['front_door'] };
    expect((await admin.send('PUT', `/postern/api/displays/${id}`, change)).status).toBe(200);
    expect(await wall(screen)).toMatchObject({ name: 'Hall 2', cameras: ['front_door'] });
    expect((await screen.send('GET', jpeg('driveway'))).status).toBe(403);

    expect((await admin.send('DELETE', `/postern/api/displays/${id}`)).status).toBe(204);
    expect((await wall(screen)).status).toBe(401);
    expect((await screen.send('GET', jpeg('front_door'))).status).toBe(401);
  });
});

describe('what its user may see', () => {
  test('narrows it at once, and a block suspends it', async () => {
    await admin.send('POST', '/api/users', { username: 'nell', password: goodPassword, role: 'viewer' });
    const nell = visitor(address());
    await nell.logIn('nell', goodPassword);
    const screen = screenAt(address());
    await pair(screen, nell, { name: 'Nell' });
    expect((await wall(screen)).cameras).toEqual(['driveway', 'front_door', 'garage']);
    await admin.send('PUT', '/api/users/nell/role', { role: 'family' });
    expect((await wall(screen)).cameras).toEqual(['driveway', 'front_door']);
    expect((await screen.send('GET', jpeg('garage'))).status).toBe(403);
    await admin.send('PUT', '/postern/api/users/nell/blocked', { blocked: true });
    expect((await wall(screen)).status).toBe(401);
    await admin.send('PUT', '/postern/api/users/nell/blocked', { blocked: false });
    expect((await wall(screen)).status).toBe(200);
  });

  test.each<[keep: readonly string[], status: number]>([
    [['displays'], 200],
    [[], 401],
  ])('a new password that keeps %j leaves it at %i', async (keep, status) => {
    const name = `otto${keep.length}`;
    await admin.send('POST', '/api/users', { username: name, password: goodPassword, role: 'viewer' });
    const otto = visitor(address());
    await otto.logIn(name, goodPassword);
    const screen = screenAt(address());
    await pair(screen, otto, { name: 'Otto' });
    const answer = await admin.send('PUT', `/api/users/${name}/password`, {
      password: 'another-good-password',
      keep,
    });
    expect(JSON.parse(answer.body)).toMatchObject({ displays_ended: 1 - keep.length });
    expect((await wall(screen)).status).toBe(status);
  });
});

describe('its cookie', () => {
  const day = 86_400_000;
  // A session does not last for so long.
  beforeEach(async () => {
    admin = await adminOf(gateway);
  });

  /** A screen with another cookie of the same display. */
  const copyOf = (credential: string) => {
    const other = screenAt(address());
    other.credential = credential;
    return other;
  };
  const copies = async () => {
    admin = await adminOf(gateway);
    return (await records('display_copied')).map(({ object }) => object);
  };
  const minutes = (count: number) => {
    now += count * 60_000;
  };

  test('is replaced once a day by the wall, and nothing else', async () => {
    const screen = screenAt(address());
    await pair(screen, admin, { name: 'Daily' });
    const first = screen.credential ?? '';
    await wall(screen);
    now += day;
    await screen.send('GET', jpeg('driveway'));
    expect(screen.credential).toBe(first);
    // Two tabs ask at the same moment, and the answer to a third is lost.
    const tabs = [copyOf(first), copyOf(first), copyOf(first)];
    await Promise.all([screen, ...tabs].map(wall));
    expect(screen.credential).not.toBe(first);
    expect(new Set([screen, ...tabs].map(({ credential }) => credential)).size).toBe(4);
    now += 40 * day;
    expect((await wall(screen)).status).toBe(200);
  });

  test('that was copied shows a patient copy nothing, and ends the display once the copy is used', async () => {
    const screen = screenAt(address());
    await pair(screen, admin, { name: 'Patient' });
    const copied = screen.credential ?? '';
    now += day;
    // The screen has moved on, and the copy has not asked yet.
    for (let i = 0; i < 3; i += 1) await wall(screen);
    const thief = copyOf(copied);
    expect((await wall(thief)).status).toBe(200);
    expect(thief.credential).not.toBe(copied);
    expect(thief.credential).not.toBe(screen.credential);
    minutes(2);
    await thief.send('GET', jpeg('driveway'));
    await screen.send('GET', jpeg('driveway'));
    await expect.poll(async () => (await thief.send('GET', jpeg('driveway'))).status).toBe(401);
    expect(await copies()).toContain('Patient');
  });

  test('that was copied ends the display once both are used, with one alert', async () => {
    const screen = screenAt(address());
    await pair(screen, admin, { name: 'Copied' });
    const thief = copyOf(screen.credential ?? '');
    now += day;
    await wall(screen);
    expect((await screen.send('GET', jpeg('driveway'))).status).toBe(200);
    minutes(1);
    // It only looks at a picture, which it may not even see.
    expect((await thief.send('GET', jpeg('driveway'))).status).toBe(200);
    await screen.send('GET', jpeg('driveway'));
    await expect.poll(async () => (await screen.send('GET', jpeg('driveway'))).status).toBe(401);
    expect((await wall(thief)).status).toBe(401);
    expect((await wall(screen)).status).toBe(401);
    expect((await copies()).filter((name) => name === 'Copied')).toEqual(['Copied']);
  });

  test('is not valid once the JWT secret has changed', async () => {
    const screen = screenAt(address());
    await pair(screen, admin, { name: 'Secret' });
    expect((await wall(screen)).status).toBe(200);
    const file = join(gateway.directory, '.jwt_secret');
    const secret = readFileSync(file);
    writeFileSync(file, 'x'.repeat(64));
    await gateway.reloading.reload('the test');
    expect((await wall(screen)).status).toBe(401);
    expect((await screen.send('GET', jpeg('driveway'))).status).toBe(401);
    writeFileSync(file, secret);
    await gateway.reloading.reload('the test');
    expect((await wall(screen)).status).toBe(200);
  });

  test('in a frame it is partitioned', async () => {
    const screen = screenAt(address());
    await pair(screen, admin, { name: 'Framed' }, true);
    expect(screen.setCookie).toMatch(/; HttpOnly; SameSite=None; Secure; Partitioned$/);
  });
});
