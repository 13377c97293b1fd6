import { readFileSync, rmSync, writeFileSync, type PathLike } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readHolders } from '../../../../src/accounts/cameras/camera-holders.ts';
import { cameraRenames } from '../../../../src/accounts/cameras/rename-camera.ts';
import {
  defineRoles,
  readStoredRoles,
  writeStoredGroup,
  writeStoredRole,
} from '../../../../src/accounts/roles/role-definitions.ts';
import { createRolesFile } from '../../../../src/accounts/roles/roles-file.ts';
import { addPersonalRole } from '../../../../src/accounts/users/personal-roles.ts';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import { configurationReader } from '../../../../src/config/load.ts';
import { permissionBy, unconditional, type Permit } from '../../../../src/store/permit.ts';
import type { Permitted } from '../../../../src/store/schema.ts';
import type { Store } from '../../../../src/store/store.ts';
import { programDirectory } from '../../../../src/version.ts';
import { temporaryDirectory, temporaryStore } from '../../store/temporary-store.ts';
import { storeWithRoles } from '../users/shared-store.ts';

const guest = 'guest_0123456789ab';
const config = `# our house
auth:
  roles:
    family: ["porch", yard] # Olaf
    both: [entrance, porch]
    guard: [yard]
  role_access:
    neighbour: {groups: [street]}
  camera_groups:
    street:
      - porch # by the door
`;
const renamed = config
  .replace('"porch"', '"entrance"')
  .replace(', porch]', ']')
  .replace('- porch', '- entrance');

/** People, and everything that names the porch. */
async function fill(store: Store, isShared: boolean): Promise<void> {
  const users = createUsers(store, { now: () => 0 });
  const roles = { olaf: 'family', nora: 'neighbour', vie: guest, ida: 'viewer', gus: 'guard' };
  for (const [username, role] of Object.entries(roles))
    await users.add({ username, role, passwordHash: '' }, unconditional);
  const created = { created_at: 0, expires_at: 2_000 };
  await store.change(unconditional, async (on) => {
    await addPersonalRole(on, guest);
    await writeStoredRole(on, guest, ['porch', 'yard'], { may: ['live'] });
    if (isShared) {
      await writeStoredRole(on, 'staff', ['porch']);
      await writeStoredGroup(on, 'walls', ['porch', 'entrance']);
    }
    const tokens = [
      ['token', 'script', ['porch']],
      ['display', 'hall', ['yard', 'porch', 'entrance']],
      ['token', 'other', ['yard']],
    ] as const;
    for (const [kind, name, cameras] of tokens)
      await on
        .insertInto('api_tokens')
        .values({
          token_id: name,
          kind,
          name,
          username: 'ida',
          role: 'viewer' as Permitted,
          access: null,
          token_hash: name,
          cameras: JSON.stringify(cameras),
          ...created,
        })
        .execute();
    for (const [kind, label] of [
      ['camera', 'parcel'],
      ['event', 'fox'],
    ] as const)
      await on
        .insertInto('shares')
        .values({
          share_id: label,
          secret_hash: label,
          kind,
          object: null,
          camera: 'porch',
          starts_at: 0,
          ends_at: 2_000,
          password_hash: null,
          label,
          username: 'ida',
          role: 'viewer',
          source: 'session',
          account: 'ida',
          token_id: null,
          ...created,
        })
        .execute();
    for (const [username, camera] of [
      ['gus', 'porch'],
      ['nora', 'porch'],
      ['nora', 'entrance'],
    ] as const)
      await on.insertInto('access_requests').values({ username, camera, asked_at: 0 }).execute();
    await on
      .insertInto('stops')
      .values({
        stop_id: 's',
        kind: 'proxy',
        name: 'max',
        user_id: null,
        session_id: null,
        cameras: '["porch"]',
        made_by: 'ada',
        made_at: 0,
        ends_at: 2_000,
      })
      .execute();
  });
}

async function rowsOf(store: Store, isShared: boolean) {
  const listed = (text: string | null) => JSON.parse(text ?? 'null') as unknown;
  const { definitions, groups } = await readStoredRoles(store, isShared);
  const tokens = await store.selectFrom('api_tokens').select(['name', 'cameras']).orderBy('name').execute();
  const shares = await store.selectFrom('shares').select(['label', 'camera']).orderBy('label').execute();
  const requests = await store
    .selectFrom('access_requests')
    .select(['username', 'camera'])
    .orderBy('username')
    .orderBy('camera')
    .execute();
  const stops = await store.selectFrom('stops').select('cameras').execute();
  return {
    roles: Object.fromEntries([...definitions].map(([name, { cameras }]) => [name, cameras])),
    groups: Object.fromEntries(groups),
    tokens: Object.fromEntries(tokens.map(({ name, cameras }) => [name, listed(cameras)])),
    shares: Object.fromEntries(shares.map(({ label, camera }) => [label, camera])),
    requests: requests.map(({ username, camera }) => `${username} ${camera}`),
    stops: stops.map(({ cameras }) => listed(cameras)),
  };
}

