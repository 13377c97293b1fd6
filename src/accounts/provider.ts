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
      throw new ProviderError('away', `${where} does not answer: ${causeOf(error)}`);
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

/** Leaves out the query: it may be long, and secrets do not belong in a log. */
function whereOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** The system's error code, such as ECONNREFUSED, if there is one. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason given';
  if (error.name === 'TimeoutError') return 'it takes too long';
  const { code, message } = (error.cause ?? error) as { readonly code?: unknown; readonly message?: unknown };
  return [code, message].find((word) => typeof word === 'string') ?? error.message;
}

/**
 * Reason why a call to the provider failed. `refused`: it returned an error (RFC 6749, 4.1.2.1 and 5.2). `away`: it does not
 * respond, or not now. `nonsense`: the response violates the protocol, or is about someone else.
 */
type ProviderErrorKind = 'refused' | 'away' | 'nonsense';

/** An error for the log: neither message nor cause contains secrets of the provider. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly kind: ProviderErrorKind;
  /** The provider's own error code, such as `invalid_grant`; absent when it gave none. */
  readonly oauthError: string | undefined;

  constructor(kind: ProviderErrorKind, message: string, oauthError?: string) {
    super(message);
    this.kind = kind;
    this.oauthError = oauthError;
  }
}

/** The provider is up, but temporarily unable to serve. */
const passing = new Set(['temporarily_unavailable', 'server_error']);

/** Codes of openid-client for an error response of the provider. */
const refusals = new Set([
  'OAUTH_RESPONSE_BODY_ERROR',
  'OAUTH_AUTHORIZATION_RESPONSE_ERROR',
  'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
]);

/** @returns the meaning of an error of openid-client, of jose or of a request to the provider */
export function providerErrorOf(error: unknown): ProviderError {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof ProviderError) return inner;
  }
  const { code, error: said, error_description: description } = (error ?? {}) as Record<string, unknown>;
  if (typeof code !== 'string' || !refusals.has(code)) return new ProviderError('nonsense', wordsOf(error));
  const oauthError = plain(said, /^[\w.-]{1,64}$/);
  const kind = oauthError !== undefined && passing.has(oauthError) ? 'away' : 'refused';
  // The text of an authorization response comes from the browser.
  const words = code === 'OAUTH_RESPONSE_BODY_ERROR' ? plain(description, /^[\x20-\x7e]{1,300}$/) : undefined;
  return new ProviderError(
    kind,
    ['the provider says', oauthError ?? 'no', words].join(' ').trim(),
    oauthError,
  );
}

/** Messages of the libraries, which contain no values. Those of parsers are left out: they repeat the input. */
function wordsOf(error: unknown): string {
  const words: string[] = [];
  for (let inner = error; inner instanceof Error && words.length < 2; inner = inner.cause) {
    if (!(inner instanceof SyntaxError)) words.push(inner.message);
  }
  return words.join(': ') || 'an answer that cannot be read';
}

function plain(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined;
}

/** Reason why the provider could not be asked; `unreadable`: the refresh token was sealed with another key. */
export type ProviderFault = 'away' | 'nonsense' | 'unreadable';

/** Addresses of the gate that a provider has to know. */
export interface OwnAddresses {
  /** Redirect URI. */
  readonly callback: string;
  /** Address to which the provider sends a browser after a logout. */
  readonly loggedOut: string;
  readonly backChannel: string;
}

/** @param publicUrl origin of the site, as browsers use it */
export function ownAddresses(publicUrl: string, basePath: string): OwnAddresses {
  const own = (name: string) => `${publicUrl}${basePath}/postern/oidc/${name}`;
  return {
    callback: own('callback'),
    loggedOut: own('logged-out'),
    backChannel: own('backchannel-logout'),
  };
}
