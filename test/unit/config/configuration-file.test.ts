import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createConfigurationFile } from '../../../src/config/configuration-file.ts';
import { createRolesFile } from '../../../src/accounts/roles/roles-file.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';

/** Sets `upstream`. @returns what is in the file then; undefined: none */
async function setUpstream(
  before: string | undefined,
  check: () => () => void = () => () => undefined,
): Promise<string | undefined> {
  const directory = temporaryDirectory();
  const path = join(directory, 'config.yml');
  if (before !== undefined) writeFileSync(path, before);
  try {
    await createConfigurationFile(directory, check).change('settings changed', (document) =>
      document.set('upstream', 'http://recorder:8971'),
    );
  } catch {
    // Only the content of the file matters here.
  }
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

test.each<[what: string, before: string | undefined, after: string]>([
  ['there is no file', undefined, 'upstream: http://recorder:8971\n'],
  ['the file is empty', '', 'upstream: http://recorder:8971\n'],
  ['nothing but a comment is in it', '# our house\n', '# our house\n\nupstream: http://recorder:8971\n'],
  [
    'other keys stay, and their comments',
    '# our house\nauth:\n  enabled: true # by us\n',
    '# our house\nauth:\n  enabled: true # by us\nupstream: http://recorder:8971\n',
  ],
  [
    'the key is there, with a comment behind it',
    'upstream: "http://former:5000" # in the cellar\ncameras: [ front ]\n',
    'upstream: "http://recorder:8971" # in the cellar\ncameras: [front]\n',
  ],
])('sets a key where %s', async (_, before, after) => {
  expect(await setUpstream(before)).toBe(after);
});

test('does not write an invalid configuration', async () => {
  const refuse = () => {
    throw new Error('no good');
  };
  expect(await setUpstream('cameras: [front]\n', refuse)).toBe('cameras: [front]\n');
  expect(await setUpstream(undefined, refuse)).toBeUndefined();
});

test('keeps what someone else writes while a change is being checked', async () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'config.yml');
  writeFileSync(path, 'cameras: [front]\n');
  let checks = 0;
  const file = createConfigurationFile(directory, () => {
    checks += 1;
    if (checks === 1) writeFileSync(path, 'cameras: [front, yard]\n');
    return () => undefined;
  });
  await file.change('settings changed', (document) => document.set('upstream', 'http://recorder:8971'));
  expect(readFileSync(path, 'utf8')).toBe('cameras: [front, yard]\nupstream: http://recorder:8971\n');
  expect(checks).toBe(2);
});

test('gives up when the file never stays the same', async () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'config.yml');
  let checks = 0;
  const file = createConfigurationFile(directory, () => {
    checks += 1;
    writeFileSync(path, `cameras: [camera_${checks}]\n`);
    return () => undefined;
  });
  await expect(
    file.change('settings changed', (document) => document.set('upstream', 'http://recorder')),
  ).rejects.toThrow(expect.objectContaining({ code: 'configuration_read_only' }));
  expect(readFileSync(path, 'utf8')).toBe(`cameras: [camera_${checks}]\n`);
});

test('two changes at the same moment are both there', async () => {
  const directory = temporaryDirectory();
  const changes = ['upstream', 'logout_url'].map((key) =>
    createConfigurationFile(directory, () => () => undefined).change('settings changed', (document) =>
      document.set(key, 'http://a'),
    ),
  );
  await Promise.all(changes);
  expect(readFileSync(join(directory, 'config.yml'), 'utf8')).toBe(
    'upstream: http://a\nlogout_url: http://a\n',
  );
});

test('a role beside merged ones is written, and none is lost', async () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'config.yml');
  const before = `x: &base
  roles: &roles { family: [front] }
auth:
  <<: *base
more:
  roles: { <<: *roles, friend: [back] }
`;
  writeFileSync(path, before);
  const file = createRolesFile(directory, () => () => undefined);
  await file.set('guest', ['front']);
  const rolesOf = () =>
    (parse(readFileSync(path, 'utf8'), { merge: true }) as { auth: { roles: object } }).auth.roles;
  expect(rolesOf()).toEqual({ family: ['front'], guest: ['front'] });
  await file.remove('family', { commit: (prepare) => prepare(), alone: (put) => put() });
  expect(rolesOf()).toEqual({ guest: ['front'] });
  expect(readFileSync(path, 'utf8')).toContain('roles: &roles {family: [front]}');
  expect(readFileSync(path, 'utf8')).toContain('{<<: *roles, friend: [back]}');
});
