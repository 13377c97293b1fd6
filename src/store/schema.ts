import type { ColumnType, Generated } from 'kysely';
import type { VersionTable } from './migrate.ts';

/** Tables of the accounts' database, which decisions depend on. Times are seconds since the epoch. */
export interface Tables extends VersionTable {
  readonly users: UsersTable;
  readonly revoked_sessions: RevokedSessionsTable;
  readonly api_tokens: ApiTokensTable;
  readonly former_credentials: FormerCredentialsTable;
  readonly invitations: InvitationsTable;
  readonly personal_roles: PersonalRolesTable;
  readonly custom_roles: CustomRolesTable;
  readonly forgotten_revocations: ForgottenRevocationsTable;
  readonly first_run: FirstRunTable;
  readonly passkeys: PasskeysTable;
  readonly one_time_codes: OneTimeCodesTable;
  readonly recovery_codes: RecoveryCodesTable;
  readonly provider_sessions: ProviderSessionsTable;
  readonly used_once: UsedOnceTable;
  readonly shares: SharesTable;
  readonly stops: StopsTable;
  readonly outbox: OutboxTable;
  readonly push_keys: PushKeysTable;
  readonly push_subscriptions: PushSubscriptionsTable;
  readonly access_requests: AccessRequestsTable;
  readonly last_pruning: LastPruningTable;
  readonly trusted_time: TrustedTimeTable;
}

/** Written only with a permission. */
type PermittedColumn = ColumnType<string, Permitted, Permitted>;

interface UsersTable {
  username: string;
  /** The name as names compare, where it has more than ASCII letters; see `foldedUsername`. */
  folded_name: Generated<string | null>;
  /** Random. It stays when the name changes, and no one else gets it. */
  user_id: string;
  /** Empty for a federated user: no password matches. */
  password_hash: ColumnType<string, string, Permitted>;
  role: PermittedColumn;
  /** Changes with everything that ends the user's sessions; a token carries the one it was issued under. */
  session_generation: string;
  /** Tokens issued earlier are invalid. */
  sessions_not_before: number;
  created_at: number;
  /** 1 while the password is a generated one from the log, and no one has signed in with it. */
  generated_password_unused: Generated<number>;
  /** 1 while the password is a generated one from the log, used or not. */
  password_generated: Generated<number>;
  /** Who has blocked the user; null: no one. */
  blocked: Generated<'admin' | 'provider' | null>;
  /** The provider of a federated user; null: a local account. */
  issuer: Generated<string | null>;
  /** `sub`, the provider's permanent id of the user. */
  subject: Generated<string | null>;
  /** Why a federated user has the role. */
  role_reason: Generated<string | null>;
  /** When a federated user last signed in. */
  last_login_at: Generated<number | null>;
  /** Where the alerts of the account go; null: nowhere. */
  email: Generated<string | null>;
  /** The `user_id` of the admin whose invitation made the account; null: none did, or a version before 2.0. */
  invited_by: Generated<string | null>;
}

/** Facts of the first run of the gate that are recorded nowhere else. */
interface FirstRunTable {
  /** `shown`: an admin has seen the steps; `checked`: the checks of the gate too; `face`: an admin has chosen the face. */
  fact: 'shown' | 'checked' | 'face';
}

interface RevokedSessionsTable {
  /** `sid` of the tokens. */
  session_id: string;
  /** When the last token of the session expires, and this row may be deleted. */
  expires_at: number;
}

/** One row, or none: nothing was deleted. */
interface ForgottenRevocationsTable {
  /** The latest `expires_at` of the deleted rows: before this time, a revoked session might be valid. */
  latest_expiry: number;
}

