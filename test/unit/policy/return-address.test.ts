import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  destinationOf,
  locationOf,
  returnAddress,
  saysBeforeNext,
  type Landing,
} from '../../../src/policy/return-address.ts';
import { assertCases } from '../../support/assert-cases.ts';

const domains = ['cameras.example'];

test.each<[search: string, address: string]>([
  ['', '/'],
  ['?next=', '/'],
  ['?next=%2Fpostern%2Fexplore%3Flabel%3Dcar', '/postern/explore?label=car'],
  ['?next=/postern/explore?label=car&x=1', '/postern/explore?label=car&x=1'],
  ['?ended=1&next=/postern/account', '/postern/account'],
  ['?next=/a#b', '/a#b'],
  ['?next=https://cameras.example/x?y', 'https://cameras.example/x?y'],
  ['?next=https%3A%2F%2Fyard.cameras.example%2F', 'https://yard.cameras.example/'],

  ['?next=//evil.test', '/'],
  ['?next=%2F%2Fevil.test', '/'],
  ['?next=/\\evil.test', '/'],
  ['?next=%2F%5Cevil.test', '/'],
  ['?next=\\\\evil.test', '/'],
  ['?next=/%09/evil.test', '/%09/evil.test'],
  ['?next=%2F%09%2Fevil.test', '/'],
  ['?next=%2F%0A%2Fevil.test', '/'],
  ['?next=%09%2F%2Fevil.test', '/'],
  ['?next=%20https://cameras.example/', '/'],
  ['?next=evil.test', '/'],
  ['?next=javascript:alert(1)', '/'],
  ['?next=java%09script:alert(1)', '/'],
  ['?next=java%0Ascript:alert(1)', '/'],
  ['?next=JavaScript:alert(1)', '/'],
  ['?next=data:text/html,x', '/'],
  ['?next=https:evil.test', '/'],
  ['?next=https:/evil.test', '/'],
  ['?next=https://evil.test/', '/'],
  ['?next=http://cameras.example/', '/'],
  ['?next=HTTPS://cameras.example/', '/'],
  ['?next=https://cameras.example:8443/', '/'],
  ['?next=https://cameras.example.evil.test/', '/'],
  ['?next=https://evilcameras.example/', '/'],
  ['?next=https://cameras.example@evil.test/', '/'],
  ['?next=https://a:b@cameras.example/', '/'],
  ['?next=https://evil.test\\.cameras.example/', '/'],
  ['?next=https://evil.test%5C.cameras.example/', '/'],
  ['?next=https://evil.test%23.cameras.example/', '/'],
  ['?next=%', '/'],
])('%s leads to %s', (search, address) => {
  expect(returnAddress(search, domains)).toBe(address);
});

test('accepts only paths without domains', () => {
  expect(returnAddress('?next=https://cameras.example/', [])).toBe('/');
});

test('any result is of this origin, or https to a domain', () => {
  const part = fc.constantFrom(
    '/',
    '\\',
    '\t',
    '\n',
    ':',
    '@',
    '#',
    '?',
    '.',
    'https:',
    'javascript:',
    'evil.test',
    'cameras.example',
    '%2f',
    '%5c',
    '%09',
  );
  assertCases(
    fc.property(fc.array(part, { maxLength: 8 }), fc.boolean(), (parts, encoded) => {
      const value = parts.join('');
      const address = returnAddress(`?next=${encoded ? encodeURIComponent(value) : value}`, domains);
      const { origin } = new URL(address, 'http://own.test');
      expect(['http://own.test', 'https://cameras.example']).toContain(origin);
    }),
    { numRuns: 2_000 },
  );
});

test.each<[address: string, prefix: string, location: string]>([
  ['/', '', '/'],
  ['/', '/gate', '/gate/'],
  ['/postern/?a=b#c', '', '/postern/?a=b#c'],
  ['/postern/', '/gate', '/gate/postern/'],
  ['/gate/postern/', '/gate', '/gate/postern/'],
  ['/gatepost/', '/gate', '/gate/gatepost/'],
  ['/gate', '/gate', '/gate/'],
  ['/gate?a=b', '/gate', '/gate/?a=b'],
  ['/événements', '', '/%C3%A9v%C3%A9nements'],
  ['https://cameras.example/é', '/gate', 'https://cameras.example/%C3%A9'],
  ['/.//evil.test', '', '/evil.test'],
  ['/..//evil.test', '', '/evil.test'],
  ['/gate//evil.test', '/gate', '/gate/evil.test'],
])('%s is at %j: %s', (address, prefix, location) => {
  expect(locationOf(address, prefix)).toBe(location);
});

