import * as fc from 'fast-check';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { loadConfiguration } from '../../../src/config/load.ts';
import { ConfigurationError } from '../../../src/config/problem.ts';
import { assertCases } from '../../support/assert-cases.ts';
import { rolesOf } from '../../support/roles.ts';

const root = mkdtempSync(join(tmpdir(), 'postern-load-'));
const directory = join(root, 'config');
const file = join(directory, 'config.yml');
const trustedHeadersFile = join(root, 'trusted.conf');
const environment = { SERVICE_CONFIG_DIR: directory, SERVICE_TRUSTED_HEADERS_FILE: trustedHeadersFile };

beforeEach(() => {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory);
  writeFileSync(trustedHeadersFile, 'proxy_set_header X-Proxy-Secret $http_x_proxy_secret;\n');
});
afterAll(() => rmSync(root, { recursive: true }));

const load = (text: string | Uint8Array) => {
  writeFileSync(file, text);
  return loadConfiguration(environment, root);
};
const errorOf = (attempt: () => unknown): ConfigurationError => {
  try {
    attempt();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('there was no problem');
};

describe('what is read', () => {
  test('without config.yml, the defaults', () => {
    const loaded = loadConfiguration(environment, root);
    expect(loaded).toMatchObject({ fileFound: false, directory, trustedHeadersFile });
    expect(loaded.configuration.eventsDatabase).toBeUndefined();
    expect(loaded.configuration.proxy.trustedHeaders).toEqual(new Set(['x-proxy-secret']));
  });

  test.each<[what: string, text: string]>([
    ['an empty file', ''],
    ['comments', '# nothing yet\n'],
    ['only sections of the recorder', 'mqtt:\n  host: mqtt.test\n'],
    ['a byte order mark', '\ufeffmqtt:\n'],
  ])('%s', (_, text) => {
    expect(load(text)).toMatchObject({ fileFound: true, configuration: { auth: { enabled: true } } });
  });

  test('keys of the file, and secrets of the environment', () => {
    writeFileSync(file, 'auth:\n  enabled: false\nproxy:\n  auth_secret: "{SERVICE_PROXY}"\n');
    const { configuration } = loadConfiguration({ ...environment, SERVICE_PROXY: 's3cret' }, root);
    expect(configuration).toMatchObject({ auth: { enabled: false }, proxy: { authSecret: 's3cret' } });
  });

  test('anchors and merge keys', () => {
    expect(
      load('x: &all [front, back]\nauth:\n  roles: { family: *all }\n').configuration.auth.roles,
    ).toEqual(rolesOf([['family', ['front', 'back']]]));
  });

  test('custom roles in the order of the file, for any names', () => {
    const { configuration } = load('auth:\n  roles:\n    night: [a]\n    7: [b]\n    a.b: [c]\n');
    expect([...configuration.auth.roles.keys()]).toEqual(['admin', 'viewer', 'night', '7', 'a.b']);
  });

  test('without the variables, the trusted headers of the program', () => {
    writeFileSync(join(root, 'proxy_trusted_headers.conf'), 'proxy_set_header A $http_a;');
    const empty = { SERVICE_CONFIG_DIR: directory, SERVICE_TRUSTED_HEADERS_FILE: '' };
    expect(loadConfiguration(empty, root).configuration.proxy.trustedHeaders).toEqual(new Set(['a']));
  });
});

describe('what cannot be read', () => {
  test.each<[what: string, text: string | Uint8Array, path: string, found: RegExp]>([
    ['no YAML', 'auth:\n  enabled: "true\n', `${file} line `, /quote/],
    ['a key twice', 'auth: {}\ntls: {}\nauth: {}\n', `${file} line 3`, /unique/],
    ['two documents', 'auth: {}\n---\nauth: {}\n', `${file} line 2`, /documents/],
    ['a list', '- auth\n', 'config.yml', /^a list$/],
    ['a text', 'auth\n', 'config.yml', /^text$/],
    ['no UTF-8', Uint8Array.of(0x61, 0xff), file, /UTF-8/],
    ['an unknown anchor', 'auth: *nowhere\n', file, /./],
    ['an alias bomb', bomb(), file, /./],
  ])('%s', (_, text, path, found) => {
    const [problem] = errorOf(() => load(text)).problems;
    expect(problem?.path.startsWith(path)).toBe(true);
    expect(problem?.found).toMatch(found);
  });

  test('one slip is told once, and a comment among brackets is named', () => {
    const told = (text: string) =>
      errorOf(() => load(text)).problems.map(({ path, found }) => `${path} ${found}`);
    expect(told('proxy: {auth_secret: ${SECRET}}\n')).toHaveLength(1);
    for (const text of ['ui: {accent: #1f6f5e}\n', 'ui: {name: Home, accent: #1f6f5e}\n', 'a: [x, #y]\n'])
      expect(told(text)).toContain(`${file} line 1 a comment where a value belongs`);
    for (const text of ['a: [x, y] #ours\nb: "\n', 'a: [x, #ours\n  y]\nb: "\n', '# {a: #b}\nb: "\n'])
      expect(told(text).join()).not.toContain('comment');
  });

  test('a directory in the place of the file', () => {
    mkdirSync(file);
    const { problems } = errorOf(() => loadConfiguration(environment, root));
    expect(problems).toMatchObject([{ path: file, found: expect.stringContaining('EISDIR') as string }]);
  });

  test('no trusted-headers file where the environment says', () => {
    rmSync(trustedHeadersFile);
    const { problems } = errorOf(() => loadConfiguration(environment, root));
    expect(problems).toMatchObject([{ path: trustedHeadersFile, found: 'no file' }]);
  });

  test('a TZ of the environment that is no time zone', () => {
    const { problems } = errorOf(() => loadConfiguration({ ...environment, TZ: 'Europe/Berln' }, root));
    expect(problems).toMatchObject([
      { path: 'the environment variable TZ', found: expect.stringContaining('Berln') as string },
    ]);
  });

  test('problems of both files at once', () => {
    writeFileSync(trustedHeadersFile, 'nonsense\n');
    const { problems } = errorOf(() => load('auth:\n  enable: true\n'));
    expect(problems.map(({ path }) => path)).toEqual([`${trustedHeadersFile} line 1`, 'auth.enable']);
  });

  test('the message has a line for each problem', () => {
    const error = errorOf(() => load('auth:\n  enabled: 1\n  cookie_name: 2\n'));
    expect(error.message.split('\n')).toEqual([
      'auth.enabled: found a number, allowed is true or false',
      'auth.cookie_name: found a number, allowed is a cookie name',
    ]);
  });
});

function bomb(): string {
  const lines = ['a: &a [x, x, x, x, x, x, x, x, x]'];
  for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef']) {
    lines.push(`${to}: &${to} [${Array.from({ length: 9 }, () => `*${from}`).join(', ')}]`);
  }
  return lines.join('\n');
}

test('no problem repeats a secret that breaks the YAML', () => {
  const secret = 'hunter2';
  const around = fc.constantFrom(
    '',
    '"',
    "'",
    '*',
    '&',
    '!',
    '!!',
    '!<',
    '|',
    '>',
    '@',
    '%',
    '`',
    '[',
    '{',
    ']',
  );
  const after = fc.constantFrom('', '"', "'", ': x', ' x', ']', '}', '!x y', '\\q"', '\n x', ',', ' #');
  assertCases(
    fc.property(around, after, (before, behind) => {
      try {
        load(`proxy:\n  auth_secret: ${before}${secret}${behind}\n`);
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigurationError);
        expect((error as ConfigurationError).message).not.toContain(secret);
      }
    }),
    { numRuns: 400, reaching: 0.7 },
  );
});
