import { decodeProtectedHeader, type JWTPayload } from 'jose';
import type { Clock } from '../../clock.ts';
import { ProviderError } from '../../accounts/provider/provider-error.ts';

/** A provider's notice by the back channel that sessions are over. It has `sub`, `sid` or both. */
export interface LogoutToken {
  readonly sub: string | undefined;
  readonly sid: string | undefined;
  readonly jti: string;
  /** When the token is too old to be accepted, in milliseconds since the epoch: until then its `jti` must not be used again. */
  readonly expiresAt: number;
}

const event = 'http://schemas.openid.net/event/backchannel-logout';

/** Types that a logout token may have in its header; many providers send none, or that of any JWT. */
const types: ReadonlySet<unknown> = new Set([undefined, 'jwt', 'logout+jwt']);

/** Longer than any provider's token: it is not even decoded. */
const longestToken = 16_384;

/** Seconds. The specification advises two minutes, but clocks differ and providers retry. */
const longestAge = 600;

/** Seconds more for clocks that differ. */
const clockTolerance = 30;

/**
 * OpenID Connect Back-Channel Logout 1.0, 2.4 and 2.6.
 * @param verify checks signature, issuer, audience and expiry
 * @throws ProviderError, or what `verify` throws
 */
export async function readLogoutToken(
  token: string,
  verify: (token: string) => Promise<JWTPayload>,
  clock: Clock,
): Promise<LogoutToken> {
  const refuse = (why: string) => new ProviderError('nonsense', `a logout token ${why}`);
  if (token.length > longestToken) throw refuse('is too long');
  const { sub, jti, iat, exp, nonce, sid: said, events } = await verify(token);
  const { typ } = decodeProtectedHeader(token);
  // Media types ignore case, and `application/` may be left out (RFC 7515, 4.1.9).
  if (!types.has(typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ))
    throw refuse('is of another type');
  // Only ID tokens have one: they must not pass for logout tokens.
  if (nonce !== undefined) throw refuse('has a nonce');
  const named = (events as Readonly<Record<string, unknown>> | undefined)?.[event];
  if (typeof named !== 'object' || named === null) throw refuse('names no logout');
  if (typeof jti !== 'string' || jti === '') throw refuse('has no jti');
  const sid = typeof said === 'string' && said !== '' ? said : undefined;
  if (sub === undefined && sid === undefined) throw refuse('says neither sub nor sid');
  if (iat === undefined) throw refuse('has no iat');
  const oldest = clock.now() / 1000 - longestAge - clockTolerance;
  if (iat < oldest || iat > clock.now() / 1000 + clockTolerance) throw refuse('is not of now');
  const ends = Math.min(exp ?? Number.POSITIVE_INFINITY, iat + longestAge) + clockTolerance;
  return { sub, sid, jti, expiresAt: ends * 1000 };
}
