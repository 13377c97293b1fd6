/** Addresses of the gate that a provider has to know. */
export interface OwnAddresses {
  /** Redirect URI. */
  readonly callback: string;
  /** Where the provider sends a browser after a logout. */
  readonly loggedOut: string;
  readonly backChannel: string;
}

/** @param publicUrl origin of the site, as browsers use it */
export function ownAddresses(publicUrl: string, basePath: string): OwnAddresses {
  const own = (name: string) => `${publicUrl}${basePath}/postern/oidc/${name}`;
  return {
    callback: own('callback'),
    loggedOut: own('logged-out'),
    backChannel: own('backchannel-logout'),
  };
}
