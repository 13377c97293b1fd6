import { readJson } from '../../../policy/json.ts';
import { boundedFetch, ProviderError } from '../../../accounts/provider.ts';

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

export type AskProvider = (url: string, question?: ProviderQuestion) => Promise<ProviderAnswer>;

/**
 * Sends a request as the gate does at a login: same timeout, same limit of the answer, same certificate authorities.
 * @param timeoutMs for each answer
 */
export function createAskProvider(timeoutMs: number): AskProvider {
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

/** @returns undefined when the field is not a text */
export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}

/** @returns undefined when the field is not a list of texts, that is, not given */
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
