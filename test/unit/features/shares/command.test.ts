import { beforeEach, expect, test } from 'vitest';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import { systemClock } from '../../../../src/clock.ts';
import { createShareUnlocks } from '../../../../src/features/shares/share-unlocks.ts';
import { createShares } from '../../../../src/features/shares/shares.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import { activityPath, openActivity, openStore, storePath } from '../../../../src/store/sqlite/open-store.ts';
import { postern } from '../../../support/postern-here.ts';
import { temporaryDirectory } from '../../store/temporary-store.ts';

let directory: string;
let ids: string[];
beforeEach(async () => {
  directory = temporaryDirectory();
  const store = await openStore(storePath(directory), 5_000);
  await createUsers(store, systemClock).add(
    { username: 'anna', role: 'viewer', passwordHash: 'h' },
    unconditional,
  );
  const shares = createShares(store, systemClock);
  const common = { from: 0, until: 1_000, expiresAt: systemClock.now() + 60_000 };
  const anna = { user: 'anna', role: 'viewer', source: 'session', tokenId: undefined } as const;
  const event = {
    kind: 'event',
    object: 'e1',
    camera: 'front',
    passwordHash: 'h',
    label: 'For Eve',
  } as const;
  const camera = { kind: 'camera', object: undefined, camera: 'garage' } as const;
  const plain = { passwordHash: undefined, label: undefined };
  const made = [
    await shares.add({ ...event, ...common, creator: anna }, 9, unconditional),
    await shares.add(
      { ...camera, ...plain, ...common, creator: { ...anna, user: 'boss', source: 'proxy' } },
      9,
      unconditional,
    ),
  ];
  ids = made.map(({ share }) => share.id);
  await store.destroy();
  const activity = await openActivity(activityPath(directory), 5_000);
  const openings = createShareUnlocks(activity, { clock: systemClock, onError: () => undefined });
  openings.note(ids[0] ?? '', '192.0.2.1');
  await openings.close();
  await activity.destroy();
});

const command = (...args: readonly string[]) => postern(directory, ['shares', ...args]);

test('list prints the shares with their creators, and how often each was opened', async () => {
  const { status, output } = await command('list');
  expect(status).toBe(0);
  const lines = Object.fromEntries(
    output
      .trim()
      .split('\n')
      .map((line) => [line.split('\t')[0], line]),
  );
  expect(lines[ids[0] ?? '']).toMatch(
    /\tevent e1 of front\tanna\tuntil \S+\topened once, last \S+\twith a password\tFor Eve$/,
  );
  expect(lines[ids[1] ?? '']).toMatch(/\tcamera of garage\tboss\tuntil \S+\tnever opened$/);
  const own = (await command('list', '--user', 'anna', '--json')).output.trim();
  expect(JSON.parse(own)).toMatchObject({ id: ids[0], event: 'e1', has_password: true, openings: 1 });
});

test('end ends one, and end-all the rest, with a record', async () => {
  expect((await command('end', 'none')).errors).toContain('No such share: postern shares list');
  expect((await command('end', ids[0] ?? '')).output).toBe('ended a share of anna\n');
  expect((await command('end-all', '--user', 'anna')).output).toBe('ended 0 shares of anna\n');
  expect((await command('end-all')).output).toBe('ended 1 share\n');
  expect((await command('list')).output).toBe('');
  const audit = (await postern(directory, ['audit', '--json'])).output;
  expect(audit.match(/share_ended/g)).toHaveLength(2);
});
