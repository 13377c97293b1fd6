import type { SessionGeneration } from '../../policy/session-generation.ts';
import type { SessionClaims } from './session-token.ts';

/** What a session token is checked against: the user as stored now. */
export interface SessionUser extends SessionGeneration {
  readonly username: string;
  readonly role: string;
  /** The provider of a federated user; undefined: a local account. */
  readonly issuer: string | undefined;
  /** Has a passkey or one-time codes. */
  readonly hasSecondFactor: boolean;
}

/** A valid session token, with its user as stored now. */
export interface Session {
  readonly user: SessionUser;
  readonly claims: SessionClaims;
  /** Milliseconds since the epoch; later than in the claims when a later token of the session is valid. */
  readonly expiresAt: number;
  readonly verifiedBy?: object | undefined;
  /** When the token's use was last noted in the registry, in milliseconds since the epoch; the caller of `note` sets it. */
  lastSeenAt: number;
}
