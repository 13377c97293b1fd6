import { isIP } from 'node:net';
import { networksOf } from './client-address.ts';

/**
 * Networks that are not the internet: IANA's special-purpose registries for IPv4 and IPv6 (RFC 6890), multicast, and the prefixes
 * that embed an IPv4 address (NAT64, 6to4, Teredo), which would lead around the list.
 */
const isSpecial = networksOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]);

/** Whether an address belongs to the internet, and not to a machine, a network at home, or no one. */
export function isPublicAddress(address: string): boolean {
  return isIP(address) !== 0 && !isSpecial(address);
}

/** Names that only a private network has (RFC 6762, 8375, 9476 and usage). */
const privateName = /^(?:[^.]*|.*\.(?:local|localhost|lan|home|internal|intranet|home\.arpa))$/;

/** Whether a host of a URL is a public address, or a name that the whole internet could look up. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
  return isIP(host) === 0 ? !privateName.test(host) : isPublicAddress(host);
}
