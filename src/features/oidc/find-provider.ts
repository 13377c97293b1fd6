import type { JWTVerifyGetKey } from 'jose';
import type * as OpenidClient from 'openid-client';
import type { Clock } from '../../clock.ts';
import type { OidcConfiguration } from '../../config/configuration.ts';
import type { BoundedFetch } from '../../accounts/provider/bounded-fetch.ts';
import { ProviderError } from '../../accounts/provider/provider-error.ts';
import { createProviderKeys } from './provider-keys.ts';

export interface FoundProvider {
  readonly client: typeof OpenidClient;
  readonly configuration: OpenidClient.Configuration;
  readonly metadata: OpenidClient.ServerMetadata;
  readonly keys: JWTVerifyGetKey;
}

/**
 * Reads a provider's metadata (OpenID Connect Discovery 1.0, 4) and makes the client for it.
 * @throws what openid-client throws, or a ProviderError
 */
export async function findProvider(
  { issuer, clientId, clientSecret }: Pick<OidcConfiguration, 'issuer' | 'clientId' | 'clientSecret'>,
  fetch: BoundedFetch,
  clock: Clock,
): Promise<FoundProvider> {
  // The configuration accepts http only on loopback.
  const isPlain = issuer.startsWith('http:');
  // It takes memory, and gates without a provider do not need it.
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

/** How the client authenticates (OpenID Connect Core 1.0, 9): by a header, unless the provider supports only the body. */
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

/** Issuers are compared exactly, except for what follows a bare origin. */
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
