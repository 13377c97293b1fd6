/**
 * Every error an answer can carry: its status and the only words a client may read.
 * The cause of an error goes to the log, never into the answer.
 */
const errorTable = {
  bad_request: [400, 'Bad request'],
  unauthenticated: [401, 'Authentication required'],
  forbidden: [403, 'Access denied'],
  authentication_disabled: [404, 'Authentication is disabled'],
  not_found: [404, 'Not found'],
  unsupported_media_type: [415, 'Content-Type must be application/json'],
  internal: [500, 'Internal error'],
  upstream_unavailable: [502, 'The recorder does not answer'],
  events_unavailable: [503, 'The event database cannot be read'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof errorTable;

/** An unexpected or unanswerable condition; `cause` is for the log only. */
export class AppError extends Error {
  readonly code: ErrorCode;
  override readonly name = 'AppError';

  constructor(code: ErrorCode, options?: ErrorOptions) {
    super(errorTable[code][1], options);
    this.code = code;
  }
}

/** @returns the status and the JSON body of an error answer. Anything that is no AppError is `internal`. */
export function errorAnswer(error: unknown): {
  readonly status: (typeof errorTable)[ErrorCode][0];
  readonly body: { readonly message: string; readonly code: ErrorCode };
} {
  const code = error instanceof AppError ? error.code : 'internal';
  const [status, message] = errorTable[code];
  return { status, body: { message, code } };
}
