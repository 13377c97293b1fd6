import type { Catalogue } from '../en/index.ts';

export const errors: Catalogue['errors'] = {
  bad_request: 'Die Anfrage ist fehlerhaft.',
  unauthenticated: 'Bitte melden Sie sich an.',
  login_failed: 'Die Anmeldung ist fehlgeschlagen.',
  forbidden: 'Das dürfen Sie nicht.',
  host_unknown:
    'Der interne Zugang kennt diesen Namen nicht: Tragen Sie ihn in networking.internal_hosts ein.',
  wrong_password: 'Das alte Passwort ist falsch.',
  authentication_disabled: 'Die Anmeldung ist ausgeschaltet.',
  not_found: 'Nicht gefunden.',
  decision_unknown: 'Diese Entscheidung gibt es nicht mehr.',
  session_unknown: 'Diese Sitzung gibt es nicht.',
  user_unknown: 'Diesen Benutzer gibt es nicht.',
  role_unknown: 'Diese Rolle gibt es nicht.',
  api_token_unknown: 'Diesen API-Token gibt es nicht.',
  user_exists: 'Es gibt schon einen Benutzer dieses Namens.',
  api_token_exists: 'Es gibt schon einen API-Token dieses Namens.',
  too_many_api_tokens: 'Es gibt schon 100 API-Tokens: Widerrufen Sie zuerst einen.',
  last_admin: 'Der letzte Admin muss bleiben.',
  configuration_read_only: 'Die Konfigurationsdatei kann nicht geschrieben werden.',
  payload_too_large: 'Die Eingabe ist zu lang.',
  unsupported_media_type: 'Die Eingabe muss JSON sein.',
  too_many_requests: 'Zu viele Versuche. Versuchen Sie es später noch einmal.',
  internal: 'Interner Fehler.',
  upstream_unavailable: 'Der Rekorder antwortet nicht.',
  upstream_busy: 'Der Rekorder hat zu viele Verbindungen. Versuchen Sie es später noch einmal.',
  events_unavailable: 'Die Datenbank der Ereignisse kann nicht gelesen werden.',
  sessions_unavailable: 'Die Sitzungen können im Moment nicht gelesen werden.',
  store_unavailable: 'Die Konten können im Moment nicht geändert oder nicht gelesen werden.',
  session_not_ended:
    'Nur hier abgemeldet: Die Sitzung konnte nicht beendet werden und gilt, bis sie abläuft.',
};
