import { jwtVerify, type JWTPayload, decodeProtectedHeader } from 'jose';
import type * as OpenidClient from 'openid-client';
import type { Clock } from '../../clock.ts';
import type { OidcConfiguration } from '../../config/configuration.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { boundedFetch, ownAddresses, ProviderError, providerErrorOf } from '../../accounts/provider.ts';
import { claimAt, completeClaims } from '../../policy/claims.ts';
import { createDiscovery, findProvider, type FoundProvider } from './discovery.ts';

type OidcClient = Pick<
  OidcConfiguration,
  'issuer' | 'clientId' | 'clientSecret' | 'scopes' | 'userClaims' | 'groupsClaim' | 'allowedEmails'
>;

interface ProviderDependencies {
  /** Origin of the site, as browsers use it. */
  readonly publicUrl: string;
  readonly basePath: string;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** For each response of the provider. */
  readonly timeoutMs?: number;
}

/** Claims about a user. Only the form of `sub` was checked. */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

/** Random values of one login attempt, each used once. */
export interface AttemptSecrets {
  readonly state: string;
  readonly nonce: string;
  /** PKCE (RFC 7636). */
  readonly verifier: string;
}

export interface ProviderGrant {
  readonly claims: Claims;
  /** Absent when a refresh returned no new one. */
  readonly idToken: string | undefined;
  /** Absent when the provider issued none; after a refresh, the previous one stays valid. */
  readonly refreshToken: string | undefined;
  /** The provider's own session ID; absent when it sends none. */
  readonly sid: string | undefined;
}

/**
 * The one OpenID Connect provider (OpenID Connect Core 1.0, by openid-client). All methods throw ProviderError and
 * nothing else.
 * The provider is contacted at first use.
 */
export interface Provider {
  /**
   * @param prompt `login`: the provider asks for credentials even when someone is signed in there
   * @returns the address at which a browser signs in
   */
  authorizationUrl(attempt: AttemptSecrets, prompt?: 'login'): Promise<string>;
  /**
   * Checks an authorization response: its state and issuer (RFC 9207), the code with PKCE, and the ID token's signature,
   * issuer, audience, nonce and times. UserInfo supplies claims that the ID token omits.
   * @param search query of the callback
   */
  exchange(search: string, attempt: AttemptSecrets): Promise<ProviderGrant>;
  /**
   * @param subject whose refresh token it is: a response about another user is `nonsense`
   * @param onRotated called with a new refresh token at once: later steps may fail, and the previous one is used up
   */
  refresh(
    refreshToken: string,
    subject: string,
    onRotated?: (refreshToken: string) => void,
  ): Promise<ProviderGrant>;
  /** OpenID Connect Back-Channel Logout 1.0, 2.6. The caller checks whether the `jti` was used before. */
  verifyLogoutToken(token: string): Promise<LogoutToken>;
  /** @returns where the user signs out at the provider too; undefined when it offers no logout, or fails */
  endSessionUrl(idToken?: string): Promise<string | undefined>;
  metadata(): Promise<OpenidClient.ServerMetadata>;
}

/** Signatures that only the provider can make, so neither `none` nor HMAC with the client's secret. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Seconds by which the provider's clock may differ; openid-client allows the same. */
const clockTolerance = 30;

