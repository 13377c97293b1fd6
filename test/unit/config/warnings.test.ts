import { chmodSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configurationReader, loadConfiguration, warningsOfDrive } from '../../../src/config/load.ts';
import { projectRoot } from '../../support/start-gateway.ts';
import { resolve } from './resolve-document.ts';

const warningsOf = (text: string) => configurationReader({}, projectRoot, 'config.yml')(text).warnings;

describe('a comment that swallowed a value', () => {
  test.each([
    ['ui:\n  accent: #1f6f5e\n', 'ui.accent has no value'],
    ['ui: { \n  accent: #1f6f5e\n}\n', 'ui.accent has no value'],
    ['contact: #general in our chat\n', 'contact has no value'],
    ['recorder:\n  auth_secret: #s3cret\n', 'recorder.auth_secret has no value: YAML reads'],
    ['proxy:\n  auth_secret: begins #and ends\n', 'proxy.auth_secret ends before a #'],
  ])('%j', (text, warning) => {
    expect(warningsOf(text)).toContainEqual(expect.stringContaining(warning));
    expect(warningsOf(text).join()).not.toMatch(/1f6f5e|general|s3cret|ends before a #.*begins #/);
  });

  test.each([
    'ui:\n  accent: "#1f6f5e"\n',
    'ui:\n  accent: # what guests see\n',
    'ui: #ours\n  accent: "#1f6f5e"\n',
    'ui:\n  name: Home #ours\n',
    'ui:\n  name:\n  #accent: red\n',
    'proxy:\n  auth_secret: a secret # of the proxy\n',
    'detect: #1\nmqtt:\n  password: a #b\n',
  ])('but no comment: %j', (text) => {
    expect(warningsOf(text)).toEqual([]);
  });
});

describe('a network with bits of a host', () => {
  test.each([
    [
      '192.168.1.5/24',
      '192.168.1.5/24 is all of 192.168.1.0/24. Write that, or 192.168.1.5 for this address',
    ],
    ['10.1.2.3/0', '10.1.2.3/0 is all of 0.0.0.0/0'],
    ['fd00::1:2/64', 'fd00::1:2/64 is all of fd00::/64'],
    ['::ffff:10.0.0.1/120', '::ffff:10.0.0.1/120 is all of ::ffff:a00:0/120'],
  ])('%s', (network, warning) => {
    const { warnings } = resolve({ auth: { trusted_proxies: [network] }, fronts: { trusted: [network] } });
    expect(warnings.slice(0, 2)).toEqual([
      expect.stringContaining(`auth.trusted_proxies: ${warning}`),
      expect.stringContaining(`fronts.trusted: ${warning}`),
    ]);
  });

  test.each([
    '192.168.1.0/24',
    '192.168.1.5',
    '192.168.1.5/32',
    '0.0.0.0/0',
    'fd00::/8',
    '::1',
    '::/0',
    '::1/128',
  ])('not %s', (network) => {
    expect(resolve({ auth: { trusted_proxies: [network] } }).warnings.join()).not.toContain('is all of');
  });
});

test('a placeholder as a shell writes it', () => {
  const secret = (text: string) =>
    resolve({ proxy: { auth_secret: text } }, { FRIGATE_PROXY_SECRET: 'its secret' });
  expect(secret('${FRIGATE_PROXY_SECRET}').warnings).toContainEqual(
    expect.stringMatching(/^proxy\.auth_secret has a \$ before a placeholder/),
  );
  expect(secret('{FRIGATE_PROXY_SECRET}').warnings.join()).not.toContain('$');
});

test('curly quotes in a secret', () => {
  for (const secret of ['“street secret”', '‘street secret’', '{SERVICE_S}'])
    expect(resolve({ proxy: { auth_secret: secret } }, { SERVICE_S: '„street secret“' }).warnings).toEqual([
      expect.stringMatching(/^proxy\.auth_secret has curly quotes/),
    ]);
});

describe('around the file', () => {
  const load = (mode: number, level?: string) => {
    const directory = mkdtempSync(join(tmpdir(), 'postern-around-'));
    const file = join(directory, 'real.yml');
    writeFileSync(file, 'auth: {}\n');
    chmodSync(file, mode);
    symlinkSync(file, join(directory, 'config.yml'));
    const environment = { SERVICE_CONFIG_DIR: directory, ...(level !== undefined && { LOG_LEVEL: level }) };
    return loadConfiguration(environment, projectRoot).configuration.warnings;
  };

  test('a mode that lets everyone write', () => {
    expect(load(0o666)).toEqual([
      expect.stringMatching(/^config\.yml can be changed by every user.*chmod o-w/),
    ]);
    expect(load(0o664)).toEqual([]);
  });

  test.each([
    ['warning', '(did you mean warn?)'],
    ['DEBUG', '(did you mean debug?)'],
    ['verbose', 'LOG_LEVEL is "verbose", and counts as info'],
  ])('LOG_LEVEL %s', (level, text) => {
    expect(load(0o600, level)).toEqual([expect.stringContaining(text)]);
  });

  test.each(['', 'info', 'silent'])('but not LOG_LEVEL %j', (level) => {
    expect(load(0o600, level)).toEqual([]);
  });
});

describe('a directory on a network drive', () => {
  const here = import.meta.dirname;

  test.each([
    [0x6969, 'NFS'],
    [0xfe534d42, 'SMB'],
    // As signed numbers, on some systems.
    [0xff534d42 | 0, 'CIFS'],
  ])('%d is warned of, as %s', (type, name) => {
    expect(warningsOfDrive(here, () => type)).toEqual([expect.stringContaining(`network drive (${name})`)]);
  });

  test.each([0xef53, 0x58465342, 0x794c7630, 0x01021994])('a disk is not: %d', (type) => {
    expect(warningsOfDrive(here, () => type)).toEqual([]);
  });

  test('nor is one that is not there yet, nor this one', () => {
    expect(warningsOfDrive('/nonexistent')).toEqual([]);
    expect(warningsOfDrive(here)).toEqual([]);
  });
});
