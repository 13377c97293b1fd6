import type { AuditEventName, AuditRecord } from './api-client.ts';

/** Every event, as the filter and the list call it. */
export const eventWords: Readonly<Record<AuditEventName, string>> = {
  login: 'Login',
  login_failed: 'Login failed',
  login_limited: 'Login turned away',
  logout: 'Logout',
  session_ended: 'Session ended',
  refused: 'Request refused',
  password_changed: 'Password changed',
  password_change_refused: 'Password change refused',
  password_change_limited: 'Password change turned away',
  user_added: 'User added',
  user_role_changed: 'User got another role',
  user_removed: 'User removed',
  users_imported: 'Users imported',
  admin_password_generated: 'Admin password generated',
  role_defined: 'Role defined',
  role_removed: 'Role removed',
  recorder_role_written: 'Role written to the recorder',
  recorder_role_removed: 'Role removed from the recorder',
  recorder_role_refused: 'Role refused by the recorder',
  recorder_tried: 'Address of a recorder tried',
  recorder_connected: 'Recorder connected',
  api_token_created: 'API token created',
  api_token_revoked: 'API token revoked',
  configuration_reloaded: 'Configuration reloaded',
  configuration_refused: 'Configuration refused',
  backup_made: 'Backup made',
  backup_restored: 'Backup restored',
  started: 'Program started',
  records_dropped: 'Records dropped',
};

/** An event of a later program is called what it is. */
export function eventText(event: string): string {
  return Object.hasOwn(eventWords, event) ? eventWords[event as AuditEventName] : event;
}

export function whoText({ user, source }: AuditRecord): string {
  if (source === 'system') return 'the program';
  return user ?? 'nobody known';
}

export function whereText({ address, source }: AuditRecord): string | null {
  return address ?? (source === 'cli' ? 'the command line' : null);
}

const sourceWords: Readonly<Record<string, string>> = {
  password: 'a password',
  session: 'a session',
  bearer: 'a bearer token',
  'api-token': 'an API token',
  token: 'an API token',
  proxy: 'the proxy in front',
  internal: 'the internal entry point',
  cli: 'the command line',
  system: 'the program itself',
};

export function sourceText(source: string | null): string | null {
  return source === null ? null : (sourceWords[source] ?? source);
}

export function detailText(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}
