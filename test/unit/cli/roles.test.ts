import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { beforeEach, describe, expect, test } from 'vitest';
import { unconditional } from '../../../src/store/permit.ts';
import { createUsers } from '../../../src/accounts/users/users.ts';
import { openStore, storePath } from '../../../src/store/sqlite/open-store.ts';
import { clockAt } from '../../support/clock-at.ts';
import { postern as posternHere } from '../../support/postern-here.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';

const house = `# the house
cameras: [drive, garage, porch]
auth:
  camera_groups: { outside: [drive] }
  roles:
    guard: [garage] # at night
  role_access:
    guard: { may: [live], hours: '20:00-06:00' }
    neighbour: { groups: [outside] }
`;

let directory: string;
beforeEach(async () => {
  directory = temporaryDirectory();
  writeFileSync(join(directory, 'config.yml'), house);
  await withUsers((users) =>
    users.add({ username: 'nell', role: 'neighbour', passwordHash: '' }, unconditional),
  );
});

async function withUsers<T>(work: (users: ReturnType<typeof createUsers>) => Promise<T>): Promise<T> {
  const store = await openStore(storePath(directory), 5_000);
  try {
    return await work(createUsers(store, clockAt(1_000_000)));
  } finally {
    await store.destroy();
  }
}
const postern = (line: string) => posternHere(directory, line.split(' '), { input: '' });
const text = () => readFileSync(join(directory, 'config.yml'), 'utf8');
const auth = () => (parse(text()) as { auth: Record<string, Record<string, unknown>> }).auth;

test('lists the roles, and shows one', async () => {
  expect((await postern('roles list')).output).toBe(
    [
      'admin\tevery camera\t-\tlive,history,export,ptz,share,talk\t-\t0',
      'viewer\tevery camera\t-\tlive,history,export,ptz,share,talk\t-\t0',
      'guard\tgarage\t-\tlive\thours: 20:00-06:00\t0',
      'neighbour\tdrive\toutside\tlive,history,export\t-\t1',
      '',
    ].join('\n'),
  );
  expect((await postern('roles show guard')).output).toBe(
    [
      'name      guard',
      'cameras   garage',
      'groups    -',
      'may       live',
      'schedule  hours: 20:00-06:00',
      'users     0',
      '',
    ].join('\n'),
  );
  expect(JSON.parse((await postern('roles show neighbour --json')).output)).toEqual({
    name: 'neighbour',
    cameras: [],
    access: { groups: ['outside'] },
    allowed_cameras: ['drive'],
    may: ['live', 'history', 'export'],
    users: 1,
  });
});

