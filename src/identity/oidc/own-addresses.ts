/** Addresses of the gate that a provider has to know. */
export interface OwnAddresses {
  /** Redirect URI. */
  readonly callback: string;
  /** Where the provider leads whoever has logged out there. */
  readonly loggedOut: string;
  readonly backChannel: string;
}

/** @param publicUrl origin under which people reach the site */
export function ownAddresses(publicUrl: string, basePath: string): OwnAddresses {
  const own = (name: string) => `${publicUrl}${basePath}/postern/oidc/${name}`;
  return {
    callback: own('callback'),
    loggedOut: own('logged-out'),
    backChannel: own('backchannel-logout'),
  };
}
