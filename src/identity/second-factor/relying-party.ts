import { isIP } from 'node:net';

/** The site that passkeys are made for (WebAuthn, 4). */
export interface RelyingParty {
  /** Host of the site: a passkey is offered there alone. */
  readonly id: string;
  /** What a browser has to say of where it is. */
  readonly origin: string;
}

/**
 * @param publicUrl where people reach the site
 * @returns undefined when there can be no passkeys: browsers have them at a name, and over TLS or on the machine itself
 */
export function relyingPartyOf(publicUrl: string | undefined): RelyingParty | undefined {
  if (publicUrl === undefined) return undefined;
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0;
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return isSecure && !isAddress ? { id: hostname, origin } : undefined;
}
