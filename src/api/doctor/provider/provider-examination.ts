import { type OwnAddresses, ProviderError, boundedFetch, ownAddresses } from '../../../accounts/provider.ts';
import type { Clock } from '../../../clock.ts';
import type { Configuration, OidcConfiguration } from '../../../config/configuration.ts';
import { readJson } from '../../../policy/json.ts';
import { CannotExamine, type DoctorCheck } from '../check.ts';

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
  /** The provider's metadata; `undefined` if they cannot be used. */
  readonly metadata: Fields | undefined;
  /** Records of sign-ins at the provider, the newest first; `undefined` if there are none to read. */
  readonly signIns: readonly SignInRecord[] | undefined;
}

export interface ProviderExamination extends ReachedProvider {
  readonly metadata: Fields;
}

/** A check that needs metadata is skipped without them. */
export type ProviderCheck =
  | (DoctorCheck<ReachedProvider> & { readonly needs?: undefined })
  | (DoctorCheck<ProviderExamination> & { readonly needs: 'metadata' });

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

/** An answer of a provider. */
export interface ProviderAnswer {
  /** 0 without an answer. */
  readonly status: number;
  readonly body: string;
  /** Absolute address of a redirect. */
  readonly location: URL | undefined;
  /** Its clock, in milliseconds since the epoch: the header `Date` (RFC 9110, 6.6.1). */
  readonly date: number | undefined;
  /** Why there is no answer. */
  readonly failure?: string;
}

interface ProviderQuestion {
  readonly headers?: Readonly<Record<string, string>>;
  /** A form; makes it a POST. */
  readonly form?: Readonly<Record<string, string>>;
}

type AskProvider = (url: string, question?: ProviderQuestion) => Promise<ProviderAnswer>;

/**
 * Sends a request as the gate does at a login: same timeout, same limit of the answer, same certificate authorities.
 * @param timeoutMs for each answer
 */
function createAskProvider(timeoutMs: number): AskProvider {
  const fetch = boundedFetch(timeoutMs);
  return async (url, { headers = {}, form } = {}) => {
    try {
      const response = await fetch(url, {
        headers,
        ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
      });
      const date = Date.parse(response.headers.get('date') ?? '');
      const location = response.headers.get('location');
      return {
        status: response.status,
        body: await response.text(),
        location: location === null ? undefined : (URL.parse(location, url) ?? undefined),
        date: Number.isNaN(date) ? undefined : date,
      };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return { status: 0, body: '', location: undefined, date: undefined, failure: error.message };
    }
  };
}

/** Empty when the body is not a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf({ body }: Pick<ProviderAnswer, 'body'>): Fields | undefined {
  const value = readJson(body);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** @returns undefined if the field is not a text */
export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}

/** @returns undefined if the field is not a list of texts, that is, not given */
export function listIn(fields: Fields, name: string): readonly string[] | undefined {
  const value = fields[name];
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined;
}

/** Characters of a provider's own message that are repeated. */
const longestWords = 300;

/**
 * An error of OAuth (RFC 6749, 4.1.2.1 and 5.2) in the provider's words, which often name the mistake.
 * @param secret is not repeated
 */
export function errorWords(said: (name: string) => string | undefined, secret: string | undefined): string {
  const words = ['error', 'error_description', 'error_hint'].map(said).filter((word) => word !== undefined);
  const text = words.join(': ').slice(0, longestWords);
  return secret === undefined ? text : text.replaceAll(secret, '…');
}
