import type { Decision } from './decision.ts';

/** What the pipeline has to say about a request. */
export interface AuthorizationResult<Session = unknown> {
  /** By which the decision is found in the log, and explained. */
  readonly id: string;
  readonly decision: Decision;
  /** When a session token says who is asking. */
  readonly session?: Session | undefined;
  /** What went wrong, when that is why the request is refused. */
  readonly error?: unknown;
  /** `Set-Cookie` of a session that was refreshed. */
  readonly setCookie?: string | undefined;
  /** Of a request that is passed on: tells what stands behind that the gate has asked, signed. */
  readonly assertion?: string | undefined;
}