export function createProvider(
  oidc: OidcClient,
  { publicUrl, basePath, clock, logger, timeoutMs = 5_000 }: ProviderDependencies,
): Provider {
  const { issuer, clientId, groupsClaim, userClaims, allowedEmails } = oidc;
  const fetch = boundedFetch(timeoutMs);
  const { callback: redirectUri, loggedOut } = ownAddresses(publicUrl, basePath);

  const discover = createDiscovery<FoundProvider>({
    issuer,
    clock,
    logger,
    ask: () => findProvider(oidc, fetch, clock),
  });

  const asked = async <T>(work: (found: FoundProvider) => Promise<T>): Promise<T> => {
    try {
      return await work(await discover());
    } catch (error) {
      throw providerErrorOf(error);
    }
  };
  const verify = async (token: string, { metadata, keys }: FoundProvider): Promise<JWTPayload> => {
    const { payload } = await jwtVerify(token, keys, {
      issuer: metadata.issuer,
      audience: clientId,
      algorithms,
      clockTolerance,
      currentDate: new Date(clock.now()),
    });
    // The libraries accept that: the token would live longer than the provider intends.
    if ((payload.iat ?? 0) > clock.now() / 1000 + clockTolerance)
      throw new ProviderError('nonsense', 'a token is from the future: the clocks differ');
    return payload;
  };

  /** The claims that the gate uses. An email address is worth nothing without `email_verified`. */
  const wanted = [
    ...userClaims,
    groupsClaim,
    ...(allowedEmails === undefined ? [] : ['email', 'email_verified']),
  ];
  const grantOf = async (
    found: FoundProvider,
    tokens: OpenidClient.TokenEndpointResponse,
    subject?: string,
  ): Promise<ProviderGrant> => {
    const { client, configuration, metadata } = found;
    const { id_token: idToken, access_token: accessToken, refresh_token: refreshToken } = tokens;
    const token = idToken === undefined ? undefined : await verify(idToken, found);
    const sub = token?.sub ?? subject;
    if (!isName(sub)) throw new ProviderError('nonsense', 'the id token names no user, or in a wrong form');
    if (subject !== undefined && sub !== subject)
      throw new ProviderError('nonsense', 'the refresh is for another user');
    const offersMore = metadata.userinfo_endpoint !== undefined;
    if (token === undefined && !offersMore)
      throw new ProviderError('nonsense', 'the refresh does not name the user, and there is no UserInfo');
    const lacks = wanted.some((claim) => claimAt(token ?? {}, claim) === undefined);
    const more = lacks && offersMore ? await client.fetchUserInfo(configuration, accessToken, sub) : {};
    const sid = token?.['sid'];
    return {
      // Signed claims take precedence.
      claims: { ...completeClaims(token ?? {}, more, wanted), sub },
      idToken,
      refreshToken,
      sid: isName(sid) ? sid : undefined,
    };
  };

  return {
    authorizationUrl: ({ state, nonce, verifier }, prompt) =>
      asked(async ({ client, configuration }) => {
        const { href } = client.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: oidc.scopes,
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ...(prompt === undefined ? {} : { prompt }),
        });
        return href;
      }),

    exchange: (search, { state, nonce, verifier }) =>
      asked(async (found) => {
        const tokens = await found.client.authorizationCodeGrant(
          found.configuration,
          new URL(`${redirectUri}${search}`),
          {
            expectedState: state,
            expectedNonce: nonce,
            pkceCodeVerifier: verifier,
            idTokenExpected: true,
          },
        );
        return grantOf(found, tokens);
      }),

    refresh: (refreshToken, subject, onRotated) =>
      asked(async (found) => {
        const tokens = await found.client.refreshTokenGrant(found.configuration, refreshToken);
        if (tokens.refresh_token !== undefined) onRotated?.(tokens.refresh_token);
        return grantOf(found, tokens, subject);
      }),

    verifyLogoutToken: (token) =>
      asked(async (found) => readLogoutToken(token, (text) => verify(text, found), clock)),

    endSessionUrl: (idToken) =>
      asked(async ({ client, configuration, metadata }) => {
        if (metadata.end_session_endpoint === undefined) return undefined;
        const { href } = client.buildEndSessionUrl(configuration, {
          post_logout_redirect_uri: loggedOut,
          ...(idToken === undefined ? {} : { id_token_hint: idToken }),
        });
        return href;
      }).catch(() => undefined),

    metadata: () => asked(async ({ metadata }) => metadata),
  };
}

/**
 * OpenID Connect Core 1.0, 2: `sub` has at most 255 characters. Lone surrogates and control characters are rejected: some
 * databases replace or drop them, and two users would become one.
 */
function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(value);
}

/** A provider's notice by the back channel that sessions are over. It has `sub`, `sid` or both. */
export interface LogoutToken {
  readonly sub: string | undefined;
  readonly sid: string | undefined;
  readonly jti: string;
  /** Milliseconds since the epoch, when the token is too old to be accepted: until then its `jti` must not be used again. */
  readonly expiresAt: number;
}

const event = 'http://schemas.openid.net/event/backchannel-logout';

/** Types that a logout token may have in its header; many providers send none, or that of any JWT. */
const types: ReadonlySet<unknown> = new Set([undefined, 'jwt', 'logout+jwt']);

/** Longer than any provider's token: it is not even decoded. */
const longestToken = 16_384;

/** Seconds. The specification advises two minutes, but clocks differ and providers retry. */
const longestAge = 600;

/**
 * OpenID Connect Back-Channel Logout 1.0, 2.4 and 2.6.
 * @param verify checks signature, issuer, audience and expiry
 * @throws ProviderError, or an error of `verify`
 */
async function readLogoutToken(
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
  if (iat < oldest || iat > clock.now() / 1000 + clockTolerance)
    throw refuse('is too old, or from the future');
  const ends = Math.min(exp ?? Number.POSITIVE_INFINITY, iat + longestAge) + clockTolerance;
  return { sub, sid, jti, expiresAt: ends * 1000 };
}
