import { expect, test, describe } from 'vitest';
import { globalDenial, isInternalHost, namedHosts } from '../../../src/policy/global-denial.ts';

const request = {
  entryPoint: 'authenticated',
  front: 'embedded',
  peer: '10.0.0.7',
  method: 'GET',
  uri: '/',
  headers: ['Host', 'evil.example'],
  host: 'evil.example',
} as const;
const refuse = (changes: object, listed: readonly string[] = []) =>
  globalDenial({ ...request, ...changes }, new Set(listed));

test.each(['TRACE', 'CONNECT', 'trace', 'Connect'])('%s', (method) => {
  expect(refuse({ method })).toBe('method_refused');
  expect(refuse({ method, entryPoint: 'internal' })).toBe('method_refused');
});

test.each(['GET', 'TRACER', 'XTRACE', '', undefined])('not %s', (method) => {
  expect(refuse({ method })).toBeUndefined();
});

test('checks the host on the internal entry point only', () => {
  expect(refuse({})).toBeUndefined();
  expect(refuse({ entryPoint: 'internal' })).toBe('host_unknown');
  expect(refuse({ entryPoint: 'internal' }, ['evil.example'])).toBeUndefined();
});

test('requires a host, and every named host to be known', () => {
  const named = (headers: readonly string[], host: string | undefined) =>
    refuse({ entryPoint: 'internal', peer: undefined, headers, host });
  expect(named(['Host', 'localhost'], 'localhost')).toBeUndefined();
  expect(named(['Host', 'localhost', 'Host', 'evil.example'], 'localhost')).toBe('host_unknown');
  expect(named(['Host', 'localhost', 'X-Forwarded-Host', 'evil.example'], 'localhost')).toBe('host_unknown');
  expect(named(['Host', 'evil.example', 'X-Forwarded-Host', 'localhost'], 'localhost')).toBe('host_unknown');
  expect(named([], undefined)).toBe('host_unknown');
});

const listed = new Set(['cameras.example.com']);

describe('a host of the internal entry point', () => {
  test.each([
    '127.0.0.1',
    '10.0.0.5:5000',
    '255.255.255.255',
    '[::1]',
    '[::1]:5000',
    '[fd00::5]',
    '[::ffff:10.0.0.5]',
    'localhost',
    'LOCALHOST:5000',
    'localhost.',
    'postern',
    'gateway_internal',
    'nvr-2:5000',
    'nvr.local',
    'NVR.Local.',
    'a.b.local',
    'nvr.lan',
    'postern.internal',
    'nvr.home.arpa:5000',
    'cameras.example.com',
    'Cameras.Example.COM:443',
    'cameras.example.com.',
  ])('%s', (host) => {
    expect(isInternalHost(host, listed)).toBe(true);
  });

  test.each([
    '',
    ':5000',
    '.',
    'evil.example',
    'evil.example.',
    'evil.example:5000',
    'example.com',
    'x.cameras.example.com',
    'cameras.example.com.evil.example',
    'local.evil.example',
    'evil.example.local.com',
    'evillocal.com',
    '.local',
    'a..local',
    'home.arpa.evil.example',
    'arpa.home.example',
    'x.arpa',
    '127.0.0.1.evil.example',
    '127.0.0.1.nip.io',
    '256.0.0.1',
    '127.0.1',
    '1.2.3.4.5',
    '[evil.example]',
    '[]',
    '[:',
    '[:::]',
    '[.:]',
    'localhost:',
    'localhost:65536',
    'localhost..',
    '::1',
    'localhost@evil.example',
    'evil.example/localhost',
    'evil.example#.local',
    'evil.example?.local',
    'evil.example\\.local',
    'evil.example%2e.local',
    'localhost evil.example',
    'localhost,evil.example',
    'localhost:5000:5000',
    'localhost:5000x',
    'ëvil.local',
  ])('is not %j', (host) => {
    expect(isInternalHost(host, listed)).toBe(false);
  });
});

describe('the hosts in a request', () => {
  const client = { front: 'embedded', peer: '10.0.0.7', uri: '/', host: 'a.local' } as const;
  const behind = { front: 'auth-request', uri: '/', host: undefined } as const;

  test.each<[what: string, request: Parameters<typeof namedHosts>[0], hosts: string[]]>([
    ['Host', { ...client, headers: ['Host', 'a.local'] }, ['a.local', 'a.local']],
    ['two of them', { ...behind, headers: ['Host', 'a', 'host', 'b'] }, ['a', 'b']],
    ['none', { ...behind, headers: [] }, []],
    [
      'a target of absolute-form as well',
      { ...behind, uri: 'http://me@b.test:80/x', headers: ['Host', 'a'] },
      ['a', 'b.test:80'],
    ],
    [
      'X-Forwarded-Host of a front, every line and every part',
      { ...behind, headers: ['Host', 'a', 'X-Forwarded-Host', 'b, c', 'x-forwarded-host', 'd'] },
      ['a', 'b', 'c', 'd'],
    ],
    [
      'not X-Forwarded-Host of a client, but that of a trusted proxy',
      { ...client, host: 'c', headers: ['Host', 'a', 'X-Forwarded-Host', 'b'] },
      ['a', 'c'],
    ],
    [
      'in forward-auth, the host from the front: Host is an address of the gate',
      { ...behind, front: 'forward-auth', host: 'c', headers: ['Host', 'gate.example'] },
      ['c'],
    ],
    [
      'in forward-auth, every part of a list of hosts: a page may have begun it',
      { ...behind, front: 'forward-auth', host: 'c', headers: ['Host', 'gate', 'X-Forwarded-Host', 'c, d'] },
      ['c', 'c', 'd'],
    ],
  ])('%s', (_, request, hosts) => {
    expect(namedHosts(request)).toEqual(hosts);
  });
});
