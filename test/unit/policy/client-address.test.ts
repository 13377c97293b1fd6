import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { clientAddress, networksOf, isProtectedConnection } from '../../../src/policy/client-address.ts';
import { anyCodePoint } from '../../support/any-code-point.ts';
import { assertCases } from '../../support/assert-cases.ts';
import { slowness } from '../../support/patience.ts';

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

test('an empty list contains no address, and IPv4 networks no IPv6 address', () => {
  expect(networksOf([])('10.0.0.1')).toBe(false);
  expect(networksOf(['0.0.0.0/0'])('203.0.113.9')).toBe(true);
  expect(networksOf(['0.0.0.0/0'])('::1')).toBe(false);
  expect(networksOf(['::/0'])('::1')).toBe(true);
});

test('reads an IPv4 address mapped to IPv6, and never throws', () => {
  const inNetworks = networksOf(networks);
  assertCases(
    fc.property(fc.ipV4(), (address) => {
      expect(inNetworks(`::ffff:${address}`)).toBe(inNetworks(address));
    }),
  );
  assertCases(
    fc.property(fc.oneof(fc.string({ unit: anyCodePoint }), fc.ipV6(), fc.ipV4Extended()), (text) => {
      expect(typeof inNetworks(text)).toBe('boolean');
      expect(inNetworks(`${text}%eth0`)).toBe(inNetworks(`${text}%eth1`));
    }),
  );
});

const isTrusted = networksOf(['10.0.0.0/8', 'fd00::/8']);
const client = '203.0.113.9';

test.each<[what: string, peer: string | undefined, front: boolean, forwardedFor: string[], address: string]>([
  ['the peer, when nothing is said', client, false, [], client],
  ['an untrusted peer, whatever it says', client, false, ['10.0.0.1, 192.0.2.7'], client],
  ['the client of a trusted proxy', '10.0.0.1', false, [client], client],
  ['the client of a trusted IPv6 proxy', 'fd00::1', false, ['2001:db8::9'], '2001:db8::9'],
  ['through two trusted proxies', '10.0.0.1', false, [`${client}, 10.0.0.2`], client],
  ['what the client says itself is left alone', '10.0.0.1', false, [`192.0.2.7, ${client}`], client],
  ['also when it says a trusted address', '10.0.0.1', false, [`10.0.0.9, ${client}`], client],
  ['several headers are one list', '10.0.0.1', false, ['192.0.2.7', client, '10.0.0.2'], client],
  ['only trusted hops: the outermost', '10.0.0.1', false, ['10.0.0.3, 10.0.0.2'], '10.0.0.3'],
  ['a malformed hop ends the chain', '10.0.0.1', false, [`${client}, unknown, 10.0.0.2`], '10.0.0.2'],
  ['the last hop malformed: the peer', '10.0.0.1', false, [`${client}, _hidden`], '10.0.0.1'],
  ['an empty hop is malformed', '10.0.0.1', false, [`${client}, `], '10.0.0.1'],
  ['an empty header is malformed', '10.0.0.1', false, [''], '10.0.0.1'],
  ['a hop with a port (Azure, IIS)', '10.0.0.1', false, [`${client}:51234`], client],
  ['IPv6 with a port', '10.0.0.1', false, ['[2001:DB8::9]:51234'], '2001:db8::9'],
  ['IPv6 in brackets', '10.0.0.1', false, ['[2001:db8::9]'], '2001:db8::9'],
  ['a quoted hop', '10.0.0.1', false, ['"[2001:db8::9]:4711"'], '2001:db8::9'],
  ['IPv6 with a zone', '10.0.0.1', false, ['fe80::1%12'], 'fe80::1'],
  ['IPv6 with a zone and a port', '10.0.0.1', false, ['[fe80::1%25eth0]:80'], 'fe80::1'],
  ['IPv4 mapped to IPv6 with a port', '10.0.0.1', false, [`::ffff:${client}:51234`], client],
  ['the same in brackets', '10.0.0.1', false, [`[::ffff:${client}]:51234`], client],
  ['trusted hops with ports', '10.0.0.1', false, [`${client}:1, [fd00::7]:2,10.0.0.2:65535`], client],
  ['what the client says before a port', '10.0.0.1', false, [`192.0.2.7, ${client}:80`], client],
  ['a port that is none', '10.0.0.1', false, [`${client}:65536`], '10.0.0.1'],
  ['two ports', '10.0.0.1', false, [`${client}:80:80`], '10.0.0.1'],
  ['an empty port', '10.0.0.1', false, [`${client}:`], '10.0.0.1'],
  ['a bracket that is not closed', '10.0.0.1', false, ['[2001:db8::9'], '10.0.0.1'],
  ['a quote that is not closed', '10.0.0.1', false, [`"${client}`], '10.0.0.1'],
  ['IPv4 in brackets', '10.0.0.1', false, [`[${client}]`], '10.0.0.1'],
  ['IPv6 whose end may be a port or not', '10.0.0.1', false, ['2001:db8::9:51234'], '10.0.0.1'],
  ['a name with a port', '10.0.0.1', false, ['client.test:80'], '10.0.0.1'],
  ['white space around a hop is none of it', '10.0.0.1', false, [`\t${client} `], client],
  ['a peer of a dual-stack socket', `::ffff:${client}`, false, [], client],
  ['a proxy of a dual-stack socket', '::ffff:10.0.0.1', false, [client], client],
  ['an IPv4 hop in IPv6 clothes', '10.0.0.1', false, [`::FFFF:${client}`], client],
  ['an IPv4 hop in hexadecimal clothes', '10.0.0.1', false, ['::ffff:cb00:7109'], client],
  ['an IPv4 hop in clothes with every zero', '10.0.0.1', false, [`0:0:0:0:0:ffff:${client}`], client],
  ['a front of ours on a Unix socket', undefined, true, [client], client],
  ['an unlisted front of ours', '127.0.0.1', true, [client], client],
  ['the client of our front says more', undefined, true, [`192.0.2.7, ${client}`], client],
  ['a trusted proxy before our front', undefined, true, [`${client}, 10.0.0.1`], client],
  ['a front of ours that says nothing', '127.0.0.1', true, [], '127.0.0.1'],
  ['unknown', undefined, false, [client], ''],
])('the client is %s', (_, peer, behindFront, forwardedFor, address) => {
  expect(clientAddress({ peer, behindFront, forwardedFor }, isTrusted)).toBe(address);
});

