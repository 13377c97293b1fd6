import type { Decision } from './decision.ts';
import type { Viewed } from './evaluate/viewed.ts';

/** The pipeline's answer to a request. */
export interface AuthorizationResult<Session = unknown> {
  /** Identifies the decision in the log and when it is explained. */
  readonly id: string;
  readonly decision: Decision;
  /** Set when a session token identifies the user. */
  readonly session?: Session | undefined;
  /** The recording or stream that it shows, if the gate records who watches. */
  readonly viewed?: Viewed | undefined;
  /** The error that made the gate refuse the request. */
  readonly error?: unknown;
  /** `Set-Cookie` of a session that was refreshed. */
  readonly setCookie?: string | undefined;
}
