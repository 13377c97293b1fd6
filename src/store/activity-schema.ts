import type { Generated } from 'kysely';
import type { VersionTable } from './migrate.ts';

/**
 * Tables of the activity database: what was done, and who was seen. No decision depends on it, so that writing to it voids
 * nothing that was remembered of the accounts. Times are seconds since the epoch.
 */
export interface ActivityTables extends VersionTable {
  readonly audit_records: AuditRecordsTable;
  readonly seen_sessions: SeenSessionsTable;
  readonly api_token_uses: ApiTokenUsesTable;
  readonly share_openings: ShareOpeningsTable;
}

/** Rows are added, and removed by age; nothing changes one. */
interface AuditRecordsTable {
  /** Grows with every record, and no number is used twice. */
  record_id: Generated<number>;
  /** With fractions. */
  recorded_at: number;
  event: string;
  /** How it is kept: `account` by age, `session` and `refusal` by number too. */
  kind: 'account' | 'session' | 'refusal';
  /** `success` or `failure`. */
  result: string;
  /** Who did it; null: nobody who is known. */
  username: string | null;
  role: string | null;
  /** How it is known who did it. */
  source: string | null;
  /** Of the client; null: there was none. */
  address: string | null;
  /** What it was done to. */
  object: string | null;
  reason: string | null;
  /** Id of the decision. */
  decision: string | null;
  /** JSON object with what else there is to say. */
  detail: string | null;
}

interface SeenSessionsTable {
  /** `sid` of the tokens. */
  session_id: string;
  username: string;
  /** The user's generation of sessions that the token carried which was seen last; null: it carried none. */
  session_generation: string | null;
  began_at: number;
  last_seen_at: number;
  /** When the last token that was seen ends by itself. */
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
  /** How often it was opened. */
  openings: number;
  last_opened_at: number;
  /** Of the client that opened it last. */
  address: string | null;
}
