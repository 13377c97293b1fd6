/** A name without empty labels, or an address, optionally with a port (RFC 3986, 3.2). */
const form = /^((?:[A-Za-z0-9_-]+\.)*[A-Za-z0-9_-]+|\[[0-9A-Fa-f:.]+\])\.?(?::\d{1,5})?$/;

/**
 * @param host as in a Host header, optionally with a port
 * @returns the name, or the address as written; lower-case, without a dot at the end; undefined if it is no host
 */
export function hostName(host: string): string | undefined {
  const name = form.exec(host)?.[1]?.toLowerCase();
  // What looks like an address or a port may be invalid.
  return name !== undefined && URL.canParse(`http://${host}`) ? name : undefined;
}

/** Whether a host is safe to repeat, and to build an address with. */
export const isHost = (host: string): boolean => hostName(host) !== undefined;