describe('sets what is named, and leaves the rest', () => {
  test.each<[line: string, cameras: object, access: object | undefined]>([
    ['guard --cameras garage,porch', ['garage', 'porch'], { may: ['live'], hours: '20:00-06:00' }],
    ['guard --may live,ptz --no-hours', ['garage'], { may: ['live', 'ptz'] }],
    ['guard --no-may --no-hours', ['garage'], undefined],
    [
      'guard --groups outside --from 2026-12-20 --until 2027-01-05 --history from',
      ['garage'],
      {
        may: ['live'],
        hours: '20:00-06:00',
        groups: ['outside'],
        from: '2026-12-20',
        until: '2027-01-05',
        history: 'from',
      },
    ],
  ])('%s', async (line, cameras, access) => {
    expect(await postern(`roles set ${line}`)).toMatchObject({ status: 0, errors: '' });
    expect([auth()['roles']?.['guard'], auth()['role_access']?.['guard']]).toEqual([cameras, access]);
    expect(text()).toContain('# at night');
  });

  test('a role of groups alone, and the viewer', async () => {
    await postern('roles set gardener --groups outside');
    await postern('roles set viewer --may live,history');
    expect(auth()['role_access']).toMatchObject({
      gardener: { groups: ['outside'] },
      viewer: { may: ['live', 'history'] },
    });
    await postern('roles set viewer --no-may');
    expect(auth()['role_access']).not.toHaveProperty('viewer');
    const { output } = await postern('audit --event role_defined --json');
    expect(output).toContain('"source":"cli"');
  });

  test.each([
    ['guard --may walk', 'Found walk, allowed is one of live, history, export, ptz, share, talk'],
    ['guard --hours 7-19', 'auth.role_access.guard.hours: found "7-19", allowed is hours of the day'],
    ['guard', 'name what to set'],
    ['viewer', 'name what to set'],
    ['guard --history some', '--history is from or all'],
    ['guard --history from', '"history":"from"}, allowed is history only beside from'],
    ['guard --cameras cellar', 'found the unknown camera "cellar"'],
    ['guard --groups inside', 'found the unknown group "inside"'],
    ['new --may live', 'found a role without cameras'],
    ['admin --may live', 'the name of a role'],
    ['none --cameras porch', 'the name of a role'],
    ['viewer --cameras porch', 'the viewer sees every camera'],
    ['viewer --hours 07:00-19:00', 'found more than may'],
  ])('but not %s', async (line, message) => {
    const { status, errors } = await postern(`roles set ${line}`);
    expect(status).not.toBe(0);
    expect(errors).toContain(message);
    expect(text()).toBe(house);
    expect((await postern('audit --event role_defined --json')).output).toBe('');
  });
});

test('removes a role and gives its users another', async () => {
  expect((await postern('roles remove neighbour --reassign-to guard')).output).toBe(
    'removed the role neighbour; 1 user is guard now\n',
  );
  expect((await withUsers((users) => users.find('nell')))?.role).toBe('guard');
  expect(auth()['role_access']).not.toHaveProperty('neighbour');
  for (const line of ['neighbour', 'viewer', 'guard --reassign-to guard', 'guard --reassign-to nothing'])
    expect((await postern(`roles remove ${line}`)).status, line).toBe(1);
});

describe('groups of cameras', () => {
  test('are listed with their roles', async () => {
    expect((await postern('camera-groups list')).output).toBe('outside\tdrive\tneighbour\n');
    expect(JSON.parse((await postern('camera-groups list --json')).output)).toEqual({
      name: 'outside',
      cameras: ['drive'],
      roles: ['neighbour'],
    });
  });

  test('are set, once what that changes was read', async () => {
    const change =
      ' the group outside: porch, garage\nneighbour (1 user) gains porch, garage and loses drive\n';
    const dry = await postern('camera-groups set outside porch,garage --dry-run');
    expect(dry.output).toBe(`would define${change}`);
    expect(text()).toBe(house);
    expect((await postern('camera-groups set outside porch,garage')).output).toBe(`defined${change}`);
    expect(auth()['camera_groups']).toEqual({ outside: ['porch', 'garage'] });
    const { output } = await postern('audit --event camera_group_defined --json');
    expect(JSON.parse(output)).toMatchObject({
      object: 'outside',
      source: 'cli',
      detail: { cameras: ['porch', 'garage'], roles: ['neighbour'] },
    });
  });

  test('are removed once no role has them', async () => {
    expect(await postern('camera-groups remove outside')).toMatchObject({
      status: 1,
      errors: 'postern: roles use this group: neighbour\n',
    });
    expect((await postern('camera-groups set inside garage')).output).toBe(
      'defined the group inside: garage\n',
    );
    expect((await postern('camera-groups remove inside')).output).toBe('removed the group inside\n');
    expect(auth()['camera_groups']).toEqual({ outside: ['drive'] });
    expect((await postern('camera-groups remove inside')).errors).toContain('No such group');
  });

  test.each(['set outside cellar', 'set outside cellar --dry-run', 'set OutSide drive', 'set . drive'])(
    'are not %s',
    async (line) => {
      expect((await postern(`camera-groups ${line}`)).status).not.toBe(0);
      expect(text()).toBe(house);
    },
  );
});
