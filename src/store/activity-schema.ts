import type { Generated } from 'kysely';
import type { VersionTable } from './migrate.ts';

/**
 * Tables of the activity database: what was done, and who was seen. No decision depends on it, so a write here clears nothing
 * that is remembered of the accounts. Times are seconds since the epoch.
 */
export interface ActivityTables extends VersionTable {
  readonly audit_records: AuditRecordsTable;
  readonly seen_sessions: SeenSessionsTable;
  readonly api_token_uses: ApiTokenUsesTable;
  readonly share_openings: ShareOpeningsTable;
  readonly pairing_codes: PairingCodesTable;
  readonly watched: WatchedTable;
}

/** Rows are added, and deleted by age; none is ever changed. */
interface AuditRecordsTable {
  /** Grows with every record; no number is used twice. */
  record_id: Generated<number>;
  /** With fractions. */
  recorded_at: number;
  event: string;
  /** Decides how long it is kept: `account` by age, `session` and `refusal` by number too. */
  kind: 'account' | 'session' | 'refusal';
  /** `success` or `failure`. */
  result: string;
  /** Who did it; null: unknown. */
  username: string | null;
  role: string | null;
  /** How the user was identified. */
  source: string | null;
  /** Of the client; null: none. */
  address: string | null;
  /** What it was done to. */
  object: string | null;
  reason: string | null;
  /** Id of the decision. */
  decision: string | null;
  /** JSON object with further details. */
  detail: string | null;
}

interface SeenSessionsTable {
  /** `sid` of the tokens. */
  session_id: string;
  username: string;
  /** The user's session generation in the token seen last; null: it carried none. */
  session_generation: string | null;
  began_at: number;
  last_seen_at: number;
  /** When the last token seen expires. */
  expires_at: number;
  /** Of the client, when it was last seen. */
  address: string | null;
  /** `User-Agent`, when it was last seen. */
  agent: string | null;
}

interface ApiTokenUsesTable {
  token_id: string;
  last_used_at: number;
  address: string | null;
}

interface ShareOpeningsTable {
  share_id: string;
  openings: number;
  last_opened_at: number;
  /** Of the client that opened it last. */
  address: string | null;
}

/** Codes that screens show until a user approves them (RFC 8628). One that is lost is asked for again. */
interface PairingCodesTable {
  /** SHA-256 of the device code, hexadecimal. */
  device_hash: string;
  user_code: string;
  /** Of the screen. */
  address: string;
  /** The same as the limit of open codes counts it. */
  network: string;
  /** The /56 or IPv4 /24 around it: a home, or a customer. */
  site: Generated<string>;
  /** The /48 or IPv4 /24 around it. */
  region: Generated<string>;
  /** `User-Agent` of the screen. */
  agent: string | null;
  created_at: number;
  expires_at: number;
  /** When the screen asked last, in milliseconds since the epoch. */
  polled_at: number;
  /** Seconds that the screen has to wait between two questions. */
  poll_interval: number;
  /** 1: a user has refused it. */
  denied: Generated<number>;
}

/** Who watched what: a row for each stretch, changed while it lasts. */
interface WatchedTable {
  watch_id: string;
  username: string;
  /** How the user was identified. */
  source: string;
  /** Id of the session, API token, display or share; null: none of the gate's own. */
  by_id: string | null;
  /** Of the client. */
  address: string;
  camera: string;
  kind: 'live' | 'recorded';
  began_at: number;
  /** When it was last asked for. */
  ended_at: number;
  /** The time of the recordings; 0: live, or unknown. */
  footage_from: number;
  footage_to: number;
}
