import { ProviderError } from './provider-error.ts';

/** No answer of a provider is longer: discovery, keys, tokens, and what it says of a person. */
const longestAnswer = 1_048_576;

export type BoundedFetch = (
  url: string,
  options: Omit<RequestInit, 'signal'> & { signal?: unknown },
) => Promise<Response>;

/**
 * @param timeoutMs milliseconds from the request to the last byte of the answer
 * @returns `fetch` for libraries that ask a provider: it follows no redirect, and holds the whole answer when it is fulfilled. It
 * rejects with a ProviderError: `away` without an answer, with a 5xx and with 429; `nonsense` when the answer is too long
 */
export function boundedFetch(timeoutMs: number): BoundedFetch {
  return async (url, options) => {
    const where = whereOf(url);
    const { signal: _, ...rest } = options;
    try {
      const response = await fetch(url, {
        ...rest,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const { status, headers } = response;
      if (status >= 500 || status === 429) {
        await response.body?.cancel();
        throw new ProviderError('away', `${where} answers with status ${status}`);
      }
      const body = await readBounded(response, where);
      // A status without a body takes none.
      return new Response([204, 205, 304].includes(status) ? null : body, { status, headers });
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      throw new ProviderError('away', `${where} does not answer: ${wordsOf(error)}`);
    }
  };
}

async function readBounded({ body }: Response, where: string): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > longestAnswer)
      throw new ProviderError('nonsense', `${where} answers with more than ${longestAnswer} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Without the query: nothing secret belongs there, and it may be long. */
function whereOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** The system's own word, such as ECONNREFUSED, where there is one. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason given';
  if (error.name === 'TimeoutError') return 'it takes too long';
  const { code, message } = (error.cause ?? error) as { readonly code?: unknown; readonly message?: unknown };
  return [code, message].find((word) => typeof word === 'string') ?? error.message;
}