const before = {
  tokens: { hall: ['yard', 'porch', 'entrance'], other: ['yard'], script: ['porch'] },
  shares: { fox: 'porch', parcel: 'porch' },
  requests: ['gus porch', 'nora entrance', 'nora porch'],
  stops: [['porch']],
};
const after = {
  tokens: { hall: ['yard', 'entrance'], other: ['yard'], script: ['entrance'] },
  // What was recorded stays under the previous name.
  shares: { fox: 'porch', parcel: 'entrance' },
  requests: ['gus entrance', 'nora entrance'],
  stops: [['porch', 'entrance']],
};

interface HouseOptions {
  readonly text?: string;
  /** Called before a text is written beside config.yml. */
  readonly onWrite?: () => void;
  /** Called before config.yml is replaced. */
  readonly onReplace?: () => void;
}

async function houseOf(isShared: boolean, { text = config, onWrite, onReplace }: HouseOptions = {}) {
  const directory = temporaryDirectory();
  const path = join(directory, 'config.yml');
  writeFileSync(path, text);
  const store = isShared ? await storeWithRoles() : await temporaryStore();
  await fill(store, isShared);
  const read = configurationReader({ CONFIG_DIR: directory }, programDirectory, 'config.yml');
  let current = read(text);
  let stored = await readStoredRoles(store, isShared);
  const check = (written: string) => {
    const next = read(written);
    return () => void (current = next);
  };
  const disk = {
    open,
    rmSync,
    rename: async (from: PathLike, to: PathLike) => {
      onReplace?.();
      await rename(from, to);
    },
  };
  const checked = (written: string) => {
    onWrite?.();
    return check(written);
  };
  const rolesFile = createRolesFile(directory, checked, disk);
  const defined = () => defineRoles(current.auth.defined, stored).current;
  const renames = () =>
    cameraRenames({
      change: store.change,
      rolesFile,
      reading: { adopt: (roles) => void (stored = roles) },
      isShared,
      declared: { cameras: current.cameras, defined: current.auth.defined },
      defined,
      clock: { now: () => 1_000_000 },
    });
  return {
    store,
    rename: async (camera: string, to: string, permit: Permit = unconditional) => {
      stored = await readStoredRoles(store, isShared);
      return renames().rename(camera, to, permit);
    },
    fixedPlaces: (camera: string) => renames().fixedPlaces(camera),
    file: () => readFileSync(path, 'utf8'),
    held: async (camera: string) => (await readHolders(store, defined(), 1_000))(camera),
    rows: () => rowsOf(store, isShared),
  };
}

const held = {
  roles: ['family', 'both'],
  groups: ['street'],
  people: ['nora', 'olaf', 'vie'],
  invitations: 0,
  tokens: [{ name: 'script', user: 'ida' }],
  displays: [{ name: 'hall', user: 'ida' }],
  shares: [{ name: 'parcel', user: 'ida' }],
  requests: ['gus', 'nora'],
  stops: ['max'],
};
const none = {
  roles: [],
  groups: [],
  people: [],
  invitations: 0,
  tokens: [],
  displays: [],
  shares: [],
  requests: [],
};

