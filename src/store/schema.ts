import type { Generated } from 'kysely';
import type { VersionTable } from './migrate.ts';

/** Tables of the accounts' database, which decisions depend on. Times are seconds since the epoch. */
export interface Tables extends VersionTable {
  readonly users: UsersTable;
  readonly revoked_sessions: RevokedSessionsTable;
  readonly api_tokens: ApiTokensTable;
  readonly forgotten_revocations: ForgottenRevocationsTable;
  readonly first_run: FirstRunTable;
}

interface UsersTable {
  username: string;
  password_hash: string;
  role: string;
  /** Changes with everything that ends the user's sessions; a token carries the one it was issued under. */
  session_generation: string;
  /** No token that was issued earlier is good. */
  sessions_not_before: number;
  created_at: number;
  /** 1 while the password is one that the log has told, and nobody has logged in with it. */
  generated_password_unused: Generated<number>;
  /** 1 while the password is one that the log has told, used or not. */
  password_generated: Generated<number>;
}

/** What happened in the first run of the gate, which nothing else tells. */
interface FirstRunTable {
  /** `begun`: the store is of that run; `shown`: an admin has seen the steps; `checked`: and what the gate found out about itself. */
  fact: 'begun' | 'shown' | 'checked';
}

interface RevokedSessionsTable {
  /** `sid` of the tokens. */
  session_id: string;
  /** When the last token of the session ends by itself, and this row may go. */
  expires_at: number;
}

/** One row, or none: nothing was forgotten. */
interface ForgottenRevocationsTable {
  /** The latest `expires_at` of the rows that went: before this time a session might be good that was revoked. */
  latest_expiry: number;
}

interface ApiTokensTable {
  /** Names the token; no secret. */
  token_id: string;
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string;
  /** Unique among the tokens of a user. */
  name: string;
  /** Whose it is; it goes with the user. */
  username: string;
  role: string;
  /** JSON list of camera names to which the token is limited; null: all cameras of the role. */
  cameras: string | null;
  created_at: number;
  /** Null: it does not expire. */
  expires_at: number | null;
}
