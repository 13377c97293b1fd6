/** A mutation that no test can notice, since it changes nothing that anyone could see. */
export interface Equivalent {
  readonly file: string;
  /** As `script/mutate` prints it. */
  readonly was: string;
  readonly becomes: string;
  /** Of several that read the same in one file, which one. */
  readonly nth?: number;
  readonly because: string;
}

export const equivalents: readonly Equivalent[] = [
  {
    file: 'src/features/api-tokens/api-tokens.ts',
    was: String.raw`const forms = { token: /^postern_[\w-]{43}$/, display: /^display_[\w-]{43}$/ };`,
    becomes: String.raw`const forms = { token: /^postern_[\w-]{43}/, display: /^display_[\w-]{43}$/ };`,
    because: 'a longer text has another hash, so it is unknown: the form only saves the query',
  },
  {
    file: 'src/access/authentication/proxy-headers.ts',
    was: 'one.groups === other.groups &&',
    becomes: 'one.groups !== other.groups &&',
    because: 'what is remembered by these groups has them: nothing is recalled then, and all is found again',
  },
  {
    file: 'src/access/authentication/proxy-headers.ts',
    was: 'const size = entryBytes + key.length + groups.length + email.length + name.length;',
    becomes: 'const size = entryBytes + key.length + groups.length + email.length - name.length;',
    because: 'an estimate of what is remembered; entryBytes is by far the most of it',
  },
  {
    file: 'src/features/oidc/discovery.ts',
    was: 'requireOwnIssuer(metadata.issuer, issuer);',
    becomes: ';',
    because: 'openid-client compares the issuer too, and refuses every other one before',
  },
  {
    file: 'src/store/used-once.ts',
    was: '.values({ purpose, key, expires_at: wholeSeconds(expiresAt) + 1 })',
    becomes: '.values({ purpose, key, expires_at: wholeSeconds(expiresAt) + 2 })',
    because: 'what was used is only remembered for a second longer than it could come again',
  },
];
