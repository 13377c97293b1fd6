import type { JWTVerifyGetKey } from 'jose';
import type * as OpenidClient from 'openid-client';
import type { Clock } from '../../clock.ts';
import type { OidcConfiguration } from '../../config/configuration.ts';
import type { BoundedFetch } from './bounded-fetch.ts';
import { ProviderError } from './provider-error.ts';
import { createProviderKeys } from './provider-keys.ts';

/** What was found at a provider. */
export interface FoundProvider {
  readonly client: typeof OpenidClient;
  readonly configuration: OpenidClient.Configuration;
  readonly metadata: OpenidClient.ServerMetadata;
  readonly keys: JWTVerifyGetKey;
}

/**
 * Asks a provider what it says of itself (OpenID Connect Discovery 1.0, 4), and makes of it what the gate needs.
 * @throws what openid-client throws, or a ProviderError
 */
export async function findProvider(
  { issuer, clientId, clientSecret }: Pick<OidcConfiguration, 'issuer' | 'clientId' | 'clientSecret'>,
  fetch: BoundedFetch,
  clock: Clock,
): Promise<FoundProvider> {
  // The configuration takes http on loopback alone.
  const isPlain = issuer.startsWith('http:');
  // It takes memory, and whoever has no provider has no use for it.
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

/** The way that the provider knows (OpenID Connect Core 1.0, 9): by a header, unless it says that it takes the body alone. */
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

/** An issuer is a name, and no other spelling is the same; what stands behind a bare origin makes no difference. */
function requireOwnIssuer(said: string, issuer: string): void {
  if (URL.parse(said)?.href !== new URL(issuer).href) throw otherIssuer(said, issuer);
}

/** The usual mistake of a configuration gets the word that mends it. */
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