test('headers of an untrusted client never change its address', () => {
  const said = fc.array(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.constant('10.0.0.1')), {
    maxLength: 4,
  });
  assertCases(
    fc.property(said, (hops) => {
      const through = (peer: string, last: string[]) =>
        clientAddress({ peer, behindFront: false, forwardedFor: [...hops, ...last] }, isTrusted);
      expect(through(client, [])).toBe(client);
      expect(through('10.0.0.1', [client])).toBe(client);
    }),
  );
});

test('a hop never costs more than reading it', () => {
  const forwardedFor = [`[${':'.repeat(90_000)}`];
  const began = process.cpuUsage();
  expect(clientAddress({ peer: '10.0.0.1', behindFront: false, forwardedFor }, isTrusted)).toBe('10.0.0.1');
  expect(process.cpuUsage(began).user).toBeLessThan(1_000_000 * slowness);
});

const isTrustedProxy = networksOf(['192.0.2.1', '127.0.0.9']);

const forwardedFor = (address: string) => ['X-Forwarded-For', address];
const plain = ['X-Forwarded-Proto', 'http'];

test.each<
  [
    what: string,
    secure: boolean,
    peer: string,
    headers: readonly string[],
    address: string,
    isProtected: boolean,
  ]
>([
  ['TLS', true, '203.0.113.7', [], '203.0.113.7', true],
  ['plain HTTP', false, '203.0.113.7', [], '203.0.113.7', false],
  ['plain HTTP on this machine', false, '127.0.0.1', [], '127.0.0.1', true],
  ['another address of this machine', false, '127.8.9.10', [], '127.8.9.10', true],
  ['IPv6 on this machine', false, '::1', [], '::1', true],
  ['IPv4 as IPv6', false, '::ffff:127.0.0.1', [], '::ffff:127.0.0.1', true],
  ['a neighbour of loopback', false, '128.0.0.1', [], '128.0.0.1', false],
  ['no address', false, '', [], '', false],
  // A front of the gate has no peer.
  ['a front that names the client', false, 'front', forwardedFor('203.0.113.7'), '203.0.113.7', false],
  [
    'a front that names a client of this machine',
    false,
    'front',
    forwardedFor('127.0.0.1'),
    '127.0.0.1',
    true,
  ],
  ['a front that names none', false, 'front', plain, '', false],
  ['a trusted proxy', false, '192.0.2.1', [...forwardedFor('203.0.113.7'), ...plain], '203.0.113.7', false],
  ['a trusted proxy, for this machine', false, '192.0.2.1', forwardedFor('127.0.0.1'), '127.0.0.1', true],
  ['a trusted proxy that names no client', false, '127.0.0.9', plain, '127.0.0.9', false],
  ['a client beside a trusted proxy', false, '127.0.0.9', [], '127.0.0.9', true],
  ['a proxy that is not trusted', false, '127.0.0.1', forwardedFor('203.0.113.7'), '127.0.0.1', false],
  ['one that names this machine', false, '127.0.0.1', forwardedFor('127.0.0.1'), '127.0.0.1', false],
  ['one that claims TLS', false, '127.0.0.1', ['X-Forwarded-Proto', 'https'], '127.0.0.1', false],
  ['one of RFC 7239', false, '127.0.0.1', ['Forwarded', 'for=203.0.113.7'], '127.0.0.1', false],
])('%s', (_, secure, peer, headers, address, isProtected) => {
  const request = { secure, peer: peer === 'front' ? undefined : peer, headers };
  expect(isProtectedConnection(request, address, isTrustedProxy)).toBe(isProtected);
});
