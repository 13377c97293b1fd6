/**
 * The one form of an issuer: without the slash of an empty path, which providers and operators write or leave out. Any other path counts
 * as it is written. An ID token's `iss` is not compared with this, but with the provider's own metadata.
 */
export function canonicalIssuer(issuer: string): string {
  return /^https?:\/\/[^/?#]+\/$/i.test(issuer) ? issuer.slice(0, -1) : issuer;
}

/** @returns how an issuer may stand in the store: as it was configured when a row was written */
export function spellingsOf(issuer: string): readonly string[] {
  const canonical = canonicalIssuer(issuer);
  return [canonical, `${canonical}/`].filter((spelling) => canonicalIssuer(spelling) === canonical);
}

/** @returns the issuer in a row of the store; `undefined` for a local user */
export function issuerOf({ issuer }: { readonly issuer: string | null }): string | undefined {
  return issuer === null ? undefined : canonicalIssuer(issuer);
}
