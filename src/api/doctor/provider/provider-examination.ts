import type { Clock } from '../../../clock.ts';
import type { Configuration, OidcConfiguration } from '../../../config/configuration.ts';
import { ownAddresses, type OwnAddresses } from '../../../accounts/provider.ts';
import { CannotExamine, type Check } from '../check.ts';
import {
  createAskProvider,
  fieldsOf,
  type AskProvider,
  type Fields,
  type ProviderAnswer,
} from './ask-provider.ts';

/** A record of the audit. */
export interface SignInRecord {
  readonly time: string;
  readonly event: string;
  readonly source: string | null;
  readonly reason: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Facts about a provider after the first request. */
export interface ReachedProvider {
  readonly oidc: OidcConfiguration;
  readonly addresses: OwnAddresses;
  /** Milliseconds: the length of a session of the gate, and the rest of it at which the provider is asked again. */
  readonly lengths: { readonly sessionLength: number; readonly refreshTime: number };
  readonly ask: AskProvider;
  readonly discoveryUrl: string;
  /** The answer to discovery, and its time in milliseconds since the epoch. */
  readonly discovery: { readonly answer: ProviderAnswer; readonly at: number };
  /** The provider's metadata; undefined when they cannot be used. */
  readonly metadata: Fields | undefined;
  /** Records of sign-ins at the provider, the newest first; undefined: there are none to read. */
  readonly signIns: readonly SignInRecord[] | undefined;
}

export interface ProviderExamination extends ReachedProvider {
  readonly metadata: Fields;
}

/** A check that needs metadata is skipped without them. */
export type ProviderCheck =
  | (Check<ReachedProvider> & { readonly needs?: undefined })
  | (Check<ProviderExamination> & { readonly needs: 'metadata' });

/** Milliseconds for each answer of the provider. */
const timeoutMs = 10_000;

/** @throws CannotExamine without a provider in the configuration */
export async function reachProvider(
  { publicUrl, basePath, auth: { oidc, sessionLength, refreshTime } }: Configuration,
  clock: Clock,
  signIns: ReachedProvider['signIns'],
): Promise<ReachedProvider> {
  if (oidc === undefined || publicUrl === undefined)
    throw new CannotExamine('the configuration has no auth.oidc');
  const ask = createAskProvider(timeoutMs);
  const discoveryUrl = `${oidc.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const answer = await ask(discoveryUrl, { headers: { accept: 'application/json' } });
  return {
    oidc,
    addresses: ownAddresses(publicUrl, basePath),
    lengths: { sessionLength, refreshTime },
    ask,
    discoveryUrl,
    discovery: { answer, at: clock.now() },
    metadata: answer.status === 200 ? fieldsOf(answer) : undefined,
    signIns,
  };
}