test('a Location leads to this site for any query', () => {
  assertCases(
    fc.property(fc.string(), fc.constantFrom('', '/gate'), (value, prefix) => {
      const location = locationOf(returnAddress(`?next=${value}`, []), prefix);
      expect(new URL(location, 'https://own.example').origin).toBe('https://own.example');
      expect(location.startsWith(`${prefix}/`)).toBe(true);
    }),
  );
});

test.each<[target: string, says: boolean]>([
  ['/login?local', true],
  ['/login?local=', true],
  ['/login?local&next=/x', true],
  ['?x=1&local=yes&next=/x', true],
  ['/login', false],
  ['/login?locality', false],
  ['/login?x=local', false],
  ['/login?next=/x?local', false],
  ['/login?next=/x&local', false],
])('%s has local: %s', (target, says) => {
  expect(saysBeforeNext(target, 'local')).toBe(says);
});

describe('a login leads', () => {
  const home = '/postern/';
  const sites = ['yard.example', 'cameras.example'];
  const destination = (search: string, { landing = 'home', prefix = '', host = 'cameras.example' } = {}) =>
    destinationOf(returnAddress(search, sites), { landing: landing as Landing, prefix, host });

  test.each<[search: string, prefix?: string]>([
    [''],
    ['?next='],
    ['?next=/'],
    ['?next=%2F'],
    ['?ended=1&next=/'],
    ['?next=/?'],
    ['?next=%2F%23'],
    ['?next=/.'],
    ['?next=/x/..'],
    ['?next=//evil.test'],
    ['?next=https://evil.test/'],
    ['?next=/login'],
    ['?next=/login?next=/review'],
    ['?next=/logout'],
    ['?next=/x/../postern/oidc/login'],
    ['', '/gate'],
    ['?next=/', '/gate'],
    ['?next=/gate', '/gate'],
    ['?next=/gate/', '/gate'],
    ['?next=%2Fgate%2F', '/gate'],
    ['?next=/gate//', '/gate'],
    ['?next=/gate/login', '/gate'],
    ['?next=/a/b/', '/a/b'],
    ['?next=/', '/postern'],
    ['?next=/postern', '/postern'],
  ])('to the landing page from %j below %j', (search, prefix = '') => {
    expect(destination(search, { prefix })).toBe(prefix + home);
    expect(destination(search, { prefix, landing: 'recorder' })).toBe(`${prefix}/`);
  });

  test.each<[search: string, address: string, prefix?: string]>([
    ['?next=/postern/', home],
    ['?next=/postern/explore?label=car', '/postern/explore?label=car'],
    ['?next=/review', '/review'],
    ['?next=/?group=yard', '/?group=yard'],
    ['?next=%2F%23driveway', '/#driveway'],
    ['?next=/loginpage', '/loginpage'],
    ['?next=/gate/', '/gate/'],
    ['?next=/gatepost', '/gatepost', '/gate'],
    ['?next=/gate/review', '/gate/review', '/gate'],
    ['?next=https://yard.example/', 'https://yard.example/'],
    ['?next=https://cameras.example/review', 'https://cameras.example/review'],
  ])('where it was asked to, whatever the landing page: %s', (search, address, prefix = '') => {
    expect(destination(search, { prefix })).toBe(address);
    expect(destination(search, { prefix, landing: 'recorder' })).toBe(address);
  });

  test.each<[search: string, host: string, prefix: string, address: string]>([
    ['?next=https://cameras.example/', 'cameras.example', '', 'https://cameras.example/postern/'],
    ['?next=https://cameras.example', 'Cameras.Example', '', 'https://cameras.example/postern/'],
    [
      '?next=https://cameras.example/gate',
      'cameras.example',
      '/gate',
      'https://cameras.example/gate/postern/',
    ],
    ['?next=https://cameras.example/', 'yard.example', '', 'https://cameras.example/'],
  ])('%s at %s below %j to %s', (search, host, prefix, address) => {
    expect(destination(search, { host, prefix })).toBe(address);
  });
});
