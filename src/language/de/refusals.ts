import type { RefusalTexts } from '../en/refusals.ts';

export const refusals: RefusalTexts = {
  texts: {
    bad_request: {
      title: 'Ungültige Anfrage',
      text: 'Der Browser oder ein Proxy auf dem Weg hat etwas gesendet, das Postern nicht annimmt.',
    },
    unauthenticated: { title: 'Anmeldung nötig', text: 'Das sehen nur Personen, die angemeldet sind.' },
    forbidden: {
      title: 'Kein Zugriff',
      text: 'Sie dürfen diese Seite nicht öffnen oder das Gewünschte nicht tun.',
    },
    outside_window: {
      title: 'Nicht zu dieser Zeit',
      text: 'Ihre Rolle hat an bestimmten Tagen oder zu bestimmten Stunden Zugang, und jetzt nicht. Sie müssen sich nicht neu anmelden.',
    },
    sign_on_unfinished: {
      title: 'Melden Sie sich neu an',
      text: 'Diese Anmeldung ist vorbei: Sie hat länger als zehn Minuten gedauert, war schon beendet oder begann in einem anderen Browser.',
    },
    sign_on_refused: {
      title: 'Nicht angemeldet',
      text: 'Der Anbieter hat Sie nicht angemeldet, oder Sie haben dort abgebrochen.',
    },
    sign_on_name: {
      title: 'Ihr Benutzername kann hier nicht verwendet werden',
      text: 'Der Anbieter hat Sie angemeldet, aber Ihr Benutzername dort kann hier nicht verwendet werden. Fragen Sie einen Administrator dieser Seite.',
    },
    sign_on_no_access: {
      title: 'Kein Zugang mit diesem Konto',
      text: 'Der Anbieter hat Sie angemeldet, aber Ihr Konto dort hat hier keinen Zugang. Fragen Sie einen Administrator dieser Seite.',
    },
    sign_on_failed: {
      title: 'Die Anmeldung hat nicht geklappt',
      text: 'Der Anbieter hat etwas geantwortet, womit Postern nichts anfangen kann. Mehr dazu steht für Administratoren im Protokoll.',
    },
    sign_on_away: {
      title: 'Der Anbieter antwortet nicht',
      text: 'Der Anbieter, der Sie anmeldet, antwortet nicht. Vielleicht startet er gerade oder ist ausgeschaltet.',
    },
    host_unknown: {
      title: 'Unbekannter Name',
      text: 'Der interne Zugang kennt den Namen in der Adresszeile nicht: Fügen Sie ihn in networking.internal_hosts hinzu.',
    },
    not_found: { title: 'Nicht gefunden', text: 'Unter dieser Adresse gibt es nichts.' },
    payload_too_large: { title: 'Zu groß', text: 'Postern nimmt weniger an, als gesendet wurde.' },
    too_many_requests: { title: 'Zu viele Versuche', text: 'Das waren zu viele Versuche in kurzer Zeit.' },
    internal: {
      title: 'Interner Fehler',
      text: 'In Postern ist etwas schiefgegangen. Mehr dazu steht für Administratoren im Protokoll.',
    },
    upstream_unavailable: {
      title: 'Der Rekorder antwortet nicht',
      text: 'Postern läuft, aber der Rekorder dahinter antwortet nicht. Vielleicht startet er gerade oder ist ausgeschaltet.',
    },
    upstream_busy: {
      title: 'Der Rekorder ist ausgelastet',
      text: 'Im Moment sind zu viele Verbindungen zum Rekorder in Gebrauch.',
    },
    session_not_ended: {
      title: 'Nur hier abgemeldet',
      text: 'Dieser Browser ist abgemeldet, aber die Sitzung ließ sich nicht beenden: Sie gilt, bis sie abläuft.',
    },
    unavailable: {
      title: 'Im Moment nicht verfügbar',
      text: 'Postern kann etwas nicht lesen oder speichern, das diese Seite braucht.',
    },
    gate_away: {
      title: 'Postern antwortet nicht',
      text: 'Der Webserver läuft, aber Postern antwortet ihm nicht, und ohne Postern kommt nichts durch. Vielleicht startet es gerade.',
    },
    other: { title: 'Das hat nicht geklappt', text: 'Postern konnte nicht tun, was gewünscht war.' },
  },
  loggedInAs: 'Sie sind angemeldet als',
  role: 'Rolle',
  internal: 'Wer diesen internen Zugang erreicht, ist Admin.',
  proxyLogsIn: 'Der Proxy vor dieser Seite meldet Personen an.',
  whomToAsk: 'Bei Fragen:',
  retryIn: (seconds) =>
    seconds === 1
      ? 'Versuchen Sie es in einer Sekunde noch einmal.'
      : `Versuchen Sie es in ${seconds} Sekunden noch einmal.`,
  again: 'Noch einmal versuchen',
  logIn: 'Anmelden',
  logInLocally: 'Mit Passwort anmelden',
  logOut: 'Abmelden',
  logInAsOther: 'Als jemand anderes anmelden',
  home: 'Start von Postern',
  account: 'Ihr Konto',
  start: 'Startseite',
  decision: 'Entscheidung',
  decisionMeans: 'Damit findet ein Administrator den Grund.',
  copy: 'Kopieren',
  copied: 'Kopiert',
  status: (status) => `Fehler ${status}`,
};
