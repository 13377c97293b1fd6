/**
 * Why a provider was of no help. `refused`: it says no (RFC 6749, 4.1.2.1 and 5.2). `away`: it does not answer, or not now.
 * `nonsense`: what it says is not what the protocol allows, or not of whom it should be.
 */
type ProviderErrorKind = 'refused' | 'away' | 'nonsense';

/** For the log: the message has none of the provider's secrets in it, nor a cause that could have. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly kind: ProviderErrorKind;
  /** The provider's own code of an error, such as `invalid_grant`; undefined: it gave none. */
  readonly oauthError: string | undefined;

  constructor(kind: ProviderErrorKind, message: string, oauthError?: string) {
    super(message);
    this.kind = kind;
    this.oauthError = oauthError;
  }
}

/** A provider that is there, and cannot do it now. */
const passing = new Set(['temporarily_unavailable', 'server_error']);

/** Codes by which openid-client tells that the provider has answered with an error. */
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
  // What stands in an authorization response is the browser's to say.
  const words = code === 'OAUTH_RESPONSE_BODY_ERROR' ? plain(description, /^[\x20-\x7e]{1,300}$/) : undefined;
  return new ProviderError(
    kind,
    ['the provider says', oauthError ?? 'no', words].join(' ').trim(),
    oauthError,
  );
}

/** The words of the libraries, which have no values in them. Those of a parser repeat what they could not parse. */
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
