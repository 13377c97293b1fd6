import { lookup } from 'node:dns/promises';
import { realpathSync } from 'node:fs';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { basename, dirname, join, normalize } from 'node:path';
import { canonicalAddress } from '../policy/client-address.ts';
import { listenerKeys } from './changes.ts';
import type { Configuration } from './configuration.ts';
import type { ListenAddress } from './listen.ts';
import { ConfigurationError, type Problem } from './problem.ts';

type Listen = Configuration['listen'];

/** @returns the addresses of a host name; an empty list when it is not known here */
type AddressesOf = (host: string) => readonly string[];

const loopback: readonly string[] = ['127.0.0.1', '::1'];

/** Connecting to these reaches this machine. */
const unspecified: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/**
 * A gate whose `upstream` is one of its own listeners would pass each request on to itself.
 * @param upstream as `originOf` returns it; `undefined` if there is none
 * @returns undefined when it leads elsewhere, as far as that shows without asking for the addresses of names
 */
export function ownUpstream(upstream: string | undefined, listen: Listen): Problem | undefined {
  return upstream === undefined ? undefined : problemAt(listenerAt(upstream, listen, addressesHere));
}

/** The same for host names too. A name whose addresses cannot be found leads elsewhere. */
async function resolveOwnUpstream(
  upstream: string | undefined,
  listen: Listen,
): Promise<Problem | undefined> {
  if (upstream === undefined) return undefined;
  const found = new Map<string, readonly string[]>();
  const wanted = new Set<string>();
  const note: AddressesOf = (host) => {
    wanted.add(host);
    return addressesHere(host);
  };
  const known = listenerAt(upstream, listen, note);
  if (known !== undefined) return problemAt(known);
  for (const host of wanted) if (isIP(host) === 0) found.set(host, await addressesOf(host));
  return problemAt(
    listenerAt(upstream, listen, (host) => [...addressesHere(host), ...(found.get(host) ?? [])]),
  );
}

/** @throws ConfigurationError when `upstream` is the gate's own */
export async function requireForeignUpstream({
  upstream,
  listen,
}: Pick<Configuration, 'upstream' | 'listen'>) {
  const problem = await resolveOwnUpstream(upstream, listen);
  if (problem !== undefined) throw new ConfigurationError([problem]);
}

function problemAt(key: string | undefined): Problem | undefined {
  if (key === undefined) return undefined;
  return {
    path: 'upstream',
    found: `the address of ${key}: Postern would pass each request on to itself`,
    allowed: 'the address of the recorder; on the same machine, move one of the two to another port',
  };
}

/** @returns the key of the listener that an address leads to */
function listenerAt(upstream: string, listen: Listen, addressesOfHost: AddressesOf): string | undefined {
  const leadsTo = upstream.startsWith('unix:')
    ? leadsToSocket(upstream.slice('unix:'.length))
    : leadsToPort(new URL(upstream), addressesOfHost);
  return Object.entries(listenerKeys).find(([name]) => {
    // `upstream` may name the events app on purpose.
    const address = name === 'events' ? undefined : listen[name as keyof typeof listenerKeys];
    return address !== undefined && leadsTo(address);
  })?.[1];
}

function leadsToSocket(path: string): (address: ListenAddress) => boolean {
  const wanted = realPath(path);
  return (address) => 'path' in address && realPath(address.path) === wanted;
}

function leadsToPort(
  { protocol, hostname: host, port: written }: URL,
  addressesOfHost: AddressesOf,
): (address: ListenAddress) => boolean {
  const port = Number(written || (protocol === 'https:' ? 443 : 80));
  return (address) => {
    if ('path' in address || address.port !== port) return false;
    const reached = addressesOfHost(bare(host)).flatMap(reachedBy);
    if (address.host === undefined || unspecified.has(address.host)) return reached.some(isOfThisMachine);
    const bound = new Set(addressesOfHost(bare(address.host)).map(canonicalAddress));
    return bare(host) === bare(address.host) || reached.some((each) => bound.has(each));
  };
}

/** Without brackets, and without the dot that ends a whole name. */
function bare(host: string): string {
  return host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

function reachedBy(address: string): readonly string[] {
  return unspecified.has(canonicalAddress(address)) ? loopback : [canonicalAddress(address)];
}

const loopbackNetworks = new BlockList();
loopbackNetworks.addSubnet('127.0.0.0', 8);
loopbackNetworks.addAddress('::1', 'ipv6');

function isOfThisMachine(address: string): boolean {
  if (loopbackNetworks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return true;
  return ownAddresses().includes(address);
}

function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap(
    (each) => each?.map(({ address }) => canonicalAddress(address)) ?? [],
  );
}

function addressesHere(host: string): readonly string[] {
  if (isIP(host) !== 0) return [host];
  if (host === 'localhost' || host.endsWith('.localhost')) return loopback;
  return host === hostname().toLowerCase() ? [...loopback, ...ownAddresses()] : [];
}

// Milliseconds: no start waits longer for a name server that is away.
const lookupTimeout = 2_000;

async function addressesOf(host: string): Promise<readonly string[]> {
  const timeout = Promise.withResolvers<readonly string[]>();
  const timer = setTimeout(() => timeout.resolve([]), lookupTimeout);
  const found = lookup(host, { all: true }).then(
    (addresses) => addresses.map(({ address }) => address),
    () => [],
  );
  return Promise.race([found, timeout.promise]).finally(() => clearTimeout(timer));
}

/** The socket itself may not be there yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path));
    } catch {
      return normalize(path);
    }
  }
}