describe('with SQLite', () => {
  test('config.yml and the store get the new name, and comments stay', async () => {
    const house = await houseOf(false);
    const guestHas = { [guest]: ['porch', 'yard'] };
    expect(await house.rows()).toEqual({ ...before, roles: guestHas, groups: {} });
    expect(await house.held('porch')).toEqual(held);
    expect(await house.rename('porch', 'entrance')).toEqual({ holders: held, left: [] });
    expect(house.file()).toBe(renamed);
    expect(await house.rows()).toEqual({ ...after, roles: { [guest]: ['entrance', 'yard'] }, groups: {} });
    expect(await house.held('porch')).toEqual({ ...none, stops: ['max'] });
    expect(house.fixedPlaces('porch')).toEqual([]);
  });

  test('the same call again changes nothing', async () => {
    const house = await houseOf(false);
    await house.rename('porch', 'entrance');
    const rows = await house.rows();
    expect(await house.rename('porch', 'entrance')).toEqual({
      holders: { ...none, stops: ['max'] },
      left: [],
    });
    expect([house.file(), await house.rows()]).toEqual([renamed, rows]);
  });

  test('a config.yml that does not name the camera is not written', async () => {
    const text = 'auth:\n  roles:\n    guard: [yard]\n';
    const house = await houseOf(false, { text, onWrite: () => expect.unreachable() });
    await house.rename('porch', 'entrance');
    expect(await house.rows()).toMatchObject(after);
  });

  test('a config.yml that cannot be written leaves everything as it was', async () => {
    const house = await houseOf(false, {
      onWrite: () => {
        throw new Error('read-only');
      },
    });
    await expect(house.rename('porch', 'entrance')).rejects.toThrow('read-only');
    expect([house.file(), await house.rows()]).toEqual([config, expect.objectContaining(before)]);
  });

  test('a disk that is full in between opens nothing, and the same call finishes it', async () => {
    let isFull = true;
    const house = await houseOf(false, {
      onReplace: () => {
        if (isFull) throw new Error('full');
      },
    });
    const left = ['auth.roles.family', 'auth.roles.both', 'auth.camera_groups.street'];
    expect(await house.rename('porch', 'entrance')).toMatchObject({
      left,
      fault: expect.any(Error) as unknown,
    });
    // Roles have the previous name, which Frigate lacks, and what narrows them has the new one.
    expect([house.file(), await house.rows()]).toEqual([config, expect.objectContaining(after)]);
    isFull = false;
    expect(await house.rename('porch', 'entrance')).toMatchObject({ left: [] });
    expect([house.file(), await house.rows()]).toEqual([renamed, expect.objectContaining(after)]);
  });

  test('the list of all cameras gets the new name too', async () => {
    const text = 'cameras: [porch, yard] # all\nauth:\n  roles:\n    family: [porch, yard]\n';
    const house = await houseOf(false, { text });
    await house.rename('porch', 'entrance');
    expect(house.file()).toBe(text.replaceAll('porch', 'entrance'));
  });
});

describe('with PostgreSQL', () => {
  test('the store gets the new name, and an operator learns the places in config.yml', async () => {
    const house = await houseOf(true);
    const places = ['auth.roles.family', 'auth.roles.both', 'auth.camera_groups.street'];
    const ours = { ...held, roles: ['family', 'both', 'staff'], groups: ['street', 'walls'] };
    expect(house.fixedPlaces('porch')).toEqual(places);
    expect(await house.rename('porch', 'entrance')).toEqual({ holders: ours, left: places });
    expect(house.file()).toBe(config);
    expect(await house.rows()).toEqual({
      ...after,
      roles: { [guest]: ['entrance', 'yard'], staff: ['entrance'] },
      groups: { walls: ['entrance'] },
    });
    expect(
      await house.store
        .selectFrom('store_version' as never)
        .selectAll()
        .execute(),
    ).toEqual([{ version: 7, roles: 7 }]);
    const { people, roles, tokens } = await house.held('porch');
    expect({ people, roles, tokens }).toEqual({
      people: ['nora', 'olaf'],
      roles: ['family', 'both'],
      tokens: [],
    });
  });
});

/** Of a caller without a fresh proof, which roles of one person and the guarded role need. */
const unproven =
  (guarded?: string): Permit =>
  async () =>
    permissionBy(
      () => {
        throw new Error('no proof');
      },
      (role) => role === guarded,
    );

test.each<[what: string, camera: string, guarded: string | undefined, isAsked: boolean]>([
  ['a role of one person gets a camera', 'porch', undefined, true],
  ['only named roles get a camera', 'shed', undefined, false],
  ['a guarded role gets a camera', 'shed', 'staff', true],
  ['a guarded role gets a camera by its group', 'shed', 'neighbour', true],
  ['a guarded role that gets nothing', 'shed', 'guard', false],
])('asks for a proof: %s', async (_, camera, guarded, isAsked) => {
  const text =
    'auth:\n  roles:\n    staff: [shed]\n    guard: [yard]\n  role_access:\n    neighbour: { groups: [street] }\n  camera_groups:\n    street: [shed]\n';
  const house = await houseOf(false, { text });
  const asked = await house.rename(camera, 'entrance', unproven(guarded)).then(
    () => false,
    (error: unknown) => (error as Error).message === 'no proof',
  );
  expect(asked).toBe(isAsked);
  if (isAsked) expect([house.file(), await house.rows()]).toEqual([text, expect.objectContaining(before)]);
});

test('nothing is changed without a permit', async () => {
  const house = await houseOf(false);
  const refused = () => Promise.reject(new Error('not permitted'));
  await expect(house.rename('porch', 'entrance', refused)).rejects.toThrow('not permitted');
  expect([house.file(), await house.rows()]).toEqual([config, expect.objectContaining(before)]);
});

test('with PostgreSQL, a guarded role of config.yml gets nothing, so no proof is asked for', async () => {
  const house = await houseOf(true);
  await house.store.change(unconditional, (on) => writeStoredRole(on, guest, ['yard']));
  const asked = (guarded: string) =>
    house.rename('porch', 'entrance', unproven(guarded)).then(
      () => false,
      () => true,
    );
  expect([await asked('staff'), await asked('family')]).toEqual([true, false]);
});
