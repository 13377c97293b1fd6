import { withoutWhiteSpace } from './raw-headers.ts';

/**
 * Cookies of the gate, beside that of the session, whose name is `auth.cookie_name`. Their names have one beginning: by it, here and in
 * the files of the other fronts, the gate's cookies are known. No recorder gets them, and none sets them.
 */
export const ownCookies = {
  /** Of an opened share. */
  share: 'postern_share',
  /** Of a login at the provider: more text follows. */
  attempt: 'postern_oidc_',
  /** Language and look of the pages. */
  look: 'postern_look',
} as const satisfies Record<string, `postern_${string}`>;

/** Whether a cookie of this name is the gate's. */
export type IsOwnCookie = (name: string) => boolean;

/** @param session name of the cookie that has the session token */
export function isOwnCookie(session: string): IsOwnCookie {
  return (name) => name === session || name.startsWith('postern_');
}

/**
 * @param header value of `Cookie`
 * @returns the same without the gate's cookies; an empty text: there are no others
 */
export function withoutOwnCookies(header: string, isOwn: IsOwnCookie): string {
  const pairs = header.split(';');
  const kept = pairs.filter((pair) => !isOwn(nameOf(pair)));
  if (kept.length === pairs.length) return header;
  return kept
    .map(withoutWhiteSpace)
    .filter((pair) => pair !== '')
    .join('; ');
}

/**
 * Whether a browser would take it for a cookie of the gate, or send it as one: it sends a cookie without a name as its value alone
 * (RFC 6265bis, 5.8.3).
 * @param setCookie value of `Set-Cookie`
 */
export function setsOwnCookie(setCookie: string, isOwn: IsOwnCookie): boolean {
  const [pair = ''] = setCookie.split(';', 1);
  return isOwn(nameOf(pair) || nameOf(withoutWhiteSpace(pair).slice(1)));
}

/** Without the white space that those who read cookies leave out. */
function nameOf(pair: string): string {
  return withoutWhiteSpace(pair.split('=', 1)[0] ?? '');
}
