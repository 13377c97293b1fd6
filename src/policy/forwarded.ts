import { withoutWhiteSpace } from './raw-headers.ts';

/** @returns the first value of a list such as X-Forwarded-Proto: that of the proxy nearest to the client */
export function firstForwarded(list: string): string {
  const end = list.indexOf(',');
  return withoutWhiteSpace(end === -1 ? list : list.slice(0, end));
}

/** Whether the client's connection is TLS by X-Forwarded-Proto; `wss` is Traefik's value for a WebSocket. */
export function isForwardedSecure(list: string): boolean {
  const scheme = firstForwarded(list).toLowerCase();
  return scheme === 'https' || scheme === 'wss';
}

/** A name without empty labels, or an address, optionally with a port (RFC 3986, 3.2). */
const form = /^((?:[A-Za-z0-9_-]+\.)*[A-Za-z0-9_-]+|\[[0-9A-Fa-f:.]+\])\.?(?::\d{1,5})?$/;

/**
 * @param host as in a Host header, optionally with a port
 * @returns the name, or the address as written; lower-case, without a dot at the end; undefined if it is no host
 */
export function hostName(host: string): string | undefined {
  const name = form.exec(host)?.[1]?.toLowerCase();
  // A text that looks like an address or a port may be invalid.
  return name !== undefined && URL.canParse(`http://${host}`) ? name : undefined;
}

/** Whether a host is safe to repeat, and to build an address with. */
export const isHost = (host: string): boolean => hostName(host) !== undefined;

/**
 * The request target below the prefix under which a front serves the site. A target that does not begin with the prefix,
 * byte for byte, is returned as it is: the front has already removed the prefix.
 * @param basePath begins with a slash and ends without one; empty when there is no prefix
 */
export function belowBasePath(target: string, basePath: string): string {
  return basePath !== '' && target.startsWith(`${basePath}/`) ? target.slice(basePath.length) : target;
}

/** Adds the slash that relative links need: `/cameras` becomes `/cameras/`. @returns undefined for any other target */
export function withSlash(target: string, basePath: string): string | undefined {
  const rest = basePath !== '' && target.startsWith(basePath) ? target.slice(basePath.length) : undefined;
  return rest === '' || rest?.startsWith('?') ? `${basePath}/${rest}` : undefined;
}
