import type { ActivityTables } from './activity-schema.ts';
import type { Tables } from './schema.ts';
import type { SharingTables } from './sharing-schema.ts';

type AllTables = Tables & ActivityTables & SharingTables;
export type TableName = Exclude<keyof AllTables, 'schema_version'>;

/**
 * Rows after a restore. *Ended* rows are in the backup and no longer here; *later* rows are here and not in the backup.
 * - `backup`: the rows of the backup.
 * - `now`: the rows as they are here: changes since the backup stay.
 * - `both`: rows that are in both, as they are here. Ended rows stay ended.
 * - `either`: the rows of both, as they are here where both have them: values that were used up stay used up.
 * - `person`: how people sign in. Those who are in both keep today's rows, others get those of the backup.
 * - `session`: those of the backup if sessions are kept, otherwise none.
 * - `none`: no rows.
 * - `elsewhere`: only in PostgreSQL, which has its own backups.
 */
type Restoring =
  | 'backup'
  | 'now'
  | 'either'
  | 'person'
  | 'session'
  | 'none'
  | 'elsewhere'
  | {
      readonly rows: 'both';
      readonly key: string;
      /** The column that decides between two versions of a row: the greater value is kept. */
      readonly later?: string;
      /** SQL for what the summary calls a row. */
      readonly called: string;
      /** The option of the command that keeps ended rows. */
      readonly keptBy?: 'keepTokens' | 'keepShares';
    };

/**
 * When rows are deleted because of their age. `never`: only with what they belong to, or by a change.
 * `own`: by their own code, because more happens than a deletion.
 */
type Pruning =
  | 'never'
  | 'own'
  | {
      /** Seconds since the epoch. */
      readonly by: string;
      /** Seconds that a row is kept after that. */
      readonly keptFor: number;
    };

interface Fate {
  /** The column with the name of a user; it follows when the name changes. */
  readonly user?: string;
  readonly restore: Restoring;
  readonly pruning: Pruning;
}

const day = 86_400;

/** How a restore and pruning treat each table. A table without an entry does not compile. */
export const fates = {
  users: { user: 'username', restore: 'person', pruning: 'never' },
  passkeys: { user: 'username', restore: 'person', pruning: 'never' },
  one_time_codes: { user: 'username', restore: 'person', pruning: 'never' },
  recovery_codes: { user: 'username', restore: 'person', pruning: 'never' },
  api_tokens: {
    user: 'username',
    restore: {
      rows: 'both',
      key: 'token_id',
      later: 'generation',
      called: `(CASE kind WHEN 'display' THEN 'screen' ELSE 'API token' END) || ' "' || name || '" of ' || username`,
      keptBy: 'keepTokens',
    },
    pruning: 'own',
  },
  former_credentials: { restore: 'either', pruning: 'never' },
  shares: {
    user: 'account',
    restore: {
      rows: 'both',
      key: 'share_id',
      called: `'share ' || coalesce('"' || label || '"', 'of ' || coalesce(camera, object)) || ' of ' || username`,
      keptBy: 'keepShares',
    },
    pruning: 'own',
  },
  invitations: {
    user: 'made_by',
    restore: {
      rows: 'both',
      key: 'invitation_id',
      called: `'invitation ' || coalesce('of ' || name || ' ', '') || 'by ' || made_by`,
    },
    pruning: 'own',
  },
  personal_roles: { restore: 'either', pruning: 'own' },
  // Who keeps a role keeps it as it is now.
  custom_roles: { restore: 'either', pruning: 'own' },
  stops: { restore: 'now', pruning: { by: 'ends_at', keptFor: 0 } },
  last_pruning: { restore: 'now', pruning: 'never' },
  trusted_time: { restore: 'now', pruning: 'never' },
  access_requests: {
    user: 'username',
    restore: 'now',
    pruning: { by: 'asked_at', keptFor: 30 * day },
  },
  used_once: { restore: 'either', pruning: { by: 'expires_at', keptFor: 0 } },
  first_run: { restore: 'either', pruning: 'never' },
  revoked_sessions: { restore: 'backup', pruning: 'own' },
  forgotten_revocations: { restore: 'backup', pruning: 'never' },
  provider_sessions: {
    user: 'username',
    restore: 'session',
    pruning: { by: 'expires_at', keptFor: 0 },
  },
  push_keys: { restore: 'backup', pruning: 'never' },
  push_subscriptions: { user: 'username', restore: 'session', pruning: 'never' },
  outbox: { restore: 'none', pruning: { by: 'lost_at', keptFor: 7 * day } },

  audit_records: { restore: 'backup', pruning: 'own' },
  watched: { restore: 'backup', pruning: 'own' },
  seen_sessions: { restore: 'backup', pruning: 'own' },
  api_token_uses: { restore: 'backup', pruning: 'own' },
  share_openings: { restore: 'backup', pruning: 'own' },
  recorder_cameras: { restore: 'backup', pruning: 'never' },
  pairing_codes: { restore: 'none', pruning: { by: 'expires_at', keptFor: 0 } },

  store_version: { restore: 'elsewhere', pruning: 'never' },
  camera_groups: { restore: 'elsewhere', pruning: 'never' },
  failure_windows: { restore: 'elsewhere', pruning: 'own' },
  recorder_writers: { restore: 'elsewhere', pruning: 'never' },
  recorder_roles: { restore: 'elsewhere', pruning: 'never' },
} as const satisfies Record<TableName, Fate>;

/** The same table, with all fields. */
export const fatesOfTables = Object.entries(fates) as ReadonlyArray<readonly [TableName, Fate]>;
