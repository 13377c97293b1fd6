import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../../../src/clock.ts';
import { clockAt } from '../../../support/clock-at.ts';
import { createApiTokens } from '../../../../src/features/api-tokens/api-tokens.ts';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import { activityPath, openActivity, openStore, storePath } from '../../../../src/store/sqlite/open-store.ts';
import { postern } from '../../../support/postern-here.ts';
import { temporaryDirectory } from '../../store/temporary-store.ts';
import { unconditional } from '../../../../src/store/permit.ts';

beforeAll(() => void vi.stubEnv('TZ', 'Europe/Berlin'));
afterAll(() => void vi.unstubAllEnvs());

let directory: string;
beforeEach(async () => {
  directory = temporaryDirectory();
  writeFileSync(
    join(directory, 'config.yml'),
    'auth:\n  roles:\n    family: [front, garden]\n    porch: [front]\ncameras: [front, garden, garage]\n',
  );
  const store = await openStore(storePath(directory), 5_000);
  const users = createUsers(store, clockAt(1_000_000));
  await users.add({ username: 'boss', role: 'admin', passwordHash: 'h1' }, unconditional);
  await users.add({ username: 'anna', role: 'family', passwordHash: 'h2' }, unconditional);
  await store.destroy();
});

const tokens = (...args: readonly string[]) => postern(directory, ['tokens', ...args]);

async function check(token: string) {
  const store = await openStore(storePath(directory), 5_000);
  try {
    return await createApiTokens(store, { clock: systemClock, storeVersion: () => 0 }).check(token);
  } finally {
    await store.destroy();
  }
}

test('add prints only the token to stdout, and the rest to stderr', async () => {
  const { status, output, errors } = await tokens(
    'add',
    'boss',
    'Home Assistant',
    '--cameras',
    'front, garage',
    '--expires-in',
    '90d',
  );
  expect(status).toBe(0);
  expect(output).toMatch(/^postern_[\w-]{43}\n$/);
  expect(errors).toMatch(
    /^made [0-9a-f-]{36} for boss as viewer; it expires \S+[+-]\d\d:\d\d\. It is shown only once:\n$/,
  );
  const found = await check(output.trim());
  expect(found).toMatchObject({
    apiToken: { name: 'Home Assistant', role: 'viewer', cameras: new Set(['front', 'garage']) },
  });
  const { createdAt = 0, expiresAt = 0 } = 'apiToken' in found ? found.apiToken : {};
  // A second may begin between the two.
  expect([0, 1_000]).toContain(90 * 86_400_000 - (expiresAt - createdAt));
});

test.each<[args: string[], role: string]>([
  [['boss', 'x'], 'viewer'],
  [['boss', 'x', '--role', 'admin'], 'admin'],
  [['anna', 'x'], 'family'],
  [['anna', 'x', '--role', 'porch'], 'porch'],
])('add %j makes a token of %s', async (args, role) => {
  const { output, errors } = await tokens('add', ...args);
  expect(errors).toContain('it does not expire');
  expect(await check(output.trim())).toMatchObject({ apiToken: { role, cameras: undefined } });
});

test.each<[args: string[], said: string]>([
  [['add', 'nobody', 'x'], 'No such user'],
  [['add', 'anna', 'x', '--role', 'viewer'], 'The role should be one that its owner may give: family, porch'],
  [['add', 'boss', 'x', '--role', 'nobody'], 'The role should be one that its owner may give'],
  [['add', 'boss', 'x', '--cameras', 'attic'], 'There is no camera attic'],
  [['add', 'boss', 'x', '--cameras', 'front,'], 'Names, with commas between them'],
  [['add', 'boss', 'x', '--role', 'admin', '--cameras', 'front'], 'cannot be limited'],
  [['add', 'boss', 'x', '--may', 'live,walk'], 'Found walk, allowed is one of live, history, export, ptz'],
  [['add', 'boss', 'x\ny'], 'A name has 1 to 64 printable characters'],
  [['add', 'boss', 'x', '--expires-in', '5y'], 'Hours or days'],
  [['add', 'boss', 'x', '--expires-in', '0d'], 'Hours or days'],
  [['add', 'boss', 'x', '--expires-in', '3651d'], 'at most 3650d'],
  [['revoke', 'x'], 'No such API token: postern tokens list'],
  [['list', '--user', 'nobody'], 'No such user'],
  [['revoke'], "missing required argument 'id'"],
])('%j: %s', async (args, said) => {
  const { status, output, errors } = await tokens(...args);
  expect([status, output]).toEqual([1, '']);
  expect(errors).toContain(said);
  expect((await tokens('list')).output).toBe('');
});

