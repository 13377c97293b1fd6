import { isIPv4 } from 'node:net';
import { groupsOfIPv6 } from '../policy/client-address.ts';
import type { Findings } from './problem.ts';

/** Warns of a network that is written as an address with a prefix, such as `192.168.1.5/24`: it means the whole network. */
export function warnOfHostBits(
  path: string,
  networks: readonly string[],
  { warn }: Pick<Findings, 'warn'>,
): void {
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    if (prefix === undefined) continue;
    const [bits, width] = isIPv4(address) ? [bitsOfIPv4(address), 32] : [bitsOfIPv6(address), 128];
    const hostBits = BigInt(width - Number(prefix));
    const first = (bits >> hostBits) << hostBits;
    if (first === bits) continue;
    const whole = width === 32 ? textOfIPv4(first) : textOfIPv6(first);
    warn(`${path}: ${network} is all of ${whole}/${prefix}. Write that, or ${address} for this address`);
  }
}

function bitsOfIPv4(address: string): bigint {
  return address.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

/** @returns the bits of an address without its zone; the last two parts may be written as an IPv4 address. */
export function bitsOfIPv6(address: string): bigint {
  const plain = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  return groupsOfIPv6(plain).reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

function textOfIPv4(bits: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join('.');
}

function textOfIPv6(bits: bigint): string {
  const groups = Array.from({ length: 8 }, (_, at) =>
    ((bits >> BigInt(112 - 16 * at)) & 65_535n).toString(16),
  );
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
