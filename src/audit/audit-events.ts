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
      'a login failed: the reason is `wrong_password`, `user_unknown` or `user_blocked` (the password was right), or of a login at a provider one of [reasons.md](reasons.md). An unknown name is not recorded: it may be a password',
  },
  login_limited: {
    kind: 'refusal',
    result: 'failure',
    says: 'login refused',
    meaning:
      'a login was turned away before the password was checked: too many failures, or too many logins at once',
  },
  logout: { kind: 'session', result: 'success', says: 'logout', meaning: 'someone signed out' },
  session_ended: {
    kind: 'session',
    result: 'success',
    says: 'session ended',
    object: 'user',
    meaning:
      'someone ended a session of a user, or all of them; then the detail has how many API tokens and shares ended too',
  },
  session_ended_by_provider: {
    kind: 'session',
    result: 'success',
    says: 'session ended by the provider',
    object: 'user',
    meaning:
      'the provider ended sessions of a person: it refused to refresh one, gave the person no role anymore, or said so by its back channel; the reason is its own word, or `backchannel_logout`',
  },
  stream_ended: {
    kind: 'session',
    result: 'failure',
    says: 'ended what was no longer permitted',
    object: 'path',
    meaning:
      'the gate cut a WebSocket or an answer in the middle: the right to it had ended; the reason has the cause. The object is its path; the detail has its cameras, and since when it was open',
  },
  stream_stopped: {
    kind: 'account',
    result: 'success',
    says: 'stopped a stream',
    object: 'path',
    meaning:
      'an admin stopped a WebSocket, an answer or pictures of someone; the detail has whose it was, what it showed, and for how long (`for`: `now`, `hour` or `good`)',
  },
  stream_allowed: {
    kind: 'account',
    result: 'success',
    says: 'allowed again what was stopped',
    object: 'user',
    meaning:
      'an admin allowed again what had been stopped for an hour; the object is the user, or the id of the API token or the share, by `kind` of the detail',
  },
  camera_moved: {
    kind: 'session',
    result: 'success',
    says: 'camera moved',
    object: 'camera',
    meaning:
      'a user moved a camera by `/ws`: the first command in a minute. The object is the camera; without one, the gate knows no camera of the name',
  },
  refused: {
    kind: 'refusal',
    result: 'failure',
    says: 'refused',
    object: 'path',
    meaning:
      'a request was refused; [reasons.md](reasons.md) has the reasons. The object is its path, without a query',
  },
  password_changed: {
    kind: 'account',
    result: 'success',
    says: 'password changed',
    object: 'user',
    meaning: 'a user got another password; the detail has how many API tokens and shares ended with it',
  },
  password_change_refused: {
    kind: 'session',
    result: 'failure',
    says: 'password change refused',
    object: 'user',
    meaning: 'a password was not changed: the old one was wrong',
  },
  password_change_limited: {
    kind: 'refusal',
    result: 'failure',
    says: 'password change refused',
    object: 'user',
    meaning: 'a change of a password was turned away for the same causes as with `login_limited`',
  },
  admin_password_generated: {
    kind: 'account',
    result: 'success',
    says: 'admin password generated',
    object: 'user',
    meaning: 'the program made the user `admin`, or gave it a new password, at a start',
  },
  user_added: {
    kind: 'account',
    result: 'success',
    says: 'user added',
    object: 'user',
    meaning: 'a user was added',
  },
  provider_user_added: {
    kind: 'account',
    result: 'success',
    says: 'user of the provider added',
    object: 'user',
    meaning: 'someone signed in at the provider for the first time; the detail has the reason of the role',
  },
  user_renamed: {
    kind: 'account',
    result: 'success',
    says: 'user renamed',
    object: 'user',
    meaning: 'a person of the provider has another name there, and so here; the detail has the former one',
  },
  users_imported: {
    kind: 'account',
    result: 'success',
    says: 'users imported',
    meaning: "users of a recorder's database were imported",
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
    meaning: 'a user is kept out: no login, session or API token of the user is valid',
  },
  user_unblocked: {
    kind: 'account',
    result: 'success',
    says: 'user unblocked',
    object: 'user',
    meaning: 'a user who was kept out may sign in again, and the API tokens are valid again',
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
    meaning: 'a user added a passkey; the detail has its name',
  },
  passkey_removed: {
    kind: 'account',
    result: 'success',
    says: 'passkey removed',
    object: 'user',
    meaning: 'a user removed a passkey; the detail has its name',
  },
  one_time_code_added: {
    kind: 'account',
    result: 'success',
    says: 'one-time codes set up',
    object: 'user',
    meaning: 'a user set up one-time codes, with new recovery codes',
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
    meaning: 'a user made new recovery codes; the former ones are worth nothing',
  },
  recovery_code_used: {
    kind: 'account',
    result: 'success',
    says: 'recovery code used',
    object: 'user',
    meaning: 'a user showed a recovery code, which is worth nothing from then on',
  },
  factors_reset: {
    kind: 'account',
    result: 'success',
    says: 'second factors reset',
    object: 'user',
    meaning:
      'all passkeys and codes of a user were taken away, and the sessions ended; the detail has how many API tokens and shares did',
  },
  second_factor_asked: {
    kind: 'session',
    result: 'success',
    says: 'second factor asked for',
    meaning: 'a password was right, and the login waits for a second factor',
  },
  second_factor_failed: {
    kind: 'session',
    result: 'failure',
    says: 'login refused',
    meaning: 'a login with a passkey or a code failed; the reason has the cause',
  },
  stepped_up: {
    kind: 'session',
    result: 'success',
    says: 'identity proved again',
    object: 'user',
    meaning: 'someone with a session proved once more who they are',
  },
  step_up_failed: {
    kind: 'session',
    result: 'failure',
    says: 'proof of identity refused',
    object: 'user',
    meaning: 'someone with a session did not prove who they are',
  },
  step_up_limited: {
    kind: 'refusal',
    result: 'failure',
    says: 'proof of identity refused',
    object: 'user',
    meaning: 'a proof was turned away for the same causes as with `login_limited`',
  },
  role_defined: {
    kind: 'account',
    result: 'success',
    says: 'role defined',
    object: 'role',
    meaning: 'a role was added, or its cameras, what it may do or its schedule changed',
  },
  role_removed: {
    kind: 'account',
    result: 'success',
    says: 'role removed',
    object: 'role',
    meaning: 'a custom role was removed; its users are `viewer`',
  },
  camera_group_defined: {
    kind: 'account',
    result: 'success',
    says: 'camera group defined',
    object: 'group',
    meaning: 'a group of cameras was added, or got other cameras; the detail has the roles that this changed',
  },
  camera_group_removed: {
    kind: 'account',
    result: 'success',
    says: 'camera group removed',
    object: 'group',
    meaning: 'a group of cameras that no role used was removed',
  },
  recorder_role_written: {
    kind: 'account',
    result: 'success',
    says: 'role written to the recorder',
    object: 'role',
    meaning: 'the gate gave a custom role its cameras in the recorder (`recorder.manage_roles`)',
  },
  recorder_role_removed: {
    kind: 'account',
    result: 'success',
    says: 'role removed from the recorder',
    object: 'role',
    meaning: 'the gate deleted in the recorder what has no cameras in the gate anymore, or is no role there',
  },
  recorder_role_refused: {
    kind: 'account',
    result: 'failure',
    says: 'role refused by the recorder',
    object: 'role',
    meaning: 'the recorder refused a change of a custom role, the first time; its words are in the detail',
  },
  recorder_tried: {
    kind: 'session',
    result: 'success',
    says: 'address tried',
    meaning:
      'an admin had an address asked whether it is a recorder; the detail has both, and what was found',
  },
  recorder_connected: {
    kind: 'account',
    result: 'success',
    says: 'recorder connected',
    meaning: 'an admin wrote the address of the recorder to `upstream`; it is in the detail',
  },
  email_changed: {
    kind: 'account',
    result: 'success',
    says: 'address for alerts changed',
    object: 'user',
    meaning: 'a user changed where the alerts of their account go',
  },
  push_on: {
    kind: 'account',
    result: 'success',
    says: 'pushes switched on',
    meaning: 'a user switched pushes on for a browser; the detail has its push service',
  },
  push_off: {
    kind: 'account',
    result: 'success',
    says: 'pushes switched off',
    meaning: 'a user switched pushes off for a browser',
  },
  access_asked: {
    kind: 'account',
    result: 'success',
    says: 'access asked for',
    object: 'camera',
    meaning: 'a user asked for a camera that their role does not cover',
  },
  access_answered: {
    kind: 'account',
    result: 'success',
    says: 'request for access answered',
    object: 'user',
    meaning: 'an admin took a request for a camera off the list; the detail has the camera',
  },
  appearance_changed: {
    kind: 'account',
    result: 'success',
    says: 'appearance changed',
    meaning: 'an admin gave the house another name or colour (`ui`); the detail has both',
  },
  api_token_created: {
    kind: 'account',
    result: 'success',
    says: 'API token created',
    object: 'token',
    meaning: 'an API token was made',
  },
  api_token_revoked: {
    kind: 'account',
    result: 'success',
    says: 'API token revoked',
    object: 'token',
    meaning: 'an API token was ended',
  },
  display_paired: {
    kind: 'account',
    result: 'success',
    says: 'display paired',
    object: 'display',
    meaning: 'a user approved a screen; the detail has its address, its cameras, and until when',
  },
  display_refused: {
    kind: 'session',
    result: 'success',
    says: 'display refused',
    meaning: 'a user refused a screen that showed a pairing code; the detail has its address',
  },
  display_changed: {
    kind: 'account',
    result: 'success',
    says: 'display changed',
    object: 'display',
    meaning: 'the name, the cameras, the words or the time of a display were changed; the detail has them',
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
    meaning:
      'an earlier cookie of a display came again, although its screen already had a newer one: the gate ended the display',
  },
  invitation_made: {
    kind: 'account',
    result: 'success',
    says: 'invitation made',
    object: 'invitation',
    meaning: 'an admin made an invitation; the detail has its role, and until when',
  },
  invitation_used: {
    kind: 'account',
    result: 'success',
    says: 'invitation used',
    object: 'user',
    meaning: 'someone got an account by an invitation; the detail has the invitation, and who made it',
  },
  invitation_revoked: {
    kind: 'account',
    result: 'success',
    says: 'invitation revoked',
    object: 'invitation',
    meaning: 'an invitation was revoked before it was used',
  },
  invitation_refused: {
    kind: 'refusal',
    result: 'failure',
    says: 'invitation refused',
    object: 'invitation',
    meaning:
      'someone came with an invitation that is over, with a wrong secret, or too often; the reason has which',
  },
  share_made: {
    kind: 'account',
    result: 'success',
    says: 'share made',
    object: 'share',
    meaning: 'someone shared an event, an export or a camera; the detail has what, and until when',
  },
  share_ended: {
    kind: 'account',
    result: 'success',
    says: 'share ended',
    object: 'share',
    meaning: 'someone ended a share before its time; the detail has who made it',
  },
  share_opened: {
    kind: 'session',
    result: 'success',
    says: 'share opened',
    object: 'share',
    meaning: 'someone opened a share by its link: one record a minute for each share and address',
  },
  share_open_failed: {
    kind: 'refusal',
    result: 'failure',
    says: 'share not opened',
    object: 'share',
    meaning:
      'someone came with a link that is not valid, or not anymore, with a wrong password, or too often; the reason has which, and the object is what the link names',
  },
  backup_made: {
    kind: 'account',
    result: 'success',
    says: 'backup made',
    object: 'path',
    meaning: 'a backup of everything that the gate keeps was made',
  },
  backup_restored: {
    kind: 'account',
    result: 'success',
    says: 'backup restored',
    object: 'path',
    meaning: 'a backup replaced the former state; the records made since the backup are beside it',
  },
  store_copied: {
    kind: 'account',
    result: 'success',
    says: 'store copied',
    object: 'path',
    meaning: 'what a gate kept in files was taken over into PostgreSQL; the object is its URL',
  },
  started: {
    kind: 'account',
    result: 'success',
    says: 'started',
    meaning: 'the program started, with the configuration whose hash is in the detail',
  },
  configuration_reloaded: {
    kind: 'account',
    result: 'success',
    says: 'configuration reloaded',
    meaning: 'another configuration was applied; its hash, and what asked for it, are in the detail',
  },
  configuration_refused: {
    kind: 'account',
    result: 'failure',
    says: 'configuration refused',
    meaning: 'a changed configuration has problems, and the former one stays',
  },
  records_dropped: {
    kind: 'account',
    result: 'failure',
    says: 'audit records dropped',
    meaning:
      'as many records as `count` in the detail are only in the log: they came in a flood, or while the database took none',
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