test('a token with words of its own is listed with as many columns as one without', async () => {
  await tokens('add', 'anna', 'x', '--may', 'live, history');
  await tokens('add', 'anna', 'y');
  const rows = (await tokens('list')).output.split('\n').map((line) => line.split('\t').slice(1));
  expect(rows).toEqual([
    ['anna', 'x', 'family; may: live, history', 'does not expire', 'never used'],
    ['anna', 'y', 'family', 'does not expire', 'never used'],
    [],
  ]);
});

test('rejects a name that is taken', async () => {
  await tokens('add', 'boss', 'x');
  expect((await tokens('add', 'boss', 'x')).errors).toContain('An API token with this name already exists');
});

describe('with tokens in use', () => {
  let ids: string[];
  beforeEach(async () => {
    const store = await openStore(storePath(directory), 5_000);
    const apiTokens = createApiTokens(store, { clock: clockAt(1_000_000), storeVersion: () => 0 });
    const common = { cameras: undefined, expiresAt: undefined };
    const made = [
      await apiTokens.add(
        {
          ...common,
          owner: 'anna',
          name: 'a',
          role: 'family',
          cameras: new Set(['front']),
        },
        unconditional,
      ),
      await apiTokens.add({ ...common, owner: 'anna', name: 'b', role: 'viewer' }, unconditional),
      await apiTokens.add(
        { ...common, owner: 'boss', name: 'c', role: 'admin', expiresAt: 2_000_000 },
        unconditional,
      ),
    ];
    ids = made.map(({ apiToken }) => apiToken.id);
    await store.destroy();
    const activity = await openActivity(activityPath(directory), 5_000);
    await activity
      .insertInto('api_token_uses')
      .values({ token_id: ids[0] ?? '', last_used_at: 1_500, address: '192.0.2.1' })
      .execute();
    await activity.destroy();
  });

  test('list prints what each token may do, and whether it is valid', async () => {
    expect((await tokens('list')).output).toBe(
      [
        `${ids[0]}\tanna\ta\tfamily: front\tdoes not expire\tused 1970-01-01T01:25:00+01:00 from 192.0.2.1\n`,
        `${ids[1]}\tanna\tb\tviewer\tdoes not expire\tnever used\tREFUSED: wider than its owner\n`,
        `${ids[2]}\tboss\tc\tadmin\texpires 1970-01-01T01:33:20+01:00\tnever used\tEXPIRED\n`,
      ].join(''),
    );
    const { output } = await tokens('list', '--user', 'anna', '--json');
    expect(
      output
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
    ).toEqual([
      {
        id: ids[0],
        username: 'anna',
        name: 'a',
        role: 'family',
        cameras: ['front'],
        access: null,
        created_at: 1_000,
        expires_at: null,
        last_used_at: 1_500,
        last_used_from: '192.0.2.1',
        state: 'good',
      },
      expect.objectContaining({ id: ids[1], state: 'too_wide' }),
    ]);
  });

  test('list works when the last uses cannot be read', async () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${activityPath(directory)}${suffix}`, { force: true });
    writeFileSync(activityPath(directory), 'no database');
    const { status, output, errors } = await tokens('list');
    expect([status, output.split('\n').length]).toEqual([0, 4]);
    expect(errors).toContain('the last uses cannot be read');
  });

  test('revoke ends one token', async () => {
    expect(await tokens('revoke', ids[1] ?? '')).toEqual({
      status: 0,
      output: 'revoked b of anna\n',
      errors: '',
    });
    expect((await tokens('list')).output).not.toContain(ids[1]);
  });
});
