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

export function isLoopback(address: ListenAddress): boolean {
  if ('path' in address) return true;
  return /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/.test(address.host ?? '');
}