/** API tokens, and displays: a display is a token that a screen keeps in a cookie. */
interface ApiTokensTable {
  /** Not secret. */
  token_id: string;
  kind: Generated<'token' | 'display'>;
  /** SHA-256 of the token, hexadecimal. Null: a display that was approved, and has not fetched its credential yet. */
  token_hash: string | null;
  /** Unique among the owner's, of each kind. */
  name: string;
  /** The owner, who approved a display; the token is deleted with the user. */
  username: string;
  /** For a display, its owner's role at approval; the owner's current role applies. */
  role: PermittedColumn;
  /** JSON list of the cameras the token is limited to; null: all cameras of the role. */
  cameras: string | null;
  /** JSON object, as in `auth.role_access` without groups: what else the token is limited to; null: nothing. */
  access: string | null;
  created_at: number;
  /** Null if it does not expire. */
  expires_at: number | null;
  /** For a display: SHA-256 of its device code, hexadecimal. It is unique, so no code is approved twice. */
  device_hash: Generated<string | null>;
  /** 1 for a display whose screen shows the wall in a frame of another site. */
  is_framed: Generated<number>;
  /** When a display began to use the credential that it has. */
  rotated_at: Generated<number | null>;
  /** For a display: its credentials are signed with a key of the JWT secret and this. Null if its credential is from Postern 1.0. */
  salt: Generated<string | null>;
  /** For a display: differs when the JWT secret has changed. */
  secret_mark: Generated<string | null>;
  /** For a display: the highest number of its credentials that were used; 0 for a credential of Postern 1.0. */
  generation: Generated<number>;
  /** For a display: JSON object with the credentials that its screen used and lost; null until one is noted. */
  rotation: Generated<string | null>;
}

/** Earlier credentials that Postern 1.0 gave to displays. */
interface FormerCredentialsTable {
  /** SHA-256 of the credential, hexadecimal. */
  credential_hash: string;
  token_id: string;
  replaced_at: number;
  /** Null until its successor is seen. */
  valid_until: number | null;
}

/** Links by which people get an account, once. */
interface InvitationsTable {
  /** Not secret. */
  invitation_id: string;
  /** SHA-256 of the secret, hexadecimal. */
  secret_hash: string;
  /** The proposed user name, or null. */
  name: string | null;
  role: PermittedColumn;
  /** 1: the role was made for it, and is deleted with it if it ends unused. */
  makes_role: number;
  /** The admin who made it. */
  made_by: string;
  created_at: number;
  expires_at: number;
}

/** Roles made for one person, which lists leave out. */
interface PersonalRolesTable {
  role: string;
  /**
   * When the definition was copied from config.yml, where earlier versions kept it: what is there counts no more. 0: the next start copies
   * it. Null: it never was there. After that, the row stays until config.yml has lost the role.
   */
  copied_at: Generated<number | null>;
}

/** Definitions of roles made for one person. In PostgreSQL, also of other roles made in the UI; those of config.yml are not here. */
interface CustomRolesTable {
  name: string;
  /** JSON list of camera names. */
  cameras: string;
  /** An entry of `auth.role_access` as a JSON object; null: the default. */
  access: Generated<string | null>;
  /** In PostgreSQL, it grows with each new role. */
  position: Generated<number>;
}

interface PasskeysTable {
  /** WebAuthn's value, base64url. */
  credential_id: string;
  /** The owner; the passkey is deleted with the user. */
  username: string;
  /** The user's name for it. */
  name: string;
  /** COSE, base64url. */
  public_key: PermittedColumn;
  /** The authenticator's signature counter; 0: it does not count. */
  counter: number;
  /** JSON list of the ways in which a browser can reach the authenticator. */
  transports: string;
  /** The authenticator's id of the user, base64url: the same in all passkeys of a user. */
  user_handle: string;
  created_at: number;
  last_used_at: number | null;
}

interface OneTimeCodesTable {
  username: string;
  /** Sealed. */
  secret: PermittedColumn;
  /** The step (RFC 6238) of the last used code: codes up to it are invalid. */
  last_step: number;
  created_at: number;
}

interface RecoveryCodesTable {
  /** SHA-256, hexadecimal. The row is deleted when the code is used. */
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
  /** `sid`, the provider's id of its own session. */
  provider_sid: string | null;
  /** Sealed; null: the provider gave none. */
  refresh_token: string | null;
  /** Sealed, for a logout there. */
  id_token: string | null;
  /** When the provider last confirmed the session. */
  checked_at: number;
  /** Until then one process asks the provider. */
  refreshing_until: number;
  /** Why the last request to the provider failed; null: it succeeded. */
  fault: string | null;
  /** When the row may be deleted. */
  expires_at: number;
}

