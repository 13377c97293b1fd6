import { BlockList, isIP, isIPv6 } from 'node:net';

/** Whether an address lies in a set of networks. An IPv4 address in IPv6 clothes counts as IPv4. */
export type InNetworks = (address: string) => boolean;

/** @param networks CIDR or single addresses, as the configuration checked them */
export function networksOf(networks: readonly string[]): InNetworks {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    list.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
  }
  return (address) => {
    const plain = withoutMapping(address);
    return isIP(plain) !== 0 && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  };
}

/** `::ffff:192.0.2.1` is how a dual-stack socket shows 192.0.2.1 (RFC 4291, 2.5.5.2). */
function withoutMapping(address: string): string {
  return /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1] ?? address;
}
