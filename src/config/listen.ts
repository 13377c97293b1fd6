/** Where to listen: a Unix socket, or an address and port; port 0 is any free one. */
export type ListenAddress =
  | { readonly path: string }
  | { readonly host: string | undefined; readonly port: number };

/**
 * Reads `8971`, `host:port`, `[v6]:port` or `unix:/path`.
 * @returns undefined when the text is none of these
 */
export function parseListenAddress(value: string | number): ListenAddress | undefined {
  if (typeof value === 'number') return { host: undefined, port: value };
  if (value.startsWith('unix:')) {
    const path = value.slice('unix:'.length);
    // sun_path holds 108 bytes, its NUL included (unix(7)).
    return path.startsWith('/') && Buffer.byteLength(path) < 108 ? { path } : undefined;
  }
  const match = /^(?:(?:\[([0-9a-f:.]+)\]|([^:[\]\s/]+)):)?(\d{1,5})$/i.exec(value);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) return undefined;
  return { host: match[1] ?? match[2], port };
}

/** In the operator's words. */
export function describeAddress(address: ListenAddress): string {
  if ('path' in address) return `unix:${address.path}`;
  const { host, port } = address;
  if (host === undefined) return `port ${port}`;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export function isLoopback(address: ListenAddress): boolean {
  if ('path' in address) return true;
  return /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/.test(address.host ?? '');
}

/** Listening failed. The message for the operator names the key of config.yml and the remedy. */
export class ListenError extends Error {
  override readonly name = 'ListenError';

  constructor(key: string, address: ListenAddress, cause: unknown) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    const why = whyNot['path' in address ? 'socket' : 'port'][code] ?? message;
    super(`${key}: cannot listen on ${describeAddress(address)} (${code}): ${why}`, { cause });
  }
}

const taken =
  'another program listens there, perhaps Frigate or a Postern that runs already: end it, or set another address';

/** Explanations, by the code of the system's error. */
const whyNot: Readonly<Record<'port' | 'socket', Readonly<Record<string, string>>>> = {
  port: {
    EADDRINUSE: taken,
    EADDRNOTAVAIL: 'this machine has no such address',
    EACCES: 'this user may not, as with ports below 1024: set another port, or give it CAP_NET_BIND_SERVICE',
    ENOTFOUND: 'no address is known of that name',
  },
  socket: {
    EADDRINUSE: taken,
    EACCES: 'this user may not write to its directory',
    ENOENT: 'its directory is not there',
  },
};
