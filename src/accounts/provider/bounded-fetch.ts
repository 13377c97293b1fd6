import { ProviderError } from './provider-error.ts';

/** Longer than any response of a provider: discovery, keys, tokens and UserInfo. */
const longestAnswer = 1_048_576;

export type BoundedFetch = (
  url: string,
  options: Omit<RequestInit, 'signal'> & { signal?: unknown },
) => Promise<Response>;

/**
 * Makes a `fetch` for libraries that call a provider. It follows no redirect, and resolves once the whole body is there. It
 * rejects with a ProviderError: `away` without a response, for a 5xx and for 429; `nonsense` when the response is too long.
 * @param timeoutMs from the request to the last byte of the response
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
      // `Response` rejects a body for these.
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

/** Without the query: it may be long, and secrets do not belong in a log. */
function whereOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** The system's error code, such as ECONNREFUSED, if there is one. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason given';
  if (error.name === 'TimeoutError') return 'it takes too long';
  const { code, message } = (error.cause ?? error) as { readonly code?: unknown; readonly message?: unknown };
  return [code, message].find((word) => typeof word === 'string') ?? error.message;
}
