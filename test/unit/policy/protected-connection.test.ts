import { expect, test } from 'vitest';
import { networksOf } from '../../../src/policy/client-address.ts';
import { isProtectedConnection } from '../../../src/policy/protected-connection.ts';

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
