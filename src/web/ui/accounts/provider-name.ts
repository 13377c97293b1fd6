/** @param issuer of a provider that no longer has a configured name */
export function providerName(issuer: string): string {
  return URL.parse(issuer)?.host ?? issuer;
}
