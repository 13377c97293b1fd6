/**
 * Why a call to the provider failed. `refused`: it returned an error (RFC 6749, 4.1.2.1 and 5.2). `away`: it does not
 * respond, or not now. `nonsense`: the response violates the protocol, or is about someone else.
 */
type ProviderErrorKind = 'refused' | 'away' | 'nonsense';

/** For the log: neither message nor cause contains secrets of the provider. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly kind: ProviderErrorKind;
  /** The provider's own error code, such as `invalid_grant`; undefined: it gave none. */
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

/** @returns what an error of openid-client, of jose or of a request to the provider means */
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

/** Why the provider could not be asked; `unreadable`: the refresh token was sealed with another key. */
export type ProviderFault = 'away' | 'nonsense' | 'unreadable';
