interface EventRow {
  /**
   * How its records are kept: `account` by age alone; `session` and `refusal` by number too, each separately, since clients
   * can cause as many as the gate has time for.
   */
  readonly kind: 'account' | 'session' | 'refusal';
  readonly result: 'success' | 'failure';
  /** The text of the log line. */
  readonly says: string;
  /** Name of the object in the log line. If it is `user`, the acting user is `by`. */
  readonly object?:
    | 'user'
    | 'role'
    | 'group'
    | 'path'
    | 'token'
    | 'display'
    | 'invitation'
    | 'share'
    | 'camera';
  readonly meaning: string;
}

/** All audit events. Operators search for these words: they are never renamed. */
export const auditEvents = {
  login: { kind: 'session', result: 'success', says: 'login', meaning: 'someone signed in' },
  login_failed: {
    kind: 'session',
    result: 'failure',
    says: 'login refused',
    meaning:
      '`wrong_password`, `user_unknown`, `user_blocked` (the password was right), or a [reason](reasons.md) of the provider. Unknown names are not recorded: they may be passwords',
  },
  login_limited: {
    kind: 'refusal',
    result: 'failure',
    says: 'login refused',
    meaning: 'too many failures, or too many at once; the password was not checked',
  },
  logout: { kind: 'session', result: 'success', says: 'logout', meaning: 'someone signed out' },
  session_ended: {
    kind: 'session',
    result: 'success',
    says: 'session ended',
    object: 'user',
    meaning: 'one or all of a user; the detail counts API tokens and shares',
  },
  session_ended_by_provider: {
    kind: 'session',
    result: 'success',
    says: 'session ended by the provider',
    object: 'user',
    meaning: 'the provider refused a refresh, withdrew the role, or sent a back-channel logout',
  },
  stream_ended: {
    kind: 'session',
    result: 'failure',
    says: 'ended what was no longer permitted',
    object: 'path',
    meaning: 'a stream was cut, since it was no longer permitted; the detail has its cameras and start',
  },
  stream_stopped: {
    kind: 'account',
    result: 'success',
    says: 'stopped a stream',
    object: 'path',
    meaning: 'an admin stopped a stream; the detail has whose, what and how long',
  },
  stream_allowed: {
    kind: 'account',
    result: 'success',
    says: 'allowed again what was stopped',
    object: 'user',
    meaning: 'an admin lifted a stop of an hour',
  },
  camera_moved: {
    kind: 'session',
    result: 'success',
    says: 'camera moved',
    object: 'camera',
    meaning: 'by `/ws`; one record a minute, without the camera',
  },
  refused: {
    kind: 'refusal',
    result: 'failure',
    says: 'refused',
    object: 'path',
    meaning: 'a request was refused ([reasons](reasons.md))',
  },
  password_changed: {
    kind: 'account',
    result: 'success',
    says: 'password changed',
    object: 'user',
    meaning: 'the detail counts the API tokens and shares that ended',
  },
  password_change_refused: {
    kind: 'session',
    result: 'failure',
    says: 'password change refused',
    object: 'user',
    meaning: 'the old password was wrong',
  },
  password_change_limited: {
    kind: 'refusal',
    result: 'failure',
    says: 'password change refused',
    object: 'user',
    meaning: 'refused as in `login_limited`',
  },
  admin_password_generated: {
    kind: 'account',
    result: 'success',
    says: 'admin password generated',
    object: 'user',
    meaning: 'a start created `admin`, or gave it a new password',
  },
  user_added: {
    kind: 'account',
    result: 'success',
    says: 'user added',
    object: 'user',
    meaning: 'an account was created',
  },
  provider_user_added: {
    kind: 'account',
    result: 'success',
    says: 'user of the provider added',
    object: 'user',
    meaning: 'first sign-in with the provider; the detail has the reason for the role',
  },
  user_renamed: {
    kind: 'account',
    result: 'success',
    says: 'user renamed',
    object: 'user',
    meaning: 'by the provider; the detail has the earlier name',
  },
  users_imported: {
    kind: 'account',
    result: 'success',
    says: 'users imported',
    meaning: "from a recorder's database",
  },
  user_role_changed: {
    kind: 'account',
    result: 'success',
    says: 'role changed',
    object: 'user',
    meaning: 'a user got another role',
  },
  user_blocked: {
    kind: 'account',
    result: 'success',
    says: 'user blocked',
    object: 'user',
    meaning: 'with all sessions and API tokens',
  },
  user_unblocked: {
    kind: 'account',
    result: 'success',
    says: 'user unblocked',
    object: 'user',
    meaning: 'with all API tokens',
  },
  user_removed: {
    kind: 'account',
    result: 'success',
    says: 'user removed',
    object: 'user',
    meaning: 'a user was removed',
  },
  passkey_added: {
    kind: 'account',
    result: 'success',
    says: 'passkey added',
    object: 'user',
    meaning: 'the detail has its name',
  },
  passkey_removed: {
    kind: 'account',
    result: 'success',
    says: 'passkey removed',
    object: 'user',
    meaning: 'the detail has its name',
  },
  one_time_code_added: {
    kind: 'account',
    result: 'success',
    says: 'one-time codes set up',
    object: 'user',
    meaning: 'with new recovery codes',
  },
  one_time_code_removed: {
    kind: 'account',
    result: 'success',
    says: 'one-time codes removed',
    object: 'user',
    meaning: 'a user removed the one-time codes',
  },
  recovery_codes_made: {
    kind: 'account',
    result: 'success',
    says: 'recovery codes made',
    object: 'user',
    meaning: 'the earlier ones no longer work',
  },
  recovery_code_used: {
    kind: 'account',
    result: 'success',
    says: 'recovery code used',
    object: 'user',
    meaning: 'it no longer works',
  },
  factors_reset: {
    kind: 'account',
    result: 'success',
    says: 'second factors reset',
    object: 'user',
    meaning: 'all passkeys, codes and sessions of a user ended; the detail counts API tokens and shares',
  },
  second_factor_asked: {
    kind: 'session',
    result: 'success',
    says: 'second factor asked for',
    meaning: 'the password was right; a second factor is missing',
  },
  second_factor_failed: {
    kind: 'session',
    result: 'failure',
    says: 'login refused',
    meaning: 'with a passkey or a code',
  },
  stepped_up: {
    kind: 'session',
    result: 'success',
    says: 'identity proved again',
    object: 'user',
    meaning: 'a user confirmed who they are',
  },
  step_up_failed: {
    kind: 'session',
    result: 'failure',
    says: 'proof of identity refused',
    object: 'user',
    meaning: 'a user failed to confirm who they are',
  },
  step_up_limited: {
    kind: 'refusal',
    result: 'failure',
    says: 'proof of identity refused',
    object: 'user',
    meaning: 'refused as in `login_limited`',
  },
  role_defined: {
    kind: 'account',
    result: 'success',
    says: 'role defined',
    object: 'role',
    meaning: 'a role was added or changed',
  },
  role_removed: {
    kind: 'account',
    result: 'success',
    says: 'role removed',
    object: 'role',
    meaning: 'its users are `viewer` now',
  },
  camera_group_defined: {
    kind: 'account',
    result: 'success',
    says: 'camera group defined',
    object: 'group',
    meaning: 'a group was added or changed; the detail has the changed roles',
  },
  camera_group_removed: {
    kind: 'account',
    result: 'success',
    says: 'camera group removed',
    object: 'group',
    meaning: 'a group that no role used',
  },
  recorder_role_written: {
    kind: 'account',
    result: 'success',
    says: 'role written to the recorder',
    object: 'role',
    meaning: 'by `recorder.manage_roles`',
  },
  recorder_role_removed: {
    kind: 'account',
    result: 'success',
    says: 'role removed from the recorder',
    object: 'role',
    meaning: 'by `recorder.manage_roles`',
  },
  recorder_role_refused: {
    kind: 'account',
    result: 'failure',
    says: 'role refused by the recorder',
    object: 'role',
    meaning: 'the recorder refused a change; the detail has its answer',
  },
  recorder_tried: {
    kind: 'session',
    result: 'success',
    says: 'address tried',
    meaning: 'an admin tested an address of the recorder; the detail has the result',
  },
  recorder_connected: {
    kind: 'account',
    result: 'success',
    says: 'recorder connected',
    meaning: 'an admin set `upstream`; the detail has it',
  },
  email_changed: {
    kind: 'account',
    result: 'success',
    says: 'address for alerts changed',
    object: 'user',
    meaning: 'where alerts of an account go',
  },
  push_on: {
    kind: 'account',
    result: 'success',
    says: 'pushes switched on',
    meaning: 'for a browser; the detail has its push service',
  },
  push_off: {
    kind: 'account',
    result: 'success',
    says: 'pushes switched off',
    meaning: 'for a browser',
  },
  access_asked: {
    kind: 'account',
    result: 'success',
    says: 'access asked for',
    object: 'camera',
    meaning: 'a user asked for a camera',
  },
  access_answered: {
    kind: 'account',
    result: 'success',
    says: 'request for access answered',
    object: 'user',
    meaning: 'an admin closed the request',
  },
  appearance_changed: {
    kind: 'account',
    result: 'success',
    says: 'appearance changed',
    meaning: 'the detail has the name and colour (`ui`)',
  },
  api_token_created: {
    kind: 'account',
    result: 'success',
    says: 'API token created',
    object: 'token',
    meaning: 'an API token was created',
  },
  api_token_revoked: {
    kind: 'account',
    result: 'success',
    says: 'API token revoked',
    object: 'token',
    meaning: 'an API token was revoked',
  },
  display_paired: {
    kind: 'account',
    result: 'success',
    says: 'display paired',
    object: 'display',
    meaning: 'the detail has its address, cameras and end',
  },
  display_refused: {
    kind: 'session',
    result: 'success',
    says: 'display refused',
    meaning: 'a user refused a screen; the detail has its address',
  },
  display_changed: {
    kind: 'account',
    result: 'success',
    says: 'display changed',
    object: 'display',
    meaning: 'the detail has its name, cameras, permissions and end',
  },
  display_ended: {
    kind: 'account',
    result: 'success',
    says: 'display ended',
    object: 'display',
    meaning: 'a display was ended',
  },
  display_copied: {
    kind: 'account',
    result: 'failure',
    says: 'display ended: its cookie was copied',
    object: 'display',
    meaning: 'an old cookie came back, so the display was ended',
  },
  invitation_made: {
    kind: 'account',
    result: 'success',
    says: 'invitation made',
    object: 'invitation',
    meaning: 'the detail has its role and end',
  },
  invitation_used: {
    kind: 'account',
    result: 'success',
    says: 'invitation used',
    object: 'user',
    meaning: 'the detail has who created it',
  },
  invitation_revoked: {
    kind: 'account',
    result: 'success',
    says: 'invitation revoked',
    object: 'invitation',
    meaning: 'before it was used',
  },
  invitation_refused: {
    kind: 'refusal',
    result: 'failure',
    says: 'invitation refused',
    object: 'invitation',
    meaning: 'expired, wrong, or tried too often',
  },
  share_made: {
    kind: 'account',
    result: 'success',
    says: 'share made',
    object: 'share',
    meaning: 'the detail has what is shared, and its end',
  },
  share_ended: {
    kind: 'account',
    result: 'success',
    says: 'share ended',
    object: 'share',
    meaning: 'the detail has who created it',
  },
  share_opened: {
    kind: 'session',
    result: 'success',
    says: 'share opened',
    object: 'share',
    meaning: 'one record a minute for each share and address',
  },
  share_open_failed: {
    kind: 'refusal',
    result: 'failure',
    says: 'share not opened',
    object: 'share',
    meaning: 'expired, wrong, or tried too often',
  },
  backup_made: {
    kind: 'account',
    result: 'success',
    says: 'backup made',
    object: 'path',
    meaning: 'a backup was made',
  },
  backup_restored: {
    kind: 'account',
    result: 'success',
    says: 'backup restored',
    object: 'path',
    meaning: 'records since the backup are in `before-restore-…`',
  },
  store_copied: {
    kind: 'account',
    result: 'success',
    says: 'store copied',
    object: 'path',
    meaning: 'files were copied to PostgreSQL; the object is its URL',
  },
  started: {
    kind: 'account',
    result: 'success',
    says: 'started',
    meaning: 'the detail has the hash of the configuration',
  },
  configuration_reloaded: {
    kind: 'account',
    result: 'success',
    says: 'configuration reloaded',
    meaning: 'the detail has its hash, and what asked for it',
  },
  configuration_refused: {
    kind: 'account',
    result: 'failure',
    says: 'configuration refused',
    meaning: 'it has problems; the earlier one stays',
  },
  records_dropped: {
    kind: 'account',
    result: 'failure',
    says: 'audit records dropped',
    meaning: '`count` records are only in the log',
  },
} as const satisfies Record<string, EventRow>;

export type AuditEvent = keyof typeof auditEvents;

/** @returns the properties of an event, with one type for all events */
export function eventRow(event: AuditEvent): EventRow {
  return auditEvents[event];
}

export function isAuditEvent(text: string): text is AuditEvent {
  return Object.hasOwn(auditEvents, text);
}
