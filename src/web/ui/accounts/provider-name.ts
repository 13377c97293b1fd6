/** @param issuer of a provider that has no other name any more */
export function providerName(issuer: string): string {
  return URL.parse(issuer)?.host ?? issuer;
}
