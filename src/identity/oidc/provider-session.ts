import type { Selectable } from 'kysely';
import type { Tables } from '../../store/schema.ts';

/** Why the provider could not be asked; `unreadable`: the refresh token was sealed with another key. */
export type ProviderFault = 'away' | 'nonsense' | 'unreadable';

/** A session that began at a provider, and who it is there. */
export interface ProviderSession {
  readonly sessionId: string;
  readonly username: string;
  readonly issuer: string;
  readonly subject: string;
}

/** What is known of such a session beside its token. */
export interface KnownSession extends ProviderSession {
  /** Whether the provider gave anything that it can be asked with. */
  readonly canBeAsked: boolean;
  /** When the provider said yes last, in milliseconds since the epoch. */
  readonly checkedAt: number;
  readonly fault: ProviderFault | undefined;
  /** Somebody asks the provider, or has done so a moment ago. */
  readonly isClaimed: boolean;
}

/** A session that this process alone asks the provider about. */
export interface ClaimedSession extends KnownSession {
  /** Undefined: it cannot be opened. */
  readonly refreshToken: string | undefined;
  /** In seconds, as the row has it; whoever claims it later writes another. */
  readonly claimedUntil: number;
}

/** Seconds for which one process asks about a session, and until it is asked again when nobody answered. */
export const claimSeconds = 60;

/**
 * Reads a row of `provider_sessions`.
 * @param now seconds
 */
export function knownOf(row: Selectable<Tables['provider_sessions']>, now: number): KnownSession {
  return {
    sessionId: row.session_id,
    username: row.username,
    issuer: row.issuer,
    subject: row.subject,
    canBeAsked: row.refresh_token !== null,
    checkedAt: row.checked_at * 1000,
    fault: (row.fault as ProviderFault | null) ?? undefined,
    // A claim that is longer than any was made before the clock went back.
    isClaimed: row.refreshing_until > now && row.refreshing_until <= now + claimSeconds,
  };
}
