import { describe, expect, test } from 'vitest';
import { configurationReader } from '../../../src/config/load.ts';
import { lossOf } from '../../../src/config/lost-configuration.ts';
import { ConfigurationError } from '../../../src/config/problem.ts';
import { projectRoot } from '../../support/start-gateway.ts';

const running = `networking:
  listen: { internal: off }
auth:
  enabled: false
  roles:
    neighbour: [front]
    friend: [front, back]
proxy:
  header_map: { user: Remote-User }
  role_map:
    neighbour: [street]
  auth_secret: street_secret_1234
`;

describe('refuses', () => {
  test.each<[what: string, found: string | undefined, path: string]>([
    ['no file', undefined, 'config.yml'],
    ['an empty file', '', 'config.yml'],
    ['blanks', ' \n\n', 'config.yml'],
    ['comments', '# gone\n', 'config.yml'],
    ['a document without content', '---\n...\n', 'config.yml'],
    ['no auth', running.replace(/auth:[^]*proxy/, 'proxy'), 'auth'],
    ['auth without a value', running.replace(/auth:[^]*proxy/, 'auth:\nproxy'), 'auth'],
    ['no proxy', running.replace(/proxy:[^]*/, 'contact: Olaf\n'), 'proxy'],
    ['{}', '{}', 'auth'],
    ['a file that is cut off before the proxy', running.slice(0, running.indexOf('proxy:')), 'proxy'],
    [
      'a file that is cut off before the secret',
      running.replace(/ {2}auth_secret.*\n$/, ''),
      'proxy.auth_secret',
    ],
    ['a file that is cut off within a line', running.slice(0, -3), 'config.yml'],
  ])('%s', (_, found, path) => {
    expect(lossOf(running, found)).toMatchObject({ path });
  });

  test('roles that a file lost with its end', () => {
    const before = 'auth:\n  enabled: true\n  roles:\n    neighbour: [front]\n';
    expect(lossOf(before, 'auth:\n  enabled: true\n')).toMatchObject({ path: 'auth.roles' });
    expect(lossOf(before, 'auth:\n  enabled: true\n  roles:')).toMatchObject({ path: 'auth.roles' });
  });

  test('every beginning of a file that is valid but for its roles', () => {
    const before = 'ui:\n  name: Home\nauth:\n  roles:\n    neighbour: [front]\n';
    const read = configurationReader({}, projectRoot, 'config.yml');
    const opened = Array.from(before.trimEnd(), (_, length) => before.slice(0, length)).filter((found) => {
      try {
        return !read(found).auth.roles.has('neighbour') && lossOf(before, found) === undefined;
      } catch (error) {
        if (error instanceof ConfigurationError) return false;
        throw error;
      }
    });
    expect(opened).toEqual([]);
  });

  test('access rules that a file lost with its end', () => {
    const before = 'auth: {}\naccess:\n  rules:\n    - { path: /api/stats, require: admin-only }\n';
    expect(lossOf(before, 'auth: {}\naccess:\n')).toMatchObject({ path: 'access' });
    expect(lossOf(before, 'auth: {}\n')).toMatchObject({ path: 'access' });
  });
});

describe('lets pass', () => {
  test.each<[what: string, before: string | undefined, found: string | undefined]>([
    ['the same', running, running],
    ['what was never there', undefined, undefined],
    ['a new file', undefined, 'contact: Olaf\n'],
    ['an empty file where there was none', undefined, ''],
    ['an empty file where the file was empty', '# nothing\n', ''],
    ['sections that are empty on purpose', running, 'auth: {}\nproxy: {}\n'],
    ['a section without content that is gone', 'auth: {}\nproxy:\n', 'contact: Olaf\n'],
    ['a role that is gone', running, running.replace(/ +friend.*\n/, '')],
    [
      'the last role of the file that is gone',
      'auth:\n  roles:\n    a: [x]\n    b: [y]\n',
      'auth:\n  roles:\n    a: [x]\n',
    ],
    ['other sections that are gone', `contact: Olaf\n${running}`, running],
    ['the last section, when it restricts nothing', 'auth: {}\ncontact: Olaf\n', 'auth: {}\n'],
    ['a missing line break at the end', 'contact: Olaf\n', 'contact: Olaf'],
    ['nothing left on purpose', 'contact: Olaf\n', '{}'],
  ])('%s', (_, before, found) => {
    expect(lossOf(before, found)).toBeUndefined();
  });
});
