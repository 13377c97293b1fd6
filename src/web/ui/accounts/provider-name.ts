/** @param issuer of a provider that the configuration no longer names. @returns its host */
export function providerName(issuer: string): string {
  return URL.parse(issuer)?.host ?? issuer;
}
