import type { ProviderFault } from '../../accounts/provider/provider-error.ts';
import type { Selectable } from 'kysely';
import type { Tables } from '../../store/schema.ts';
import { canonicalIssuer } from '../../policy/issuer.ts';

/** A session that began at a provider, with the user's `issuer` and `subject`. */
export interface ProviderSession {
  readonly sessionId: string;
  readonly username: string;
  readonly issuer: string;
  readonly subject: string;
}

/** A session's row without the refresh token. */
export interface KnownSession extends ProviderSession {
  /** Whether there is a refresh token. */
  readonly canBeAsked: boolean;
  /** When the provider last confirmed the session, in milliseconds since the epoch. */
  readonly checkedAt: number;
  readonly fault: ProviderFault | undefined;
  /** A process asks the provider now, or did a moment ago. */
  readonly isClaimed: boolean;
}

/** A session that only this process asks the provider about. */
export interface ClaimedSession extends KnownSession {
  /** Undefined: it cannot be opened. */
  readonly refreshToken: string | undefined;
  /** In seconds, as in the row; a later claim writes another value. */
  readonly claimedUntil: number;
}

/** Seconds for which one process asks about a session, and until a request without a response is repeated. */
export const claimSeconds = 60;

/**
 * Reads a row of `provider_sessions`.
 * @param now seconds
 */
export function knownOf(row: Selectable<Tables['provider_sessions']>, now: number): KnownSession {
  return {
    sessionId: row.session_id,
    username: row.username,
    issuer: canonicalIssuer(row.issuer),
    subject: row.subject,
    canBeAsked: row.refresh_token !== null,
    checkedAt: row.checked_at * 1000,
    fault: (row.fault as ProviderFault | null) ?? undefined,
    // A longer claim was made before the clock went back.
    isClaimed: row.refreshing_until > now && row.refreshing_until <= now + claimSeconds,
  };
}
