import { randomUUID } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { wholeSeconds, type Clock } from '../../clock.ts';
import type { SessionGeneration } from '../../policy/session-generation.ts';

/** The content of a session token. Times are milliseconds since the epoch. */
export interface SessionClaims {
  readonly username: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** The same in every token of one login, so that a logout ends refreshed ones too. */
  readonly sessionId: string;
  /** The user's session generation at issue; absent in a token made elsewhere with the secret. */
  readonly generation: string | undefined;
  /** Time when the user last proved their identity (`auth_time` of OpenID Connect Core, 2); absent when unknown. */
  readonly authenticatedAt?: number | undefined;
}

export type TokenProblem = 'token_expired' | 'token_invalid';

export interface SessionTokens {
  /** @param role for clients to read; the gate never uses it */
  issue(claims: SessionClaims, role: string): Promise<string>;
  verify(token: string): Promise<{ readonly claims: SessionClaims } | { readonly problem: TokenProblem }>;
}

/** No token of ours is this long: longer ones are not even decoded. */
const longestToken = 4_096;

/** RFC 7515, 7.1. Each token has one spelling; jose would accept spaces in base64url. */
const compact = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Milliseconds by which the clocks of two machines that share the secret may differ. */
const clockTolerance = 5_000;

/** Signs and verifies session tokens: JWT with HS256 and nothing else (RFC 8725, 3.1). */
export function createSessionTokens(secret: string, clock: Clock): SessionTokens {
  const bytes = new TextEncoder().encode(secret);
  // Imported once: jose would import the bytes for every token, a third of its time.
  const importing = crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);
  return {
    issue: async ({ username, issuedAt, expiresAt, sessionId, generation, authenticatedAt }, role) =>
      new SignJWT({
        role,
        sid: sessionId,
        gen: generation,
        auth_time: authenticatedAt === undefined ? undefined : wholeSeconds(authenticatedAt),
      })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(username)
        .setIssuedAt(wholeSeconds(issuedAt))
        .setExpirationTime(wholeSeconds(expiresAt))
        .setJti(randomUUID())
        .sign(await importing),

    verify: async (token) => {
      if (token.length > longestToken || !compact.test(token)) return { problem: 'token_invalid' };
      try {
        const { payload } = await jwtVerify(token, await importing, {
          algorithms: ['HS256'],
          requiredClaims: ['sub', 'exp', 'iat', 'jti'],
          currentDate: new Date(clock.now()),
        });
        const claims = claimsOf(payload);
        if (claims === undefined || claims.issuedAt > clock.now() + clockTolerance)
          return { problem: 'token_invalid' };
        return { claims };
      } catch (error) {
        return { problem: error instanceof errors.JWTExpired ? 'token_expired' : 'token_invalid' };
      }
    },
  };
}

function claimsOf({
  sub,
  exp: expSeconds,
  iat: iatSeconds,
  jti,
  sid,
  gen,
  auth_time: authTimeSeconds,
}: JWTPayload): SessionClaims | undefined {
  if (typeof sub !== 'string' || typeof jti !== 'string') return undefined;
  if (expSeconds === undefined || iatSeconds === undefined) return undefined;
  const [issuedAt, expiresAt] = [iatSeconds * 1000, expSeconds * 1000];
  // JSON can hold a number of seconds whose milliseconds are not finite.
  if (!Number.isFinite(issuedAt) || !Number.isFinite(expiresAt)) return undefined;
  return {
    username: sub,
    issuedAt,
    expiresAt,
    sessionId: typeof sid === 'string' ? sid : jti,
    generation: typeof gen === 'string' ? gen : undefined,
    authenticatedAt: typeof authTimeSeconds === 'number' ? authTimeSeconds * 1000 : undefined,
  };
}

/** The user as stored now, with whom a session token is compared. */
export interface SessionUser extends SessionGeneration {
  readonly username: string;
  readonly role: string;
  /** The provider of a federated user; absent for a local account. */
  readonly issuer: string | undefined;
  /** Has a passkey or one-time codes. */
  readonly hasSecondFactor: boolean;
  /** The admin whose invitation made the account, while they are one. */
  readonly invitedBy?: string | undefined;
}

/** A valid session token, with its user as stored now. */
export interface Session {
  readonly user: SessionUser;
  readonly claims: SessionClaims;
  /** Milliseconds since the epoch; later than in the claims when a later token of the session is valid. */
  readonly expiresAt: number;
  readonly verifiedBy?: object | undefined;
  /** Milliseconds since the epoch, when the registry last noted a use of the token; the caller of `note` sets it. */
  lastSeenAt: number;
}