/** Values that are valid once, and were used. */
interface UsedOnceTable {
  purpose: string;
  key: string;
  /** When the value expires, and the row may be deleted. */
  expires_at: number;
}

/** Links that open something without an account. */
interface SharesTable {
  /** Not secret. */
  share_id: string;
  /** SHA-256 of the secret, hexadecimal. */
  secret_hash: string;
  kind: 'event' | 'export' | 'camera';
  /** Id of the event or export; null: a camera is shared. */
  object: string | null;
  /** The shared camera, or that of the event or export. */
  camera: string | null;
  /** Recordings are shared from then on. */
  starts_at: number;
  /** Recordings are shared until then. */
  ends_at: number;
  password_hash: string | null;
  /** The creator's label for it. */
  label: string | null;
  /** The creator. */
  username: string;
  /** The creator's role when it was created. */
  role: string;
  /** How the creator was identified. */
  source: 'internal' | 'proxy' | 'session' | 'bearer' | 'api-token';
  /** The creator's account; the share is deleted with it. Null: the creator has none here. */
  account: string | null;
  /** The API token it was created with; the share is deleted with it. */
  token_id: string | null;
  /** 0: made before `share` was a word of `may`, so that its creator needs none. */
  needs_word: Generated<number>;
  created_at: number;
  expires_at: number;
}

/** Accounts, tokens and shares that admins have stopped for a time: they get nothing live or recorded until it ends. */
interface StopsTable {
  /** Not secret. */
  stop_id: string;
  kind: 'account' | 'proxy' | 'api-token' | 'share';
  /** The name of the user when the stop was made, or the id of an API token or a share. */
  name: string;
  /** The user, for the kind `account`. */
  user_id: string | null;
  /** The only session, or null for all of them. */
  session_id: string | null;
  /** JSON list of the only cameras, or null for all of them. */
  cameras: string | null;
  /** The admin. */
  made_by: string;
  made_at: number;
  ends_at: number;
}

/** Alerts that are still to be sent, each once for each target. */
interface OutboxTable {
  delivery_id: string;
  /** The same in all deliveries of an alert. */
  alert_id: string;
  /** The target it is sent to; null until it is distributed. */
  target: string | null;
  /** JSON of `QueuedAlert`. */
  alert: string;
  created_at: number;
  /** When it may be tried; a process that tries it puts it off first. */
  due_at: number;
  attempts: number;
  /** When it was given up; null while it is tried again. */
  lost_at: number | null;
}

/** The keys by which push services recognize the gate (RFC 8292): one row, once anyone switched push on. */
interface PushKeysTable {
  public_key: string;
  /** Sealed. */
  private_key: string;
}

/** Browsers that get pushes (RFC 8030). */
interface PushSubscriptionsTable {
  /** SHA-256 of the endpoint, hexadecimal. */
  subscription_id: string;
  /** The user; the subscription is deleted with them. */
  username: string;
  /** The session that switched it on: it is deleted with a logout there. */
  session_id: string;
  /** The user's at that time: a new password, a block or a recovery ends it. */
  session_generation: string;
  /** The address that pushes are sent to. */
  endpoint: string;
  /** The browser's (RFC 8291), base64url. */
  public_key: string;
  auth: string;
  /** The language of the browser's pages. */
  language: string;
  created_at: number;
}

/** Cameras that users have asked for. */
interface AccessRequestsTable {
  /** Deleted with the user. */
  username: string;
  camera: string;
  asked_at: number;
  /** 1: an admin has answered it. */
  answered: Generated<number>;
}

/** One row, or none. */
interface LastPruningTable {
  /** When rows were last deleted by age, by a clock that was trusted with it. */
  at: number;
}

/** One row, or none: the latest time that has surely passed. */
interface TrustedTimeTable {
  at: number;
  /** How often an operator put it back: a gate that knows another number takes this time. */
  resets: number;
}

declare const permitted: unique symbol;

/**
 * A text that gives access: a granted role, a password, a factor. The tables accept no other text there, and only a permission
 * creates one (`permit.ts`), so no path to a right can skip its proof.
 */
export type Permitted = string & { readonly [permitted]: true };
