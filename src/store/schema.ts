import type { ColumnType, Generated } from 'kysely';
import type { VersionTable } from './migrate.ts';
import type { Permitted } from './permitted.ts';

/** Tables of the accounts' database, which decisions depend on. Times are seconds since the epoch. */
export interface Tables extends VersionTable {
  readonly users: UsersTable;
  readonly revoked_sessions: RevokedSessionsTable;
  readonly api_tokens: ApiTokensTable;
  readonly forgotten_revocations: ForgottenRevocationsTable;
  readonly first_run: FirstRunTable;
  readonly passkeys: PasskeysTable;
  readonly one_time_codes: OneTimeCodesTable;
  readonly recovery_codes: RecoveryCodesTable;
  readonly provider_sessions: ProviderSessionsTable;
  readonly used_once: UsedOnceTable;
  readonly shares: SharesTable;
  readonly assertion_keys: AssertionKeysTable;
}

/** Written with a permission alone. */
type PermittedColumn = ColumnType<string, Permitted, Permitted>;

interface UsersTable {
  username: string;
  /** Empty for a person of a provider: no password matches. */
  password_hash: ColumnType<string, string, Permitted>;
  role: PermittedColumn;
  /** Changes with everything that ends the user's sessions; a token carries the one it was issued under. */
  session_generation: string;
  /** No token that was issued earlier is good. */
  sessions_not_before: number;
  created_at: number;
  /** 1 while the password is one that the log has told, and nobody has logged in with it. */
  generated_password_unused: Generated<number>;
  /** 1 while the password is one that the log has told, used or not. */
  password_generated: Generated<number>;
  /** Who keeps the user out; null: nobody. */
  blocked: Generated<'admin' | 'provider' | null>;
  /** Of the provider whose person this is; null: an account of the gate's own. */
  issuer: Generated<string | null>;
  /** `sub`, by which the provider names the person for good. */
  subject: Generated<string | null>;
  /** Why a person of a provider has the role. */
  role_reason: Generated<string | null>;
  /** When a person of a provider logged in last. */
  last_login_at: Generated<number | null>;
}

/** What happened in the first run of the gate, which nothing else tells. */
interface FirstRunTable {
  /** `shown`: an admin has seen the steps; `checked`: and what the gate found out about itself. */
  fact: 'shown' | 'checked';
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
  role: PermittedColumn;
  /** JSON list of camera names to which the token is limited; null: all cameras of the role. */
  cameras: string | null;
  created_at: number;
  /** Null: it does not expire. */
  expires_at: number | null;
}

interface PasskeysTable {
  /** As WebAuthn gives it, base64url. */
  credential_id: string;
  /** Whose it is; it goes with the user. */
  username: string;
  /** What the user calls it. */
  name: string;
  /** COSE, base64url. */
  public_key: PermittedColumn;
  /** Of the signatures that the authenticator has made; 0: it does not count. */
  counter: number;
  /** JSON list of the ways in which a browser reaches the authenticator. */
  transports: string;
  /** By which an authenticator names the user, base64url: the same in all passkeys of one. */
  user_handle: string;
  created_at: number;
  last_used_at: number | null;
}

interface OneTimeCodesTable {
  username: string;
  /** Sealed. */
  secret: PermittedColumn;
  /** The step (RFC 6238) of the code that was used last: no code of it or before is good. */
  last_step: number;
  created_at: number;
}

interface RecoveryCodesTable {
  /** SHA-256, hexadecimal. The row goes when the code is used. */
  code_hash: PermittedColumn;
  username: string;
}

/** Sessions that began at a provider. */
interface ProviderSessionsTable {
  /** `sid` of our tokens. */
  session_id: string;
  username: string;
  issuer: string;
  subject: string;
  /** `sid` by which the provider names its own session. */
  provider_sid: string | null;
  /** Sealed; null: the provider gave none. */
  refresh_token: string | null;
  /** Sealed, for a logout there. */
  id_token: string | null;
  /** When the provider said yes last. */
  checked_at: number;
  /** Until then one process asks the provider. */
  refreshing_until: number;
  /** Why the provider could not be asked when it was asked last; null: it could. */
  fault: string | null;
  /** When the row may go. */
  expires_at: number;
}

/** What is good once, and was used. */
interface UsedOnceTable {
  purpose: string;
  key: string;
  /** When it would not be good any more anyway, and the row may go. */
  expires_at: number;
}

/** What somebody may open without an account. */
interface SharesTable {
  /** Names the share; no secret. */
  share_id: string;
  /** SHA-256 of the secret, hexadecimal. */
  secret_hash: string;
  kind: 'event' | 'export' | 'camera';
  /** Id of the event or export; null: a camera is shared. */
  object: string | null;
  /** The camera that is shared, or that the event or export is of. */
  camera: string | null;
  /** What was recorded from then on is shared. */
  starts_at: number;
  /** And until then. */
  ends_at: number;
  password_hash: string | null;
  /** What its maker calls it. */
  label: string | null;
  /** Who made it. */
  username: string;
  /** The maker's role when it was made. */
  role: string;
  /** How it was known who made it. */
  source: 'internal' | 'proxy' | 'session' | 'bearer' | 'api-token';
  /** The maker's account, with which it goes; null: the maker has none here. */
  account: string | null;
  /** The API token that made it, with which it goes. */
  token_id: string | null;
  created_at: number;
  expires_at: number;
}

/** By which what stands behind the gate checks that the gate has asked. */
interface AssertionKeysTable {
  key_id: string;
  /** JWK as JSON, sealed. */
  private_key: string;
  /** JWK as JSON. */
  public_key: string;
  created_at: number;
}
