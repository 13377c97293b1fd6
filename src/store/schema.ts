import type { Generated } from 'kysely';

/** Tables of Postern's own database. Times are seconds since the epoch. */
export interface Tables {
  readonly schema_version: { version: number };
  readonly users: UsersTable;
  readonly revoked_sessions: RevokedSessionsTable;
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
}

interface RevokedSessionsTable {
  /** `sid` of the tokens. */
  session_id: string;
  /** When the last token of the session ends by itself, and this row may go. */
  expires_at: number;
}
