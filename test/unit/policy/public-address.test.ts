import { expect, test } from 'vitest';
import { isPublicAddress, isPublicHost } from '../../../src/policy/public-address.ts';

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '64:ff9b::10.0.0.1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  '',
  'example.org',
])('%j is no address of the internet', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  '1.1.1.1',
  '172.15.0.1',
  '172.32.0.1',
  '192.167.1.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00::1',
])('%s is one', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each<[host: string, isPublic: boolean]>([
  ['ntfy.sh', true],
  ['NTFY.SH.', true],
  ['1.1.1.1', true],
  ['[2606:4700::1111]', true],
  ['localhost', false],
  ['ntfy', false],
  ['nas.local', false],
  ['NAS.LOCAL.', false],
  ['a.b.home.arpa', false],
  ['ntfy.lan', false],
  ['x.internal', false],
  ['local.example.org', true],
  ['[::1]', false],
  ['192.168.1.5', false],
  ['', false],
])('%j is public: %s', (host, isPublic) => {
  expect(isPublicHost(host)).toBe(isPublic);
});
