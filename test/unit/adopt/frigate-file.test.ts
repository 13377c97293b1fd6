import * as fc from 'fast-check';
import { stringify } from 'yaml';
import { describe, expect, test } from 'vitest';
import { changedLines, distrustPostern, trustPostern } from '../../../src/adopt/frigate-change.ts';
import { CannotAdopt, readFrigateFile } from '../../../src/adopt/frigate-file.ts';
import { mergeOwn, wantedKeys } from '../../../src/adopt/own-file.ts';
import { contentOf } from '../../../src/adopt/section-edits.ts';
import { ConfigurationError } from '../../../src/config/problem.ts';
import { anyCodePoint } from '../../support/any-code-point.ts';
import { assertCases } from '../../support/assert-cases.ts';
import { files } from './frigate-directories.ts';

const read = (text: string) => readFrigateFile(text, 'config.yml');

test.each([
  ['0.16', 8971, 5000, []],
  ['0.17', 8971, 5000, ['operator']],
  ['0.18', 9971, 5001, ['operator']],
] as const)('reads a file of Frigate %s', (release, port, openPort, roles) => {
  const file = read(files[release]);
  expect(file).toMatchObject({ release, port, openPort, signIn: 'accounts', hasTls: true });
  expect([...file.roles.keys()]).toEqual(roles);
  expect(file.cameras).toHaveLength(5);
});

test.each([
  ['accounts', 'cameras: {}'],
  [
    'accounts',
    'cameras: {}\nauth: {enabled: "yes"}\nproxy: {header_map: {user: remote-user, role: remote-role}}',
  ],
  ['open', 'cameras: {}\nauth: {enabled: no}'],
  ['open', 'cameras: {}\nauth: {enabled: false}\nproxy: {auth_secret: x}'],
  ['proxy', 'cameras: {}\nauth: {enabled: off}\nproxy: {header_map: {user: x-forwarded-user}}'],
  ['proxy', 'cameras: {}\nauth: {enabled: 0}\nproxy: {header_map: {user: Remote-User, role: Remote-Groups}}'],
  [
    'postern',
    'cameras: {}\nauth: {enabled: false}\nproxy: {header_map: {user: Remote-User, role: Remote-Role}}',
  ],
])('finds that the sign-in is %s', (signIn, text) => {
  expect(read(text).signIn).toBe(signIn);
});

describe('refuses, with one sentence', () => {
  test.each([
    ['nothing', '', "is not Frigate's"],
    ['a list', '- cameras', "is not Frigate's"],
    ['a file of something else', 'services: {frigate: {}}', "is not Frigate's"],
    ["Postern's file", 'cameras: {}\nupstream: http://frigate:8971', "is Postern's"],
    ['a newer release', 'version: 0.19-0\ncameras: {}', 'newer Frigate (0.19-0)'],
    ['version 1', 'version: 1.0-0\ncameras: {}', 'newer Frigate (1.0-0)'],
    ['an older release', 'version: 0.15-1\ncameras: {}', 'Frigate 0.15'],
    ['YAML that is none', 'cameras: {', 'config.yml line 1: found '],
    ['a section that is none', 'cameras: {}\nauth: yes please', 'config.yml auth: found text'],
    [
      'a role without cameras',
      'cameras: {a: {}}\nauth: {roles: {ben: []}}',
      'auth.roles.ben: found no cameras',
    ],
    [
      'an unknown camera',
      'cameras: {a: {}}\nauth: {roles: {ben: [a, b]}}',
      'roles.ben: found b, which cameras',
    ],
    ['a role name', 'cameras: {a: {}}\nauth: {roles: {Büro: [a]}}', 'roles.Büro: found a name that'],
    [
      'a role name with a dot',
      'cameras: {a: {}}\nauth: {roles: {b.en: [a]}}',
      'roles.b.en: found a name that',
    ],
    ['a role like admin', 'cameras: {a: {}}\nauth: {roles: {Admin: [a]}}', 'roles.Admin: found a name that'],
    [
      'a role like viewer',
      'cameras: {a: {}}\nauth: {roles: {VIEWER: [a]}}',
      'roles.VIEWER: found a name that',
    ],
    ['the role none', 'cameras: {a: {}}\nauth: {roles: {None: [a]}}', 'roles.None: found a name that'],
    [
      'twins',
      'cameras: {a: {}}\nauth: {roles: {ben: [a], Ben: [a]}}',
      'roles.ben: found a name that another',
    ],
    ['cameras that are none', 'cameras: {a: {}}\nauth: {roles: {ben: {a: 1}}}', 'roles.ben: found a map'],
  ])('%s', (_, text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});

test('leaves out what it only offers: groups of cameras that it does not know', () => {
  const file = read(
    'cameras: {a: {}}\ncamera_groups: {one: {cameras: [a, birdseye]}, two: {cameras: birdseye}, "t/o": {cameras: a}}',
  );
  expect([...file.groups]).toEqual([['one', ['a']]]);
  expect(file.notes).toHaveLength(1);
});

test('takes one of two groups of cameras whose names differ only in letter case', () => {
  const file = read('cameras: {a: {}, b: {}}\ncamera_groups: {docks: {cameras: [a]}, Docks: {cameras: [b]}}');
  expect([...file.groups]).toEqual([['docks', ['a']]]);
  expect(file.notes).toEqual([
    'leaves out the camera group Docks: its name differs from docks only in letter case',
  ]);
});

test("passes over Frigate's own roles, and the one of Postern that sees nothing", () => {
  const file = read(
    'cameras: {a: {}}\nauth: {roles: {admin: [], viewer: [], closed: [no_such_camera], ben: a}}',
  );
  expect([...file.roles]).toEqual([['ben', ['a']]]);
});

const keys = `cameras auth proxy tls roles enabled header_map user role auth_secret version networking listen external database path ui
  timezone camera_groups environment_vars role_map separator default_role logout_url closed front __proto__ toString <<`;
const key = fc.constantFrom(...keys.split(/\s+/));
const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    'yes',
    'remote-user',
    'remote-role',
    '0.17-0',
    '{FRIGATE_X}',
    8971,
    '',
  ),
  fc.string({ unit: anyCodePoint, maxLength: 8 }),
  fc.double(),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 5 }),
  ),
}));
/** Sections of the right kind, so that most documents get past the first look. */
const document = fc.tuple(
  fc.dictionary(key, value, { maxKeys: 6 }),
  fc.dictionary(key, value, { maxKeys: 4 }),
  fc.dictionary(key, value, { maxKeys: 4 }),
  fc.boolean(),
);

