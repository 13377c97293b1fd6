import type { SessionGeneration } from '../../policy/session-generation.ts';
import type { SessionClaims } from './session-token.ts';

/** What a session token is held against, as the user is now. */
export interface SessionUser extends SessionGeneration {
  readonly username: string;
  readonly role: string;
  /** Of the provider whose person this is; undefined: an account of the gate's own. */
  readonly issuer: string | undefined;
  /** Has a passkey, or makes one-time codes. */
  readonly hasSecondFactor: boolean;
}

/** A good session token, and its user as the store has it now. */
export interface Session {
  readonly user: SessionUser;
  readonly claims: SessionClaims;
  /** As the claims say, without reading them. */
  readonly expiresAt: number;
  /** Where the token was verified. */
  readonly verifiedBy?: object | undefined;
  /** When the registry was told last that the token was used, in milliseconds since the epoch; whoever tells it writes it. */
  lastSeenAt: number;
}
