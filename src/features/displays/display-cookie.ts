import { ownCookies } from '../../policy/own-cookies.ts';
import { sessionCookie } from '../../accounts/sessions/session-cookie.ts';

/** How the credential of a display travels (RFC 6265bis). */
export interface DisplayCookie {
  /** @returns the credential; undefined: none, or several that differ */
  read(cookieHeaders: readonly string[]): string | undefined;
  /**
   * @param isFramed the wall is in a frame of another site, where only a partitioned cookie travels, and only over TLS
   * @returns the `Set-Cookie`
   */
  set(credential: string, isFramed: boolean, secure: boolean): string;
  clear(secure: boolean): string;
}

const name = ownCookies.display;

/** Seconds: the longest that browsers keep a cookie. Each new credential begins it again. */
const longestLife = 400 * 86_400;

export function createDisplayCookie(): DisplayCookie {
  const { read } = sessionCookie(name);
  const plain = (secure: boolean) => `; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const framed = '; Path=/; HttpOnly; SameSite=None; Secure; Partitioned';
  return {
    read: (cookieHeaders) => {
      // Most requests have none.
      if (!cookieHeaders.some((header) => header.includes(`${name}=`))) return undefined;
      const found = read(cookieHeaders);
      return typeof found === 'string' ? undefined : found.token;
    },
    set: (credential, isFramed, secure) =>
      `${name}=${credential}; Max-Age=${longestLife}${isFramed && secure ? framed : plain(secure)}`,
    clear: (secure) => `${name}=; Max-Age=0${plain(secure)}`,
  };
}
