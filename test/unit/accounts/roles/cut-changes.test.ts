import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CameraRenames, cameraRenames } from '../../../../src/accounts/cameras/rename-camera.ts';
import { customRolesInFile, type CustomRoleChanges } from '../../../../src/accounts/roles/custom-roles.ts';
import {
  readStoredRoles,
  type StoredRoles,
  withRoles,
  writeStoredRole,
} from '../../../../src/accounts/roles/role-definitions.ts';
import { createRolesFile, type RolesFile } from '../../../../src/accounts/roles/roles-file.ts';
import { addPersonalRole } from '../../../../src/accounts/users/personal-roles.ts';
import { createUsers, type Users } from '../../../../src/accounts/users/users.ts';
import {
  createConfigurationFile,
  type ConfigurationFile,
} from '../../../../src/config/configuration-file.ts';
import type { Configuration } from '../../../../src/config/configuration.ts';
import { configurationReader } from '../../../../src/config/load.ts';
import type { writeOrders } from '../../../../src/config/write-orders.ts';
import { accessOfRole, currentRole, type RoleAccess } from '../../../../src/policy/role-access.ts';
import { unconditional, type Change } from '../../../../src/store/permit.ts';
import { openStore, storePath } from '../../../../src/store/sqlite/open-store.ts';
import type { Store } from '../../../../src/store/store.ts';
import { programDirectory } from '../../../../src/version.ts';
import { endingDisk, type Ending, type EndingDisk } from '../../../support/ending-disk.ts';
import { temporaryDirectory, temporaryStore } from '../../store/temporary-store.ts';

const guest = 'guest_0123456789ab';
const house = `cameras: [drive, garage, porch, shed, yard]
tls: { enabled: false }
auth:
  roles:
    garagist: [garage]
    front: [porch]
    ${guest}: [yard]
  role_access:
    ${guest}: { may: [live] }
    neighbour: { groups: [outside] }
  camera_groups:
    outside: [drive, porch]
    unused: [shed]
`;
const people: ReadonlyArray<readonly [user: string, role: string]> = [
  ['ada', 'admin'],
  ['ida', 'viewer'],
  ['gus', 'garagist'],
  ['fay', 'front'],
  ['vie', guest],
  ['nora', 'neighbour'],
];

interface Place {
  readonly renames: () => CameraRenames;
  readonly changes: CustomRoleChanges;
  readonly users: Users;
  readonly rolesFile: RolesFile;
  readonly file: ConfigurationFile;
  readonly change: Change;
}

type Case = readonly [what: string, change: (place: Place) => Promise<unknown>];

/** A key that gives no one anything. */
const otherKey =
  (which: 'settings changed' | 'appearance changed' | 'recorder connected', key: string) =>
  ({ file, change }: Place) =>
    change(unconditional, () => file.change(which, (document) => document.set(key, 'http://frigate:8971')));

/** Each change of the table; one without a case does not compile. */
const cases: Record<keyof typeof writeOrders, readonly Case[]> = {
  'role defined': [
    [
      'a role gets other cameras',
      ({ changes }) =>
        changes.set('garagist', { cameras: ['drive'], access: { may: ['live'] } }, unconditional),
    ],
    ['a new role', ({ changes }) => changes.set('shedder', { cameras: ['shed'] }, unconditional)],
  ],
  'personal role named': [
    ["a guest's role gets a name", ({ changes }) => changes.name(guest, 'friends', unconditional)],
  ],
  'role removed': [
    ['a role, for another one', ({ changes }) => changes.remove('garagist', 'front', unconditional)],
    ['a role, for none', ({ changes }) => changes.remove('garagist', 'none', unconditional)],
    ['a role, for viewer', ({ changes }) => changes.remove('front', 'viewer', unconditional)],
    ['a role of a group', ({ changes }) => changes.remove('neighbour', 'front', unconditional)],
  ],
  'camera renamed': [
    ['a camera of a role and a group', ({ renames }) => renames().rename('porch', 'street', unconditional)],
    ['a camera of one person', ({ renames }) => renames().rename('yard', 'street', unconditional)],
    [
      'a camera, for one that others see',
      ({ renames }) => renames().rename('porch', 'garage', unconditional),
    ],
  ],
  'copied roles removed': [
    [
      'the lines of a guest',
      ({ rolesFile, change }) => change(unconditional, () => rolesFile.forget([guest])),
    ],
  ],
  'camera group defined': [
    ['a group changes', ({ changes }) => changes.setGroup('outside', ['porch', 'shed'], unconditional)],
  ],
  'camera group removed': [['a group goes', ({ changes }) => changes.removeGroup('unused', unconditional)]],
  'roles imported': [
    [
      'users with a role that is made for them',
      async ({ rolesFile, users }) => {
        await rolesFile.add('roles imported', 'imported', ['shed']);
        await users.add({ username: 'imo', role: 'imported', passwordHash: '' }, unconditional);
      },
    ],
  ],
  'settings changed': [['a setting', otherKey('settings changed', 'public_url')]],
  'appearance changed': [['a setting', otherKey('appearance changed', 'public_url')]],
  'recorder connected': [['an address', otherKey('recorder connected', 'upstream')]],
};

interface House {
  readonly directory: string;
  readonly place: Place;
  /** What each user sees, by the running gate. */
  readonly seen: () => Promise<Seen>;
  /** The same after a start from the disk. */
  readonly seenAfterStart: () => Promise<Seen>;
  /** The users with their roles. */
  readonly roles: () => Promise<ReadonlyArray<readonly [user: string, role: string]>>;
}
type Seen = ReadonlyMap<string, RoleAccess>;

