interface EventRow {
  /**
   * How its records are kept: `account` only by age; `session` and `refusal` by number too, each separately, because clients
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
  /** Without one, the name is enough. */
  readonly meaning?: string;
}

/** All audit events. Operators search for these words: they are never renamed. */
export const auditEvents = {
  login: { kind: 'session', result: 'success', says: 'login' },
  login_failed: {
    kind: 'session',
    result: 'failure',
    says: 'login refused',
    meaning:
      '`wrong_password`, `user_unknown`, `user_blocked`, or a [reason](reasons.md) of the provider. An unknown name may be a password, and is not recorded',
  },
  login_limited: {
    kind: 'refusal',
    result: 'failure',
    says: 'login refused',
    meaning: 'too many failures, or too many at once; the password was not checked',
  },
  logout: { kind: 'session', result: 'success', says: 'logout' },
  session_ended: {
    kind: 'session',
    result: 'success',
    says: 'session ended',
    object: 'user',
    meaning: 'one, or all of a user',
  },
  session_ended_by_provider: {
    kind: 'session',
    result: 'success',
    says: 'session ended by the provider',
    object: 'user',
    meaning: 'it refused a refresh, withdrew the role, or sent a back-channel logout',
  },
  stream_ended: {
    kind: 'session',
    result: 'failure',
    says: 'ended what was no longer permitted',
    object: 'path',
    meaning: 'a stream was cut, since it is no longer permitted',
  },
  stream_stopped: {
    kind: 'account',
    result: 'success',
    says: 'stopped a stream',
    object: 'path',
  },
  stream_allowed: {
    kind: 'account',
    result: 'success',
    says: 'allowed again what was stopped',
    object: 'user',
    meaning: 'an admin lifted a stop',
  },
  camera_moved: {
    kind: 'session',
    result: 'success',
    says: 'camera moved',
    object: 'camera',
    meaning: 'one record a minute, without the camera',
  },
  refused: {
    kind: 'refusal',
    result: 'failure',
    says: 'refused',
    object: 'path',
    meaning: 'a request, with its [reason](reasons.md)',
  },
  password_changed: {
    kind: 'account',
    result: 'success',
    says: 'password changed',
    object: 'user',
  },
  password_change_refused: {
    kind: 'session',
    result: 'failure',
    says: 'password change refused',
    object: 'user',
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
    meaning: 'by a start',
  },
  user_added: {
    kind: 'account',
    result: 'success',
    says: 'user added',
    object: 'user',
  },
  provider_user_added: {
    kind: 'account',
    result: 'success',
    says: 'user of the provider added',
    object: 'user',
    meaning: 'first sign-in; the detail has the reason for the role',
  },
  user_renamed: {
    kind: 'account',
    result: 'success',
    says: 'user renamed',
    object: 'user',
  },
  users_imported: {
    kind: 'account',
    result: 'success',
    says: 'users imported',
  },
  user_role_changed: {
    kind: 'account',
    result: 'success',
    says: 'role changed',
    object: 'user',
  },
  user_blocked: {
    kind: 'account',
    result: 'success',
    says: 'user blocked',
    object: 'user',
  },
  user_unblocked: {
    kind: 'account',
    result: 'success',
    says: 'user unblocked',
    object: 'user',
  },
  user_removed: {
    kind: 'account',
    result: 'success',
    says: 'user removed',
    object: 'user',
  },
  passkey_added: {
    kind: 'account',
    result: 'success',
    says: 'passkey added',
    object: 'user',
  },
  passkey_removed: {
    kind: 'account',
    result: 'success',
    says: 'passkey removed',
    object: 'user',
  },
  one_time_code_added: {
    kind: 'account',
    result: 'success',
    says: 'one-time codes set up',
    object: 'user',
  },
  one_time_code_removed: {
    kind: 'account',
    result: 'success',
    says: 'one-time codes removed',
    object: 'user',
  },
  recovery_codes_made: {
    kind: 'account',
    result: 'success',
    says: 'recovery codes made',
    object: 'user',
  },
  recovery_code_used: {
    kind: 'account',
    result: 'success',
    says: 'recovery code used',
    object: 'user',
  },
  factors_reset: {
    kind: 'account',
    result: 'success',
    says: 'second factors reset',
    object: 'user',
    meaning: 'all passkeys, codes and sessions of a user ended',
  },
  second_factor_asked: {
    kind: 'session',
    result: 'success',
    says: 'second factor asked for',
    meaning: 'the password was right',
  },
  second_factor_failed: {
    kind: 'session',
    result: 'failure',
    says: 'login refused',
  },
  stepped_up: {
    kind: 'session',
    result: 'success',
    says: 'identity proved again',
    object: 'user',
  },
  step_up_failed: {
    kind: 'session',
    result: 'failure',
    says: 'proof of identity refused',
    object: 'user',
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
  },
  role_removed: {
    kind: 'account',
    result: 'success',
    says: 'role removed',
    object: 'role',
    meaning: 'its users are `viewer` now',
  },
  camera_renamed: {
    kind: 'account',
    result: 'success',
    says: 'camera renamed',
    object: 'camera',
    meaning: 'roles and devices have the new name `to`; `left` is still to be changed',
  },
  camera_group_defined: {
    kind: 'account',
    result: 'success',
    says: 'camera group defined',
    object: 'group',
    meaning: 'the detail has the changed roles',
  },
  camera_group_removed: {
    kind: 'account',
    result: 'success',
    says: 'camera group removed',
    object: 'group',
  },
  recorder_role_written: {
    kind: 'account',
    result: 'success',
    says: 'role written to the recorder',
    object: 'role',
  },
  recorder_role_removed: {
    kind: 'account',
    result: 'success',
    says: 'role removed from the recorder',
    object: 'role',
  },
  recorder_role_refused: {
    kind: 'account',
    result: 'failure',
    says: 'role refused by the recorder',
    object: 'role',
    meaning: 'the detail has its answer',
  },
  recorder_tried: {
    kind: 'session',
    result: 'success',
    says: 'address tried',
  },
  recorder_connected: {
    kind: 'account',
    result: 'success',
    says: 'recorder connected',
  },
  email_changed: {
    kind: 'account',
    result: 'success',
    says: 'address for alerts changed',
    object: 'user',
  },
  push_on: {
    kind: 'account',
    result: 'success',
    says: 'pushes switched on',
  },
  push_off: {
    kind: 'account',
    result: 'success',
    says: 'pushes switched off',
  },
  access_asked: {
    kind: 'account',
    result: 'success',
    says: 'access asked for',
    object: 'camera',
  },
  access_answered: {
    kind: 'account',
    result: 'success',
    says: 'request for access answered',
    object: 'user',
  },
  appearance_changed: {
    kind: 'account',
    result: 'success',
    says: 'appearance changed',
  },
  alert_tested: {
    kind: 'session',
    result: 'success',
    says: 'alert target tested',
  },
  settings_changed: {
    kind: 'account',
    result: 'success',
    says: 'settings changed',
  },
  api_token_created: {
    kind: 'account',
    result: 'success',
    says: 'API token created',
    object: 'token',
  },
  api_token_revoked: {
    kind: 'account',
    result: 'success',
    says: 'API token revoked',
    object: 'token',
  },
  display_paired: {
    kind: 'account',
    result: 'success',
    says: 'display paired',
    object: 'display',
  },
  display_refused: {
    kind: 'session',
    result: 'success',
    says: 'display refused',
  },
  display_changed: {
    kind: 'account',
    result: 'success',
    says: 'display changed',
    object: 'display',
  },
  display_ended: {
    kind: 'account',
    result: 'success',
    says: 'display ended',
    object: 'display',
  },
  display_copied: {
    kind: 'account',
    result: 'failure',
    says: 'display ended: its cookie was copied',
    object: 'display',
    meaning: 'two screens used its cookie, so it was ended',
  },
  invitation_made: {
    kind: 'account',
    result: 'success',
    says: 'invitation made',
    object: 'invitation',
  },
  invitation_used: {
    kind: 'account',
    result: 'success',
    says: 'invitation used',
    object: 'user',
  },
  invitation_revoked: {
    kind: 'account',
    result: 'success',
    says: 'invitation revoked',
    object: 'invitation',
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
  },
  share_ended: {
    kind: 'account',
    result: 'success',
    says: 'share ended',
    object: 'share',
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
  },
  backup_restored: {
    kind: 'account',
    result: 'success',
    says: 'backup restored',
    object: 'path',
    meaning: 'records since the backup are in `before-restore-…`',
  },
  clock_reset: {
    kind: 'account',
    result: 'success',
    says: 'put the latest time right',
    meaning: 'by `postern clock reset`; the detail has the time before, and what ended',
  },
  store_copied: {
    kind: 'account',
    result: 'success',
    says: 'store copied',
    object: 'path',
  },
  started: {
    kind: 'account',
    result: 'success',
    says: 'started',
  },
  configuration_reloaded: {
    kind: 'account',
    result: 'success',
    says: 'configuration reloaded',
  },
  configuration_refused: {
    kind: 'account',
    result: 'failure',
    says: 'configuration refused',
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
