/** How the session token travels in a browser (RFC 6265bis). */
export interface SessionCookie {
  /**
   * @returns the token, or why there is none; `ambiguous` when cookies of the name differ: one of them was
   * planted, and nobody can say which
   */
  read(cookieHeaders: readonly string[]): { readonly token: string } | 'absent' | 'ambiguous';
  /** @param maxAge seconds; undefined: until the browser closes */
  set(token: string, maxAge: number | undefined, secure: boolean): string;
  clear(secure: boolean): string;
}

export function sessionCookie(name: string): SessionCookie {
  const attributes = (secure: boolean) => `; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    read: (cookieHeaders) => {
      const tokens = new Set(cookieHeaders.flatMap((header) => valuesOf(header, name)));
      if (tokens.size > 1) return 'ambiguous';
      const [token] = tokens;
      return token ? { token } : 'absent';
    },
    set: (token, maxAge, secure) =>
      `${name}=${token}${maxAge === undefined ? '' : `; Max-Age=${maxAge}`}${attributes(secure)}`,
    clear: (secure) => `${name}=; Max-Age=0${attributes(secure)}`,
  };
}

function valuesOf(header: string, name: string): string[] {
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}
