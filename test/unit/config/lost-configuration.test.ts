import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { configurationReader } from '../../../src/config/load.ts';
import { cutOf, lossOf } from '../../../src/config/lost-configuration.ts';
import { ConfigurationError } from '../../../src/config/problem.ts';
import { assertCases } from '../../support/assert-cases.ts';
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

describe('a reload refuses', () => {
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
    [
      'a file that ends before its last role',
      running.slice(0, running.indexOf('    friend')),
      'auth.roles.friend',
    ],
    [
      'the same, by an editor that ends lines as Windows does',
      running.slice(0, running.indexOf('    friend')).replaceAll('\n', '\r\n'),
      'auth.roles.friend',
    ],
    ['one that ends within a line then', running.slice(0, -3).replaceAll('\n', '\r\n'), 'config.yml'],
  ])('%s', (_, found, path) => {
    expect(lossOf([running], found, 'reload')?.problem).toMatchObject({ path });
  });

  test('access rules that a file lost with its end', () => {
    const before = 'auth: {}\naccess:\n  rules:\n    - { path: /api/stats, require: admin-only }\n';
    expect(lossOf([before], 'auth: {}\naccess:\n', 'reload')?.problem).toMatchObject({ path: 'access' });
    expect(lossOf([before], 'auth: {}\n', 'reload')?.problem).toMatchObject({ path: 'access' });
  });

  test('the end of a file that decides nothing', () => {
    expect(lossOf(['auth: {}\ncontact: Olaf\n'], 'auth: {}\n', 'reload')?.problem).toMatchObject({
      path: 'contact',
    });
  });
});

describe('a reload takes', () => {
  test.each<[what: string, before: string | undefined, found: string | undefined]>([
    ['the same', running, running],
    ['the same with other line ends', running, running.replaceAll('\n', '\r\n')],
    ['what was never there', undefined, undefined],
    ['a new file', undefined, 'contact: Olaf\n'],
    ['an empty file where there was none', undefined, ''],
    ['an empty file where the file was empty', '# nothing\n', ''],
    ['sections that are empty on purpose', running, 'auth: {}\nproxy: {}\n'],
    ['a section without content that is gone', 'auth: {}\nproxy:\n', 'contact: Olaf\n'],
    ['a role that is gone', running, running.replace(/ +friend.*\n/, '')],
    ['other sections that are gone', `contact: Olaf\n${running}`, running],
    ['a missing line break at the end', 'contact: Olaf\n', 'contact: Olaf'],
    ['nothing left on purpose', 'contact: Olaf\n', '{}'],
  ])('%s', (_, before, found) => {
    expect(lossOf(before === undefined ? [] : [before], found, 'reload')).toBeUndefined();
  });
});

describe('a file that was cut', () => {
  const applied = 'auth:\n  roles:\n    kid: [front]\n    dad: [yard]\nui:\n  name: Home\n';

  test.each<[what: string, found: string | undefined, cut: ReturnType<typeof cutOf>]>([
    ['the same', applied, undefined],
    ['without its last line break', applied.trimEnd(), undefined],
    ['with another one', `${applied}\n`, undefined],
    ['no file', undefined, 'missing'],
    ['no bytes', '', 'empty'],
    ['blanks', '\n  \n', 'empty'],
    ['after a line', 'auth:\n  roles:\n    kid: [front]\n', 'cut'],
    ['after a line, without its line break', 'auth:\n  roles:\n    kid: [front]', 'cut'],
    ['within the blanks of the next line', 'auth:\n  roles:\n    kid: [front]\n  ', 'cut'],
    ['within a line', 'auth:\n  roles:\n    kid: [front]\n    da', 'unfinished'],
    ['after a key', 'auth:\n  roles:\n    kid: [front]\n    dad:', 'unfinished'],
    ['longer', `${applied}contact: Olaf\n`, undefined],
    ['another text', 'auth:\n  roles:\n    kid: [yard]\n', undefined],
    ['a line in the middle is gone', applied.replace('    kid: [front]\n', ''), undefined],
  ])('%s', (_, found, cut) => {
    expect(cutOf(applied, found)).toBe(cut);
  });

  test('blanks at the end of a line are not the rest of it', () => {
    expect(cutOf('auth: {}  \r\ncontact: Olaf\r\n', 'auth: {}')).toBe('cut');
  });

  test('nothing was lost where there were no keys', () => {
    expect(cutOf('# ours\n', undefined)).toBeUndefined();
    expect(cutOf('# ours\n', '')).toBeUndefined();
  });

  test('every beginning is one, and no other text', () => {
    const line = fc.constantFrom('auth: {}', 'ui: { name: a b }', 'base_path: /a', '# ours', '# yours', '  ');
    const lines = fc.uniqueArray(line, { minLength: 1 });
    assertCases(
      fc.property(lines, fc.nat(), fc.constantFrom('', '\n', ' \n\n'), (written, at, end) => {
        const whole = `contact: Olaf\n${written.join('\n')}`;
        const begin = whole.slice(0, at % (whole.length + 1));
        const isWhole = begin.trimEnd() === whole.trimEnd();
        expect(cutOf(whole, `${begin}${end}`) === undefined).toBe(isWhole);
        expect(cutOf(`${whole}\n#`, `${whole}\n# and more${end}`)).toBeUndefined();
      }),
    );
  });
});