test('whatever the file says, it is refused in words, or Frigate trusts Postern only and can be put back', () => {
  assertCases(
    fc.property(document, ([others, auth, proxy, isFlow]) => {
      const text = stringify(
        { cameras: { front: {} }, ...others, auth, proxy },
        isFlow ? { collectionStyle: 'flow' } : {},
      );
      let file;
      try {
        file = read(text);
        const wanted = wantedKeys(file, file, {
          upstream: 'http://frigate:8971',
          database: '/db',
          timeZone: undefined,
          secret: 's',
        });
        const { text: own } = mergeOwn(undefined, '/config/config.yml', wanted, '/frigate');
        expect(mergeOwn(own, '/config/config.yml', wanted, '/frigate').text).toBe(own);
      } catch (error) {
        expect(error instanceof CannotAdopt || error instanceof ConfigurationError).toBe(true);
        return;
      }
      const trusting = trustPostern(text, file, true, 'the-secret');
      const { auth: trusted, proxy: headers, tls } = contentOf(trusting);
      expect(trusted).toMatchObject({ enabled: false });
      expect(headers).toMatchObject({ auth_secret: 'the-secret', default_role: 'closed' });
      expect(tls).toMatchObject({ enabled: false });
      expect(trustPostern(trusting, read(trusting), true, 'the-secret')).toBe(trusting);
      expect(changedLines(text, trusting).join('\n')).not.toContain('the-secret');
      expect(distrustPostern(trusting, text)).toBe(text);
    }),
    { numRuns: 100 },
  );
});

test.each<[what: string, text: string, kept: string]>([
  [
    'lines of Windows',
    'cameras: {a: {}}\r\nauth:\r\n  enabled: true # on\r\nmqtt: { host:   x }\r\n',
    '\r\nmqtt: { host:   x }\r\n',
  ],
  ['a byte order mark', '\uFEFFcameras: {a: {}}\nauth: {enabled: true}\n', '\uFEFFcameras: {a: {}}\n'],
  ['a last line without its end', 'cameras: {a: {}}\nmqtt: { host:   x }', 'mqtt: { host:   x }\nauth:'],
  [
    'a beginning of a document',
    '---\n# first\ncameras: {a: {}}\ntls: # none\nmqtt: { host:   x }\n',
    '\nmqtt: { host:   x }\n',
  ],
  [
    'sections without keys',
    'auth:\n  # enabled: true\n\n# proxies\nproxy:\ncameras: {a: {}}\n',
    '\n\n# proxies\nproxy:',
  ],
  [
    'an indented list after it',
    'auth:\n    roles:\n        ben:\n        - a\n\n    # last\n\ncameras:\n    a: { x:   1 }\n',
    '\ncameras:\n    a: { x:   1 }\n',
  ],
  [
    'merge keys elsewhere',
    'x: &x { y:   1 }\ncameras:\n  a: { <<: *x,   z: 1 }\ntls:\n  enabled: true\n',
    'a: { <<: *x,   z: 1 }\n',
  ],
  ['an alias into the section', 'x: &yes true\ncameras: {a: {}}\nauth: {enabled: *yes}\n', 'x: &yes true\n'],
  [
    'an anchor in the section',
    'auth: {enabled: &yes true}\ncameras: {a: {enabled: *yes}}\n',
    'cameras: {a: {enabled: true}}\n',
  ],
])('keeps %s', (_, text, kept) => {
  const trusting = trustPostern(text, read(text), true, 'the-secret');
  expect(trusting).toContain(kept);
  expect(read(trusting)).toMatchObject({ signIn: 'postern', secret: 'the-secret' });
  expect(distrustPostern(trusting, text)).toBe(text);
  expect(
    distrustPostern(trusting.replace('a: {', 'b: {'), text).replace('b: {', 'a: {').includes('the-secret'),
  ).toBe(false);
});

test('no text at all breaks it', () => {
  assertCases(
    fc.property(fc.string({ unit: anyCodePoint, maxLength: 60 }), (text) => {
      try {
        expect(read(`cameras: {}\n${text}`)).toBeDefined();
      } catch (error) {
        expect(error instanceof CannotAdopt || error instanceof ConfigurationError).toBe(true);
      }
    }),
    { numRuns: 100 },
  );
});
