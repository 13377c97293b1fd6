import { basicIn, bearerIn, isApiToken, type BasicCredentials } from '../../policy/authorization-header.ts';
import { headerValues, type RawHeaders } from '../../policy/raw-headers.ts';
import type { Reason } from '../../policy/reasons.ts';
import type { SessionCookie } from '../../accounts/sessions/session-cookie.ts';

type Presented = { readonly token: string } | { readonly refused: Reason };

/** An API token, and the Basic credentials whose password it is; undefined if it was sent as bearer. */
interface PresentedApiToken {
  readonly token: string;
  readonly basic: BasicCredentials | undefined;
}

/** @returns the token of `Authorization: Bearer`; undefined without such a header */
export function bearerOf(headers: RawHeaders): Presented | undefined {
  const authorizations = headerValues(headers, 'authorization');
  if (authorizations.length > 1) return { refused: 'token_ambiguous' };
  const [authorization] = authorizations;
  const token = authorization === undefined ? undefined : bearerIn(authorization);
  return token === undefined ? undefined : { token };
}

/** @returns what claims to be an API token, as bearer or as the password of Basic; undefined without exactly one such header */
export function apiTokenOf(headers: RawHeaders): PresentedApiToken | undefined {
  const [authorization, ...others] = headerValues(headers, 'authorization');
  if (authorization === undefined || others.length > 0) return undefined;
  const bearer = bearerIn(authorization);
  const basic = bearer === undefined ? basicIn(authorization) : undefined;
  const token = bearer ?? basic?.password;
  return token !== undefined && isApiToken(token) ? { token, basic } : undefined;
}

/** @returns the token of the session cookie (RFC 6265bis) */
export function cookieOf(headers: RawHeaders, cookie: Pick<SessionCookie, 'read'>): Presented {
  const read = cookie.read(headerValues(headers, 'cookie'));
  if (read === 'ambiguous') return { refused: 'token_ambiguous' };
  return read === 'absent' ? { refused: 'no_session' } : read;
}