describe('a start', () => {
  const applied = 'contact: Olaf\nauth:\n  roles:\n    kid: [front]\nui:\n  name: Home\n';
  const atStart = (found: string | undefined, texts: readonly string[] = [applied]) =>
    lossOf(texts, found, 'start');

  test.each<[what: string, found: string | undefined, path: string]>([
    ['no file', undefined, 'config.yml'],
    ['an empty one', '', 'config.yml'],
    ['one without its roles', 'contact: Olaf\n', 'auth'],
    ['one that ends within a line', applied.slice(0, -3), 'config.yml'],
  ])('refuses %s', (_, found, path) => {
    expect(atStart(found)?.problem).toMatchObject({
      path,
      allowed: expect.stringContaining('config accept'),
    });
  });

  test('warns where nothing that decides access is gone', () => {
    expect(atStart(applied.slice(0, applied.indexOf('ui:')))).toEqual({
      warnings: [
        'config.yml ends before the end of the text that Postern applied last, and lacks ui: put the rest back if it was cut off',
      ],
    });
  });

  test('takes a file that someone changed, and compares nothing where nothing is known', () => {
    expect(atStart('contact: Olaf\nauth:\n  roles: {}\n')).toBeUndefined();
    expect(atStart(undefined, [])).toBeUndefined();
    expect(atStart('', [])).toBeUndefined();
  });

  test('takes each of two texts, although one is the beginning of the other, and no third', () => {
    const before = `${applied}store:\n  url: postgres://db/postern\n`;
    expect(atStart(applied, [before, applied])).toBeUndefined();
    expect(atStart(before, [before, applied])).toBeUndefined();
    expect(atStart('contact: Olaf\n', [before, applied])?.problem).toMatchObject({ path: 'auth' });
  });
});

const household = `# our house
networking:
  listen: { authenticated: 8971, internal: "127.0.0.1:5000" }
auth:
  enabled: true
  failed_login_rate_limit: null
  camera_groups:
    outside: [front, yard]
  roles:
    kid: [front, yard]
    neighbour:
      - front
      - garage
    cleaner: [hall]
  role_access:
    kid: { may: [live], hours: "07:00-19:00" }
    neighbour:
      groups: [outside]
      may: [live, history]
      from: 2026-12-20
      until: 2027-01-05
      history: from
    viewer: { may: [live, history] }
  second_factor:
    required_for: [admin]
proxy:
  header_map:
    user: Remote-User
    role: Remote-Groups
    role_map:
  separator: null
  default_role: viewer
  role_map:
    kid: [kids]
    none:
      - strangers
      - "former tenants"
  user_map:
    olaf: cleaner
    eve: none
  auth_secret: a long secret of the proxy
access:
  rules:
    - { path: /api/stats, require: admin-only }
    - path: /api/porch/:camera
      require: camera-in-path
      methods: [GET]
# names of guests: Zoë
ui:
  name: Home
contact: mailto:olaf@example.org
`;

describe('a configuration of a household, cut after each of its bytes', () => {
  const read = configurationReader({}, projectRoot, 'config.yml');
  const bytes = Buffer.from(household);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const whole = read(household);
  /** @returns what was taken: cuts that are valid by themselves and lost nothing that stops them */
  const taken = (at: 'start' | 'reload') =>
    Array.from(bytes, (_, length) => bytes.subarray(0, length)).flatMap((cut) => {
      try {
        const text = decoder.decode(cut);
        if (lossOf([household], text, at)?.problem !== undefined) return [];
        return [{ text, found: read(text) }];
      } catch (error) {
        // Bytes that are no text stop a start and a reload too.
        if (error instanceof ConfigurationError || error instanceof TypeError) return [];
        throw error;
      }
    });

  test('a reload takes none', () => {
    expect(taken('reload').filter(({ text }) => text.trimEnd() !== household.trimEnd())).toEqual([]);
  });

  test('a start takes those with which the same people see the same', () => {
    const started = taken('start');
    expect(started.length).toBeGreaterThan(3);
    for (const { found } of started)
      expect(found).toMatchObject({
        auth: whole.auth,
        proxy: whole.proxy,
        accessRules: whole.accessRules,
        store: whole.store,
        listen: whole.listen,
      });
  });
});
