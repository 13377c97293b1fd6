import { boundedFetch } from '../../../sign-on/bounded-fetch.ts';
import { ProviderError } from '../../../sign-on/provider-error.ts';
import type { ProviderAnswer } from './provider-answer.ts';

interface ProviderQuestion {
  readonly headers?: Readonly<Record<string, string>>;
  /** A form; makes it a POST. */
  readonly form?: Readonly<Record<string, string>>;
}

export type AskProvider = (url: string, question?: ProviderQuestion) => Promise<ProviderAnswer>;

/**
 * Asks as the gate does at a login: with the same time limit, the same bound on the answer, the same authorities of certificates.
 * @param patience milliseconds for each answer
 */
export function createAskProvider(patience: number): AskProvider {
  const fetch = boundedFetch(patience);
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
