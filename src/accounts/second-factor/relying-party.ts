import { isIP } from 'node:net';

/** The site of the passkeys (WebAuthn, 4). */
export interface RelyingParty {
  /** Host of the site: browsers offer its passkeys only there. */
  readonly id: string;
  /** The origin that a browser has to report. */
  readonly origin: string;
}

/**
 * @param publicUrl address of the site
 * @returns undefined when passkeys are impossible: browsers need a host name, and TLS unless it is the same machine
 */
export function relyingPartyOf(publicUrl: string | undefined): RelyingParty | undefined {
  if (publicUrl === undefined) return undefined;
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0;
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return isSecure && !isAddress ? { id: hostname, origin } : undefined;
}
