import { type JWTVerifyGetKey, createRemoteJWKSet, customFetch } from 'jose';
import type * as OpenidClient from 'openid-client';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { providerErrorOf, ProviderError, type BoundedFetch } from '../../accounts/provider.ts';
import type { OidcConfiguration } from '../../config/configuration.ts';

/** Milliseconds between two attempts to reach a provider that failed. */
export const pauseAfterFailure = 10_000;

/** Milliseconds after which the metadata is read again. */
const longestKept = 3_600_000;

interface DiscoveryDependencies<T> {
  /** @throws any error */
  readonly ask: () => Promise<T>;
  readonly issuer: string;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/**
 * Caches a provider's metadata (OpenID Connect Discovery 1.0). It is read at first use, so that the gate starts without the
 * provider. Old metadata is read again in the background.
 * @returns a function that rejects with a ProviderError: after a failure with the same one, until it is time to retry
 */
export function createDiscovery<T>({
  ask,
  issuer,
  clock,
  logger,
}: DiscoveryDependencies<T>): () => Promise<T> {
  let found: { readonly value: T; readonly at: number } | undefined;
  let failed: { readonly error: Error; readonly at: number } | undefined;
  let asking: Promise<T> | undefined;

  const learn = async () => {
    try {
      const value = await ask();
      if (failed !== undefined) logger.info({ issuer }, 'the provider of sign-on answers again');
      found = { value, at: clock.now() };
      failed = undefined;
      return value;
    } catch (thrown) {
      const error = providerErrorOf(thrown);
      if (failed?.error.message !== error.message)
        logger.warn(
          { issuer, kind: error.kind, cause: error.message },
          'the provider of sign-on is of no help',
        );
      failed = { error, at: clock.now() };
      throw error;
    }
  };
  const askAgain = (): Promise<T> => {
    if (failed !== undefined && isWithin(pauseAfterFailure, failed.at, clock))
      return Promise.reject(failed.error);
    asking ??= learn().finally(() => (asking = undefined));
    return asking;
  };
  return () => {
    if (found === undefined) return askAgain();
    if (!isWithin(longestKept, found.at, clock)) askAgain().catch(() => undefined);
    return Promise.resolve(found.value);
  };
}

/** Whether less than so many milliseconds have passed, by a clock that may go back. */
export function isWithin(milliseconds: number, since: number, clock: Clock): boolean {
  return Math.abs(clock.now() - since) < milliseconds;
}

export interface FoundProvider {
  readonly client: typeof OpenidClient;
  readonly configuration: OpenidClient.Configuration;
  readonly metadata: OpenidClient.ServerMetadata;
  readonly keys: JWTVerifyGetKey;
}

/**
 * Reads a provider's metadata (OpenID Connect Discovery 1.0, 4) and makes the client for it.
 * @throws errors of openid-client, or a ProviderError
 */
export async function findProvider(
  { issuer, clientId, clientSecret }: Pick<OidcConfiguration, 'issuer' | 'clientId' | 'clientSecret'>,
  fetch: BoundedFetch,
  clock: Clock,
): Promise<FoundProvider> {
  // The configuration accepts http only on loopback.
  const isPlain = issuer.startsWith('http:');
  // The library takes memory, and gates without a provider do not need it.
  const client = await import('openid-client');
  const execute = isPlain ? [client.allowInsecureRequests] : [];
  const options = { [client.customFetch]: fetch, execute } as OpenidClient.DiscoveryRequestOptions;
  const discovered = await client
    .discovery(new URL(issuer), clientId, undefined, undefined, options)
    .catch((error: unknown) => {
      throw misnamed(error, issuer) ?? error;
    });
  const metadata = discovered.serverMetadata();
  requireOwnIssuer(metadata.issuer, issuer);
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const)
    requireEndpoint(name, metadata[name], isPlain);
  const configuration = new client.Configuration(
    metadata,
    clientId,
    undefined,
    clientAuthentication(client, metadata, clientSecret),
  );
  configuration[client.customFetch] = fetch as OpenidClient.CustomFetch;
  for (const apply of execute) apply(configuration);
  const keys = createProviderKeys(metadata.jwks_uri ?? '', fetch, clock);
  return { client, configuration, metadata, keys };
}

/** Client authentication (OpenID Connect Core 1.0, 9): by a header, unless the provider supports only the body. */
function clientAuthentication(
  client: typeof OpenidClient,
  { token_endpoint_auth_methods_supported: known }: OpenidClient.ServerMetadata,
  secret: string,
): OpenidClient.ClientAuth {
  const takesHeader = known === undefined || known.includes('client_secret_basic');
  return takesHeader || !known.includes('client_secret_post')
    ? client.ClientSecretBasic(secret)
    : client.ClientSecretPost(secret);
}

/** Compares issuers exactly, except for a slash behind a bare origin. */
function requireOwnIssuer(said: string, issuer: string): void {
  if (URL.parse(said)?.href !== new URL(issuer).href) throw otherIssuer(said, issuer);
}

/** The most common mistake in a configuration gets a message with its fix. */
function misnamed(error: unknown, issuer: string): ProviderError | undefined {
  const cause =
    error instanceof Error ? (error.cause as { readonly body?: { readonly issuer?: unknown } }) : undefined;
  const said = cause?.body?.issuer;
  return typeof said === 'string' ? otherIssuer(said, issuer) : undefined;
}

function otherIssuer(said: string, issuer: string): ProviderError {
  const name = /^[\x21-\x7e]{1,300}$/.test(said) ? said : 'something else';
  return new ProviderError(
    'nonsense',
    `what answers at ${issuer} calls itself ${name}: auth.oidc.issuer must be the same`,
  );
}

function requireEndpoint(name: string, said: string | undefined, isPlain: boolean): void {
  const protocol = said === undefined ? undefined : URL.parse(said)?.protocol;
  if (protocol !== 'https:' && !(isPlain && protocol === 'http:'))
    throw new ProviderError('nonsense', `the provider has no ${name} by https`);
}

/** Milliseconds after which an unknown key may cause another read. */
const pauseBetweenKeys = 10_000;

/**
 * The provider's signing keys, read when an unknown one is needed. Forged tokens cause one read in ten seconds at most, also
 * while the provider returns no keys.
 */
export function createProviderKeys(uri: string, fetch: BoundedFetch, clock: Clock): JWTVerifyGetKey {
  let failed: { readonly error: Error; readonly at: number } | undefined;
  const fetchKeys: BoundedFetch = async (url, options) => {
    if (failed !== undefined && isWithin(pauseAfterFailure, failed.at, clock)) throw failed.error;
    try {
      const response = await fetch(url, options);
      const { keys } = (await response.clone().json()) as { readonly keys?: unknown };
      if (!response.ok || !Array.isArray(keys)) throw new ProviderError('nonsense', `${url} has no keys`);
      failed = undefined;
      return response;
    } catch (thrown) {
      failed = { error: providerErrorOf(thrown), at: clock.now() };
      throw failed.error;
    }
  };
  return createRemoteJWKSet(new URL(uri), { [customFetch]: fetchKeys, cooldownDuration: pauseBetweenKeys });
}
