/** A name without empty labels, or an address, with a port perhaps (RFC 3986, 3.2): nothing that leads elsewhere. */
const form = /^((?:[A-Za-z0-9_-]+\.)*[A-Za-z0-9_-]+|\[[0-9A-Fa-f:.]+\])\.?(?::\d{1,5})?$/;

/**
 * @param host as in a Host header, with a port perhaps
 * @returns the name, or the address as it is written there; lower-case, without a dot at its end; undefined: it is no host
 */
export function hostName(host: string): string | undefined {
  const name = form.exec(host)?.[1]?.toLowerCase();
  // What looks like an address or a port may be none.
  return name !== undefined && URL.canParse(`http://${host}`) ? name : undefined;
}

/** Whether a host can be said again, and made part of an address. */
export const isHost = (host: string): boolean => hostName(host) !== undefined;
