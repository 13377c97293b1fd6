import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

const cameras = ['driveway', 'front_door', 'garage'];
const neighbour = { groups: ['outside'], may: ['live'], from: '2020-12-20', history: 'from' };
const config = {
  auth: {
    camera_groups: { outside: ['driveway', 'front_door'] },
    roles: { admin: [], viewer: [], guard: ['garage'] },
    role_access: { neighbour, guard: { may: ['live', 'history', 'ptz'] } },
  },
  networking: { listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' } },
  cameras,
};

let gateway: RunningGateway;
let address: string;
let admin: Visitor;
let nora: Visitor;
beforeAll(async () => {
  gateway = await startGateway({ config });
  address = gateway.addresses.authenticated ?? '';
  admin = await adminOf(gateway);
  nora = await userOf(admin, address, 'nora', 'neighbour');
});
afterAll(() => gateway.close());
beforeEach(async () => {
  writeFileSync(join(gateway.directory, 'config.yml'), stringify(config));
  await gateway.reloading.reload('test');
});

const file = () => readFileSync(join(gateway.directory, 'config.yml'), 'utf8');
const asked = async (who: Visitor, method: string, uri: string, body?: unknown) => {
  const answer = await who.send(method, uri, body);
  return { status: answer.status, body: JSON.parse(answer.body) as unknown };
};
const roles = '/postern/api/roles';
const roleNamed = async (name: string) => (await asked(admin, 'GET', `${roles}/${name}`)).body;
const put = (name: string, body: unknown) => asked(admin, 'PUT', `${roles}/${name}`, body);
const statusOf = async (who: Visitor, uri: string) => (await who.send('GET', uri)).status;
const detailOfLast = async () => {
  const { body } = await admin.send('GET', '/postern/api/audit?limit=1&event=role_defined');
  return (JSON.parse(body) as { records: Array<{ object: string; detail: object }> }).records.map(
    ({ object, detail }) => ({ object, detail }),
  )[0];
};

const guardShown = {
  name: 'guard',
  cameras: ['garage'],
  access: { may: ['live', 'history', 'ptz'] },
  allowed_cameras: ['garage'],
};
const neighbourShown = {
  name: 'neighbour',
  cameras: [],
  access: neighbour,
  allowed_cameras: ['driveway', 'front_door'],
};

describe('a role is shown with its access, and all cameras that it sees', () => {
  test('in the list: the custom ones in order of precedence', async () => {
    const { status, body } = await asked(admin, 'GET', roles);
    const verified = { recorder: 'verified' };
    expect([status, body]).toEqual([
      200,
      [
        { ...guardShown, ...verified },
        { ...neighbourShown, ...verified },
      ],
    ]);
  });

  test('in the list of a user with a custom role: only that one', async () => {
    const { body } = await asked(nora, 'GET', roles);
    expect(body).toEqual([expect.objectContaining(neighbourShown)]);
  });

  test.each<[name: string, shown: object]>([
    ['guard', guardShown],
    ['neighbour', neighbourShown],
    ['viewer', { name: 'viewer', cameras: [], access: null, allowed_cameras: cameras }],
    ['admin', { name: 'admin', cameras: [], access: null, allowed_cameras: cameras }],
  ])('alone: %s', async (name, shown) => {
    expect(await asked(admin, 'GET', `${roles}/${name}`)).toEqual({ status: 200, body: shown });
  });

  test.each(['nobody', 'Guard', 'none', '__proto__'])('there is no role %s', async (name) => {
    expect(await asked(admin, 'GET', `${roles}/${name}`)).toMatchObject({
      status: 404,
      body: { code: 'role_unknown' },
    });
  });

  test('alone only to admins', async () => {
    expect(await statusOf(nora, `${roles}/neighbour`)).toBe(403);
    const vera = await userOf(admin, address, 'vera', 'viewer');
    expect(await statusOf(vera, `${roles}/viewer`)).toBe(403);
  });
});

describe('PUT', () => {
  test('defines a role with groups and words, in the file and in the audit', async () => {
    const access = { groups: ['outside'], may: ['live', 'export'], until: '2099-01-05' };
    const shown = {
      name: 'guests',
      cameras: ['garage'],
      access,
      allowed_cameras: ['garage', 'driveway', 'front_door'],
    };
    expect(await put('guests', { cameras: ['garage', 'garage'], access })).toEqual({
      status: 200,
      body: shown,
    });
    expect(await roleNamed('guests')).toEqual(shown);
    expect(file()).toContain('guests: {groups: [outside], may: [live, export], until: 2099-01-05}');
    expect(await detailOfLast()).toEqual({
      object: 'guests',
      detail: { cameras: ['garage'], access: ['groups: outside', 'may: live, export', 'until: 2099-01-05'] },
    });
  });

  test('keeps the access that it is not given, and gives the default for null', async () => {
    const { access } = guardShown;
    const changed = { name: 'guard', cameras: ['driveway'], access, allowed_cameras: ['driveway'] };
    expect(await put('guard', { cameras: ['driveway'] })).toEqual({ status: 200, body: changed });
    expect(await roleNamed('guard')).toEqual(changed);
    expect(await detailOfLast()).toEqual({ object: 'guard', detail: { cameras: ['driveway'] } });
    const byDefault = { ...changed, access: null };
    expect(await put('guard', { cameras: ['driveway'], access: null })).toEqual({
      status: 200,
      body: byDefault,
    });
    expect(await roleNamed('guard')).toEqual(byDefault);
    expect(await detailOfLast()).toEqual({ object: 'guard', detail: { cameras: ['driveway'], access: [] } });
  });

  test('needs no cameras for a role that has groups, and keeps these', async () => {
    const shown = { ...neighbourShown, access: { groups: ['outside'] } };
    expect(await put('neighbour', { access: { groups: ['outside'] } })).toEqual({ status: 200, body: shown });
    expect(await put('neighbour', {})).toEqual({ status: 200, body: shown });
    expect(await roleNamed('neighbour')).toEqual(shown);
  });

  test('narrows the viewer from the next request on, and widens it again', async () => {
    const walter = await userOf(admin, address, 'walter', 'viewer');
    const reviews = '/api/review';
    const before = await statusOf(walter, reviews);
    expect(before).not.toBe(403);
    const narrowed = { name: 'viewer', cameras: [], access: { may: ['live'] }, allowed_cameras: cameras };
    expect(await put('viewer', { access: { may: ['live'] } })).toEqual({ status: 200, body: narrowed });
    expect(await roleNamed('viewer')).toEqual(narrowed);
    expect(await statusOf(walter, reviews)).toBe(403);
    expect(await detailOfLast()).toEqual({
      object: 'viewer',
      detail: { cameras: [], access: ['may: live'] },
    });
    expect(await put('viewer', { access: null })).toMatchObject({ status: 200, body: { access: null } });
    expect(await statusOf(walter, reviews)).toBe(before);
  });

  // What a role may be is proved where configurations are resolved; here is where each kind of problem is said to be.
  test.each<[what: string, name: string, body: unknown, loc: Array<string | number>, message: string]>([
    [
      'another word',
      'guard',
      { cameras: ['garage'], access: { may: ['all'] } },
      ['body', 'access', 'may', 0],
      'one of live, history, export, ptz',
    ],
    [
      'an unknown group',
      'guard',
      { cameras: ['garage'], access: { groups: ['gone'] } },
      ['body', 'access'],
      'the unknown group "gone", allowed is one of auth.camera_groups: outside',
    ],
    [
      'an unknown camera',
      'guard',
      { cameras: ['gargae'] },
      ['body', 'cameras'],
      'the unknown camera "gargae"',
    ],
    [
      'cameras for the viewer',
      'viewer',
      { cameras: ['garage'], access: { may: ['live'] } },
      ['body', 'cameras'],
      'The viewer sees every camera',
    ],
    [
      'the admin',
      'admin',
      { access: { may: ['live'] } },
      ['path', 'name'],
      'A built-in role cannot be changed',
    ],
    ['none', 'None', { cameras: ['garage'] }, ['path', 'name'], 'none is no role'],
  ])('refuses %s, and changes nothing', async (_, name, body, loc, message) => {
    const before = file();
    const answer = await put(name, body);
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc }] } });
    const { detail } = answer.body as { detail: Array<{ msg: string }> };
    expect([detail.length, detail[0]?.msg]).toEqual([1, expect.stringContaining(message)]);
    expect(file()).toBe(before);
    expect(await statusOf(nora, '/api/profile')).toBe(200);
  });
});
