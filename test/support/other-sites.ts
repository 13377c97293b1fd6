/** The headers by which a browser marks a request from a page of another site, each by itself. */
export const otherSites = [
  ['Origin', 'https://evil.example'],
  ['Origin', 'null'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-Fetch-Site', 'same-site'],
] as const;
