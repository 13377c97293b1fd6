import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { networksOf } from '../../../src/accounts/client-address.ts';

const networks = ['10.0.0.0/8', '192.0.2.1', 'fd00::/8', '2001:db8::1', '172.16.0.0/12'];

test.each<[address: string, inside: boolean]>([
  ['10.1.2.3', true],
  ['11.1.2.3', false],
  ['172.31.255.255', true],
  ['172.32.0.0', false],
  ['192.0.2.1', true],
  ['192.0.2.2', false],
  ['::ffff:10.1.2.3', true],
  ['::FFFF:10.1.2.3', true],
  ['::ffff:0a01:0203', true],
  ['::ffff:11.1.2.3', false],
  ['::10.1.2.3', false],
  ['fd12::1', true],
  ['FD12:0:0:0:0:0:0:1', true],
  ['fe80::1', false],
  ['2001:db8:0:0::1', true],
  ['2001:db8::2', false],
  ['', false],
  ['unknown', false],
  ['10.1.2.3:80', false],
  ['[fd12::1]', false],
  ['10.1.2', false],
  ['010.1.2.3', false],
  ['10.1.2.3 ', false],
  ['10.1.2.3, 11.1.2.3', false],
  ['::ffff:10.1.2.300', false],
])('%j lies in the networks: %j', (address, inside) => {
  expect(networksOf(networks)(address)).toBe(inside);
});

test('no networks contain nothing, and every IPv4 network is no IPv6 network', () => {
  expect(networksOf([])('10.0.0.1')).toBe(false);
  expect(networksOf(['0.0.0.0/0'])('203.0.113.9')).toBe(true);
  expect(networksOf(['0.0.0.0/0'])('::1')).toBe(false);
  expect(networksOf(['::/0'])('::1')).toBe(true);
});

test('an IPv4 address counts the same in IPv6 clothes, and no text makes it fail', () => {
  const inNetworks = networksOf(networks);
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(inNetworks(`::ffff:${address}`)).toBe(inNetworks(address));
    }),
  );
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.ipV6(), fc.ipV4Extended()), (text) => {
      expect(typeof inNetworks(text)).toBe('boolean');
      expect(inNetworks(`${text}%eth0`)).toBe(inNetworks(`${text}%eth1`));
    }),
  );
});
