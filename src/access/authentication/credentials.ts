import { headerValues, type RawHeaders } from '../../policy/raw-headers.ts';
import type { Reason } from '../../policy/reasons.ts';
import type { SessionCookie } from '../../identity/sessions/session-cookie.ts';

type Presented = { readonly token: string } | { readonly refused: Reason };

const scheme = /^bearer(?:[ \t]+(.*))?$/i;

/** @returns the token of `Authorization: Bearer` (RFC 6750, 2.1); undefined without such a header */
export function bearerOf(headers: RawHeaders): Presented | undefined {
  const authorizations = headerValues(headers, 'authorization');
  if (authorizations.length > 1) return { refused: 'token_ambiguous' };
  const [authorization] = authorizations;
  const bearer = authorization === undefined ? null : scheme.exec(authorization);
  return bearer === null ? undefined : { token: bearer[1] ?? '' };
}

/** @returns the token of the session cookie (RFC 6265bis) */
export function cookieOf(headers: RawHeaders, cookie: Pick<SessionCookie, 'read'>): Presented {
  const read = cookie.read(headerValues(headers, 'cookie'));
  if (read === 'ambiguous') return { refused: 'token_ambiguous' };
  return read === 'absent' ? { refused: 'no_session' } : read;
}
