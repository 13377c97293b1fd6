import { randomBytes } from 'node:crypto';
import { withoutWhiteSpace } from '../../policy/raw-headers.ts';
import { ownCookies } from '../../policy/own-cookies.ts';

/** The cookie with the session token (RFC 6265bis). */
export interface SessionCookie {
  /**
   * @returns the token, or why not; `ambiguous` when cookies of the name differ: one was planted, and no one can know
   * which
   */
  read(cookieHeaders: readonly string[]): { readonly token: string } | 'absent' | 'ambiguous';
  /** @param maxAgeSeconds `undefined` keeps it until the browser closes */
  set(token: string, maxAgeSeconds: number | undefined, secure: boolean): string;
  clear(secure: boolean): string;
}

export function sessionCookie(name: string): SessionCookie {
  const attributes = (secure: boolean) => `; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const start = `${name}=`;
  return {
    read: (cookieHeaders) => {
      let token: string | undefined;
      for (const header of cookieHeaders) {
        for (const value of valuesOf(header, start)) {
          if (token !== undefined && value !== token) return 'ambiguous';
          token = value;
        }
      }
      return token ? { token } : 'absent';
    },
    set: (token, maxAgeSeconds, secure) =>
      `${start}${token}${maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`}${attributes(secure)}`,
    clear: (secure) => `${start}; Max-Age=0${attributes(secure)}`,
  };
}

function valuesOf(header: string, start: string): string[] {
  if (header.startsWith(start) && !header.includes(';'))
    return [withoutWhiteSpace(header).slice(start.length)];
  return header
    .split(';')
    .map(withoutWhiteSpace)
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length));
}

/** Seconds: the longest that browsers keep a cookie. Each visit to the login page begins it again. */
const longestLife = 400 * 86_400;

const cookie = sessionCookie(ownCookies.device);
const form = /^[\w-]{22}$/;

/** @returns the id of the browser; `undefined` if it has none that the gate made */
export function deviceOf(cookieHeaders: readonly string[]): string | undefined {
  const found = cookie.read(cookieHeaders);
  return typeof found === 'object' && form.test(found.token) ? found.token : undefined;
}

/** The `Set-Cookie` by which a browser is known again. It gives no right. */
export function deviceCookie(cookieHeaders: readonly string[], secure: boolean): string {
  const id = deviceOf(cookieHeaders) ?? randomBytes(16).toString('base64url');
  return cookie.set(id, longestLife, secure);
}
