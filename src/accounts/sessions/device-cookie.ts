import { randomBytes } from 'node:crypto';
import { ownCookies } from '../../policy/own-cookies.ts';
import { sessionCookie } from './session-cookie.ts';

/** Seconds: the longest that browsers keep a cookie. Each visit to the login page begins it again. */
const longestLife = 400 * 86_400;

const cookie = sessionCookie(ownCookies.device);
const form = /^[\w-]{22}$/;

/** @returns the id of the browser; undefined: it has none, or none of the gate's making */
export function deviceOf(cookieHeaders: readonly string[]): string | undefined {
  const found = cookie.read(cookieHeaders);
  return typeof found === 'object' && form.test(found.token) ? found.token : undefined;
}

/** The `Set-Cookie` by which a browser is known again. It gives no right. */
export function deviceCookie(cookieHeaders: readonly string[], secure: boolean): string {
  const id = deviceOf(cookieHeaders) ?? randomBytes(16).toString('base64url');
  return cookie.set(id, longestLife, secure);
}
