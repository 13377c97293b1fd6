/**
 * Every error an answer can carry: its status and the only words a client may read.
 * The cause of an error goes to the log, never into the answer.
 */
const errorTable = {
  bad_request: [400, 'Bad request'],
  unauthenticated: [401, 'Authentication required'],
  login_failed: [401, 'Login failed'],
  second_factor_needed: [401, 'A second factor is needed'],
  share_password_needed: [401, 'This share has a password'],
  share_password_wrong: [401, 'The password is wrong'],
  forbidden: [403, 'Access denied'],
  outside_window: [403, 'Your role has access at other times'],
  host_unknown: [403, 'The internal entry point has no such name: add the host to networking.internal_hosts'],
  step_up_needed: [403, 'Log in again, or prove who you are at /postern/account'],
  wrong_password: [403, 'The old password is wrong'],
  step_up_failed: [403, 'That was not right: try again'],
  challenge_expired: [403, 'That took too long, or was used before: begin again'],
  passkey_refused: [
    403,
    'The passkey was not accepted: it is of another site, or does not verify who uses it',
  ],
  sign_on_unfinished: [400, 'This login is over, or was begun in another browser: log in again'],
  sign_on_refused: [403, 'The provider has not logged you in'],
  sign_on_name: [403, 'Your user name at the provider cannot be used here'],
  sign_on_no_access: [403, 'Your account at the provider has no access here'],
  authentication_disabled: [404, 'Authentication is disabled'],
  not_found: [404, 'Not found'],
  passkey_unknown: [404, 'There is no such passkey'],
  one_time_code_unknown: [404, 'One-time codes are not set up'],
  decision_unknown: [404, 'There is no such decision any more'],
  session_unknown: [404, 'There is no such session'],
  exchange_unknown: [404, 'That has ended already'],
  user_unknown: [404, 'There is no such user'],
  role_unknown: [404, 'There is no such role'],
  api_token_unknown: [404, 'There is no such API token'],
  share_over: [404, 'This share is over'],
  share_unknown: [404, 'There is no such share'],
  share_object_unknown: [404, 'There is no such event, export or camera'],
  user_exists: [409, 'There is a user of this name'],
  user_of_provider: [409, 'The provider at which this person signs in decides that'],
  api_token_exists: [409, 'There is an API token of this name'],
  too_many_api_tokens: [409, 'There are 100 API tokens already: revoke one first'],
  too_many_shares: [409, 'There are too many shares already'],
  passkey_exists: [409, 'The passkey is known already'],
  too_many_passkeys: [409, 'There are 20 passkeys already: remove one first'],
  passkeys_impossible: [409, 'Passkeys need a public_url: https, with a host name'],
  no_second_factor: [409, 'Set up a passkey or one-time codes first'],
  last_admin: [409, 'The last admin must stay'],
  role_declared: [409, 'The role is declared in config.yml, which the gate does not write'],
  configuration_read_only: [409, 'The configuration file cannot be written'],
  payload_too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'The body must be JSON'],
  too_many_requests: [429, 'Too many attempts, try again later'],
  internal: [500, 'Internal error'],
  sign_on_failed: [502, 'The provider has answered something that cannot be used'],
  upstream_unavailable: [502, 'The recorder does not answer'],
  // Of a front whose gate is away: nginx/postern/errors.
  gate_away: [502, 'Postern does not answer'],
  sign_on_away: [503, 'The provider does not answer'],
  upstream_busy: [503, 'Too many connections to the recorder, try again later'],
  events_unavailable: [503, 'The event database cannot be read'],
  sessions_unavailable: [503, 'The sessions cannot be read at the moment'],
  store_unavailable: [503, 'The accounts cannot be changed, or not be read, at the moment'],
  session_not_ended: [
    503,
    'Logged out here only: the session could not be ended, and is good until it expires',
  ],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof errorTable;

/** Every code; the UI has words for each. */
export const errorCodes = Object.keys(errorTable) as readonly ErrorCode[];

export interface AppErrorOptions extends ErrorOptions {
  /** Before another attempt (RFC 9110, 10.2.3). */
  readonly retryAfterSeconds?: number;
  /** What the JSON answer says besides. */
  readonly also?: object;
}

/** A refusal or failure that ends a request; `cause` is for the log only. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly also: object | undefined;
  override readonly name = 'AppError';

  constructor(code: ErrorCode, options?: AppErrorOptions) {
    super(errorTable[code][1], options);
    this.code = code;
    this.retryAfterSeconds = options?.retryAfterSeconds;
    this.also = options?.also;
  }
}

/** @returns the status and the JSON body of an error answer. Anything that is no AppError is `internal`. */
export function errorAnswer(error: unknown): {
  readonly status: (typeof errorTable)[ErrorCode][0];
  readonly body: { readonly message: string; readonly code: ErrorCode };
} {
  const code = error instanceof AppError ? error.code : 'internal';
  const [status, message] = errorTable[code];
  return { status, body: { message, code, ...(error instanceof AppError ? error.also : undefined) } };
}

/** An answer of the gate itself, for whichever server renders it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