/** Directory of a store with the people. */
let template = '';
beforeAll(async () => {
  template = mkdtempSync(join(tmpdir(), 'postern-cut-'));
  const store = await openStore(storePath(template), 1_000);
  const users = createUsers(store, { now: () => 0 });
  for (const [username, role] of people) await users.add({ username, role, passwordHash: '' }, unconditional);
  await store.change(unconditional, async (on) => {
    await addPersonalRole(on, guest);
    await writeStoredRole(on, guest, ['yard'], { may: ['live'] });
  });
  await store.destroy();
  return () => rmSync(template, { recursive: true });
});

async function makeHouse({ disk, ending }: Pick<EndingDisk, 'disk' | 'ending'>): Promise<House> {
  const directory = temporaryDirectory();
  const path = join(directory, 'config.yml');
  writeFileSync(path, house);
  copyFileSync(storePath(template), storePath(directory));
  const read = configurationReader({ CONFIG_DIR: directory }, programDirectory, 'config.yml');
  let current = read(house);
  const check = (text: string) => {
    const configuration = read(text);
    return () => void (current = configuration);
  };
  const whole = await temporaryStore(directory);
  const change = ending(whole.change);
  const store = Object.assign(Object.create(whole) as Store, { change });
  const users = createUsers(store, { now: () => 0 });
  const rolesFile = createRolesFile(directory, check, disk);
  let stored = await readStoredRoles(whole);
  const reading = { adopt: (roles: StoredRoles) => void (stored = roles) };
  const defined = () => withRoles(current, stored).auth.defined;
  const changes = customRolesInFile({ store, change, users, rolesFile, reading, defined });
  const renames = () =>
    cameraRenames({
      change,
      rolesFile,
      reading,
      isShared: false,
      declared: { cameras: current.cameras, defined: current.auth.defined },
      defined,
      clock: { now: () => 0 },
    });
  const file = createConfigurationFile(directory, check, disk);
  return {
    directory,
    place: { renames, changes, users, rolesFile, file, change },
    roles: async () => (await rowsOf(whole)).map(({ username, role }) => [username, ofPerson(role)] as const),
    seen: async () => seenBy(whole, current),
    seenAfterStart: async () => {
      const started = await openStore(storePath(directory), 1_000);
      const found = await seenBy(started, read(readFileSync(path, 'utf8')));
      await started.destroy();
      return found;
    },
  };
}

const rowsOf = (store: Store) =>
  store.selectFrom('users').select(['username', 'role']).orderBy('username').execute();

/** The name of a role that was made is another one each time. */
const ofPerson = (role: string) => (role === guest ? role : role.replace(/^guest_.*/, 'made'));

async function seenBy(store: Store, configuration: Configuration): Promise<Seen> {
  const { roles } = withRoles(configuration, await readStoredRoles(store)).auth;
  return new Map(
    (await rowsOf(store)).map(
      ({ username, role }) => [username, accessOfRole(currentRole(role, roles), roles)] as const,
    ),
  );
}

function isWithin(access: RoleAccess, limit: RoleAccess | undefined): boolean {
  if (limit === undefined || !access.may.isSubsetOf(limit.may)) return false;
  return limit.cameras === 'all' || (access.cameras !== 'all' && access.cameras.isSubsetOf(limit.cameras));
}

/** Those who see more than before and more than after. */
const openTo = (seen: Seen, before: Seen, after: Seen) =>
  [...seen].flatMap(([user, access]) =>
    isWithin(access, before.get(user)) || isWithin(access, after.get(user)) ? [] : [user],
  );

const failure = (changed: Promise<unknown>) =>
  changed.then(
    () => undefined,
    (error: unknown) => error as Error,
  );

const allCases = Object.entries(cases).flatMap(([name, ofName]) =>
  ofName.map(([what, change]) => [name, what, change] as const),
);

describe.each(allCases)('%s: %s', (_, __, change) => {
  const whole = async () => {
    const all = endingDisk(Number.POSITIVE_INFINITY, 'a power cut');
    const at = await makeHouse(all);
    const [before, former] = [await at.seen(), await at.roles()];
    await change(at.place);
    return {
      before,
      former,
      after: await at.seenAfterStart(),
      roles: await at.roles(),
      writes: [...all.writes],
    };
  };

  test.each<Ending>(['a power cut', 'a full disk'])(
    '%s before any of its writes opens nothing',
    async (how) => {
      const { before, former, after, roles, writes } = await whole();
      expect(writes.length).toBeGreaterThanOrEqual(6);
      const open: object[] = [];
      for (let last = 0; last <= writes.length; last += 1) {
        const ended = endingDisk(last, how);
        const at = await makeHouse(ended);
        const error = await failure(change(at.place));
        const found = { before: writes[last], error: error?.message };
        if (how === 'a full disk') {
          for (const user of openTo(await at.seen(), before, after)) open.push({ ...found, user });
          // An error says that nothing is done: no user has another role.
          expect([found, await at.roles()]).toEqual([found, error === undefined ? roles : former]);
          expect(existsSync(join(at.directory, 'config.yml.new'))).toBe(false);
        }
        for (const isDifferent of [() => true, ended.loseUnsynced]) {
          if (!isDifferent()) continue;
          const seen = await at.seenAfterStart();
          for (const user of openTo(seen, before, after)) open.push({ ...found, user, started: true });
        }
      }
      expect(open).toEqual([]);
    },
  );
});
