/**
 * Every error an answer can carry: its status and the only words a client may read.
 * The cause of an error goes to the log, never into the answer.
 */
const errorTable = {
  bad_request: [400, 'Bad request'],
  unauthenticated: [401, 'Authentication required'],
  login_failed: [401, 'Login failed'],
  second_factor_needed: [401, 'Second factor required'],
  share_password_needed: [401, 'This share has a password'],
  share_password_wrong: [401, 'Wrong password'],
  forbidden: [403, 'Access denied'],
  outside_schedule: [403, 'Your role has access at other times'],
  clock_wrong: [403, "Closed until the clock of Postern's machine is set"],
  stopped: [403, 'An admin has stopped this for now'],
  host_unknown: [
    403,
    "Use port 8971 instead: this is the internal entry point, where everyone is admin, and it doesn't answer to this name. For a name of your own network, add it to networking.internal_hosts",
  ],
  step_up_needed: [403, "Sign in again, or confirm that it's you at /postern/account"],
  wrong_password: [403, "The old password doesn't match"],
  step_up_failed: [403, "That didn't match: try again"],
  authorization_pending: [400, 'No one has approved this screen yet'],
  slow_down: [400, 'Wait longer between two requests'],
  access_denied: [400, 'This screen was refused'],
  expired_token: [400, 'This code has expired: ask for a new one'],
  challenge_expired: [403, 'Expired or already used: start again'],
  passkey_refused: [403, "Passkey not accepted: it belongs to another site, or doesn't verify its user"],
  sign_on_unfinished: [400, 'This sign-in has expired, or began in another browser: sign in again'],
  sign_on_refused: [403, "The provider didn't sign you in"],
  sign_on_name: [403, "Your user name at the provider can't be used here"],
  sign_on_no_access: [403, 'Your account at the provider has no access here'],
  authentication_disabled: [404, 'Authentication is disabled'],
  not_found: [404, 'Not found'],
  passkey_unknown: [404, 'No such passkey'],
  one_time_code_unknown: [404, 'One-time codes are not set up'],
  decision_unknown: [404, 'This decision is no longer kept'],
  session_unknown: [404, 'No such session'],
  camera_unknown: [404, 'No such camera'],
  camera_not_gone: [409, 'The recorder still has a camera of this name'],
  stop_unknown: [404, 'That is already allowed again'],
  stream_unknown: [404, 'That has already ended'],
  stream_nameless: [409, 'The proxy or the network lets this client in: there is no session to end'],
  user_unknown: [404, 'No such user'],
  role_unknown: [404, 'No such role'],
  api_token_unknown: [404, 'No such API token'],
  display_unknown: [404, 'No such display'],
  pairing_code_unknown: [404, 'No screen shows this code: it has expired, or was misread'],
  invitation_over: [404, 'This invitation has ended'],
  invitation_unknown: [404, 'No such invitation'],
  share_over: [404, 'This share has ended'],
  share_unknown: [404, 'No such share'],
  share_object_unknown: [404, 'No such event, export or camera'],
  user_exists: [409, 'A user with this name already exists'],
  user_of_provider: [409, 'This user signs in with a provider: change it there'],
  user_of_proxy: [409, 'A proxy signs this user in: change proxy.user_map in config.yml'],
  api_token_exists: [409, 'An API token with this name already exists'],
  too_many_api_tokens: [409, 'You have 100 API tokens, the most possible: revoke one first'],
  display_exists: [409, 'You have a display with this name already'],
  too_many_displays: [409, 'You have 100 displays, the most possible: end one first'],
  too_many_invitations: [409, '100 invitations are open, the most possible: revoke one first'],
  access_asked: [409, 'You asked for this camera within the last day'],
  too_many_access_requests: [409, '20 of your requests have no answer yet'],
  too_many_subscriptions: [409, '20 browsers of yours get pushes, the most possible: switch one off first'],
  too_many_shares: [409, 'No more shares are possible: end one first'],
  passkey_exists: [409, 'This passkey is already added'],
  too_many_passkeys: [409, 'You have 20 passkeys, the most possible: remove one first'],
  passkeys_impossible: [409, 'Passkeys need public_url: https, with a host name'],
  no_second_factor: [409, 'Set up a passkey or one-time codes first'],
  last_admin: [409, 'The last admin must stay an admin'],
  camera_group_unknown: [404, 'No such group'],
  camera_group_used: [409, 'Roles still use this group'],
  camera_group_declared: [409, 'config.yml defines this group: change it there'],
  role_exists: [409, 'There is a role of this name'],
  role_declared: [409, 'config.yml defines this role: change it there'],
  configuration_read_only: [409, "The configuration file can't be written"],
  secret_missing: [409, 'Type the secret again: it was kept for another address'],
  placeholder_refused: [422, 'Placeholders in braces are only for config.yml itself'],
  target_too_long: [414, 'The address is too long'],
  headers_too_long: [431, 'The headers are too long'],
  payload_too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'The body must be JSON'],
  too_many_requests: [429, 'Too many attempts, try again later'],
  internal: [500, 'Internal error'],
  sign_on_failed: [502, "The provider sent an answer that can't be used"],
  upstream_unavailable: [502, "The recorder doesn't answer"],
  // Answered by a front whose gate is away: nginx/postern/errors.
  gate_away: [502, "Postern doesn't answer"],
  sign_on_away: [503, "The provider doesn't answer"],
  loop_detected: [508, "The recorder's address leads back to Postern: set upstream to the recorder itself"],
  upstream_busy: [503, 'Too many connections to the recorder, try again later'],
  events_unavailable: [503, "The event database can't be read"],
  sessions_unavailable: [503, "Sessions can't be read right now"],
  store_unavailable: [503, "Accounts can't be read or changed right now"],
  session_not_ended: [
    503,
    "Signed out here only: the session couldn't be ended, and stays valid until it expires",
  ],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof errorTable;

/** Every code; the UI has words for each. */
export const errorCodes = Object.keys(errorTable) as readonly ErrorCode[];

/** Seconds, unless the error has its own: a store usually answers again at once, and fronts ask another gate meanwhile. */
const retryAfter: Partial<Record<ErrorCode, number>> = { store_unavailable: 1 };

export interface AppErrorOptions extends ErrorOptions {
  /** Before another attempt (RFC 9110, 10.2.3). */
  readonly retryAfterSeconds?: number;
  /** Other fields of the JSON answer. */
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
    this.retryAfterSeconds = options?.retryAfterSeconds ?? retryAfter[code];
    this.also = options?.also;
  }
}

/** Whether the log has a line for the state that the error comes from, so that no request needs one of its own. */
export function isStateLogged(error: unknown): boolean {
  return error instanceof AppError && error.code === 'events_unavailable';
}

/** @returns the status, the JSON body and `Retry-After` of an error answer. Anything that is no AppError is `internal`. */
export function errorAnswer(error: unknown): {
  readonly status: (typeof errorTable)[ErrorCode][0];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly message: string; readonly code: ErrorCode };
} {
  const code = error instanceof AppError ? error.code : 'internal';
  const [status, message] = errorTable[code];
  const { also, retryAfterSeconds } = error instanceof AppError ? error : {};
  return {
    status,
    headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
    body: { message, code, ...also },
  };
}

/** An answer of the gate itself, for whichever server renders it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
