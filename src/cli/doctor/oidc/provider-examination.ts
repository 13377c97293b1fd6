import type { Clock } from '../../../clock.ts';
import type { Configuration, OidcConfiguration } from '../../../config/configuration.ts';
import { ownAddresses, type OwnAddresses } from '../../../sign-on/own-addresses.ts';
import type { Probe } from '../probe.ts';
import { createAskProvider, type AskProvider } from './ask-provider.ts';
import { fieldsOf, type Fields, type ProviderAnswer } from './provider-answer.ts';

/** What is known of a provider after the first question. */
export interface ReachedProvider {
  readonly oidc: OidcConfiguration;
  readonly addresses: OwnAddresses;
  /** Milliseconds: how long a session of the gate lasts, and how much of it is left when the provider is asked again. */
  readonly lengths: { readonly sessionLength: number; readonly refreshTime: number };
  readonly clock: Clock;
  readonly ask: AskProvider;
  readonly discoveryUrl: string;
  /** The answer to discovery, and when it came, in milliseconds since the epoch. */
  readonly discovery: { readonly answer: ProviderAnswer; readonly at: number };
  /** What the provider says of itself; undefined when it says nothing that can be used. */
  readonly metadata: Fields | undefined;
}

export interface ProviderExamination extends ReachedProvider {
  readonly metadata: Fields;
}

export type ProviderProbe = Omit<Probe<ProviderExamination>, 'needs'>;

/** Milliseconds for each answer of the provider. */
const patience = 10_000;

export async function reachProvider(
  oidc: OidcConfiguration,
  publicUrl: string,
  { basePath, auth: { sessionLength, refreshTime } }: Pick<Configuration, 'basePath' | 'auth'>,
  clock: Clock,
): Promise<ReachedProvider> {
  const ask = createAskProvider(patience);
  const discoveryUrl = `${oidc.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const answer = await ask(discoveryUrl, { headers: { accept: 'application/json' } });
  return {
    oidc,
    addresses: ownAddresses(publicUrl, basePath),
    lengths: { sessionLength, refreshTime },
    clock,
    ask,
    discoveryUrl,
    discovery: { answer, at: clock.now() },
    metadata: answer.status === 200 ? fieldsOf(answer) : undefined,
  };
}
