import { withoutWhiteSpace } from './raw-headers.ts';

/**
 * Cookies of the gate besides the session cookie, which is named by `auth.cookie_name`. They share a prefix, by which the gate and the
 * configurations of other fronts recognize them. The recorder neither gets nor sets any of them.
 */
export const ownCookies = {
  /** An unlocked share. */
  share: 'postern_share',
  /** The credential of a display. */
  display: 'postern_display',
  /** Which browser it is, so that a new one is noticed. */
  device: 'postern_device',
  /** A pending login at the provider, followed by its id. */
  attempt: 'postern_oidc_',
  /** Language and theme of the pages. */
  look: 'postern_look',
} as const satisfies Record<string, `postern_${string}`>;

/** Whether a cookie of this name is the gate's. */
export type IsOwnCookie = (name: string) => boolean;

/** @param session name of the session cookie */
export function isOwnCookie(session: string): IsOwnCookie {
  return (name) => name === session || name.startsWith('postern_');
}

/**
 * @param header value of `Cookie`
 * @returns the header without the gate's cookies; empty if there are no others
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
 * Whether a browser would store it as a cookie of the gate, or send it as one: a cookie without a name is sent only as its value
 * (RFC 6265bis, 5.8.3).
 * @param setCookie value of `Set-Cookie`
 */
export function setsOwnCookie(setCookie: string, isOwn: IsOwnCookie): boolean {
  const [pair = ''] = setCookie.split(';', 1);
  return isOwn(nameOf(pair) || nameOf(withoutWhiteSpace(pair).slice(1)));
}

/** Without the white space that cookie parsers trim. */
function nameOf(pair: string): string {
  return withoutWhiteSpace(pair.split('=', 1)[0] ?? '');
}
