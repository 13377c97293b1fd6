import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createInvitations } from '../../../src/features/invitations/invitations.ts';
import { openStore, storePath } from '../../../src/store/sqlite/open-store.ts';
import { systemClock } from '../../../src/clock.ts';
import { postern } from '../../support/postern-here.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';

const password = 'correct-horse-battery';
let directory: string;
const configure = (text: string) => writeFileSync(join(directory, 'config.yml'), text);
beforeEach(async () => {
  directory = temporaryDirectory();
  configure('public_url: https://cameras.example\nauth: {roles: {family: [yard]}}\ncameras: [yard]\n');
});

const add = (name: string, role: string) =>
  postern(directory, ['users', 'add', name, '--role', role], { input: `${password}\n` });
const invite = (...more: readonly string[]) => postern(directory, ['users', 'invite', ...more]);

test('prints a link that opens, with its role and its maker', async () => {
  await add('zoe', 'admin');
  await add('bob', 'admin');
  const { status, output, errors } = await invite('nell', '--role', 'family', '--expires-in', '2d');
  expect(status, errors).toBe(0);
  expect(errors).toContain('for nell as family');
  const [, id = '', secret = ''] =
    /^https:\/\/cameras\.example\/postern\/invite\/([\w-]{16})#([\w-]{43})\n$/.exec(output) ?? [];
  const store = await openStore(storePath(directory), 5_000);
  const opened = await createInvitations(store, systemClock).open(id, secret);
  await store.destroy();
  expect(opened).toMatchObject({ name: 'nell', role: 'family', madeBy: 'bob' });
  expect(opened.expiresAt - systemClock.now()).toBeGreaterThan(86_400_000);
});

test('in the name of another admin', async () => {
  await add('zoe', 'admin');
  await add('bob', 'admin');
  expect((await invite('nell', '--by', 'zoe')).errors).toContain('in the name of zoe');
  expect((await invite('nell', '--by', 'nobody')).errors).toContain('nobody is no admin here');
});

test.each<[what: string, config: string | undefined, args: readonly string[], says: string]>([
  ['no admin', undefined, ['nell'], 'There is no admin yet'],
  ['an unknown role', undefined, ['nell', '--role', 'x'], 'No role x: there are admin, viewer, family'],
  ['no public_url', '{}\n', ['nell'], 'Set public_url'],
  ['no accounts', 'auth: {enabled: false}\n', ['nell'], 'There are no accounts'],
  [
    'invitations that are off',
    'features: {invitations: false}\n',
    ['nell'],
    'is off, by features.invitations',
  ],
])('%s: one sentence', async (_, config, args, says) => {
  if (config !== undefined) configure(config);
  const { status, output, errors } = await invite(...args);
  expect([status, output]).toEqual([1, '']);
  expect(errors).toContain(says);
});
