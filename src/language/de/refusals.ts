import type { RefusalTexts } from '../en/refusals.ts';

export const refusals: RefusalTexts = {
  texts: {
    bad_request: {
      title: 'Diese Anfrage geht nicht',
      text: 'Ihr Browser oder ein Proxy auf dem Weg hat etwas gesendet, das Postern nicht annehmen kann.',
    },
    unauthenticated: { title: 'Bitte zuerst anmelden', text: 'Das sehen nur Personen, die angemeldet sind.' },
    forbidden: {
      title: 'Das ist nicht mit Ihnen geteilt',
      text: 'Mit Ihrem Konto können Sie diese Seite nicht öffnen oder das nicht tun.',
    },
    screen: {
      title: 'Dieser Bildschirm zeigt nur Kameras',
      text: 'Um hier etwas anderes zu öffnen, melden Sie sich mit Ihrem Konto an.',
    },
    outside_schedule: {
      title: 'Jetzt geschlossen',
      text: 'Sie haben an bestimmten Tagen oder zu bestimmten Stunden Zugang. Sie müssen sich nicht noch einmal anmelden.',
    },
    stopped: {
      title: 'Vorerst gestoppt',
      text: 'Ein Admin hat das für eine Weile gestoppt. Sie müssen sich nicht noch einmal anmelden.',
    },
    sign_on_unfinished: {
      title: 'Bitte noch einmal anmelden',
      text: 'Das hat länger als zehn Minuten gedauert, war schon beendet oder begann in einem anderen Browser.',
    },
    sign_on_refused: {
      title: 'Nicht angemeldet',
      text: 'Der Anbieter hat Sie nicht angemeldet, oder Sie haben dort abgebrochen.',
    },
    sign_on_name: {
      title: 'Dieser Benutzername geht hier nicht',
      text: 'Der Anbieter hat Sie angemeldet, aber Ihr Benutzername dort kann hier nicht verwendet werden. Ihr Administrator kann helfen.',
    },
    sign_on_no_access: {
      title: 'Dieses Konto hat keinen Zugang',
      text: 'Der Anbieter hat Sie angemeldet, aber dieses Konto hat hier keinen Zugang. Ihr Administrator kann helfen.',
    },
    sign_on_failed: {
      title: 'Die Anmeldung hat nicht geklappt',
      text: 'Der Anbieter hat etwas geantwortet, womit Postern nichts anfangen kann. Ihr Administrator findet mehr im Protokoll.',
    },
    sign_on_away: {
      title: 'Der Anbieter antwortet nicht',
      text: 'Der Dienst, der Sie anmeldet, antwortet nicht. Vielleicht startet er gerade oder ist ausgeschaltet.',
    },
    host_unknown: {
      title: 'Diese Adresse heißt anders',
      text: 'Nehmen Sie Port 8971. Dies ist der interne Zugang, an dem alle Admins sind, und er kennt den Namen in der Adresszeile nicht. Einen Namen Ihres eigenen Netzes fügen Sie in networking.internal_hosts hinzu.',
    },
    not_found: {
      title: 'Hier ist nichts',
      text: 'Prüfen Sie die Adresse, oder gehen Sie zurück zu Ihren Kameras.',
    },
    payload_too_large: { title: 'Das ist zu groß', text: 'Postern nimmt weniger an, als gesendet wurde.' },
    too_many_requests: {
      title: 'Zu viele Versuche',
      text: 'Warten Sie einen Moment, bevor Sie es noch einmal versuchen.',
    },
    internal: {
      title: 'Etwas ist schiefgegangen',
      text: 'Postern konnte das nicht zu Ende bringen. Ihr Administrator findet mehr im Protokoll.',
    },
    upstream_unavailable: {
      title: 'Der Rekorder antwortet nicht',
      text: 'Postern läuft, aber der Rekorder antwortet nicht. Vielleicht startet er gerade oder ist ausgeschaltet.',
    },
    loop_detected: {
      title: 'Die Adresse des Rekorders führt hierher zurück',
      text: 'Postern fragt sich selbst statt den Rekorder. Ihr Administrator findet mehr im Log.',
    },
    upstream_busy: {
      title: 'Der Rekorder ist ausgelastet',
      text: 'Alle Verbindungen zu ihm sind gerade in Gebrauch.',
    },
    session_not_ended: {
      title: 'Sie sind nur hier abgemeldet',
      text: 'Dieser Browser ist abgemeldet, aber Postern konnte die Sitzung nicht beenden. Sie gilt, bis sie abläuft.',
    },
    unavailable: {
      title: 'Gerade nicht verfügbar',
      text: 'Postern kann etwas nicht lesen oder speichern, das diese Seite braucht.',
    },
    gate_away: {
      title: 'Postern antwortet nicht',
      text: 'Der Webserver läuft, aber Postern antwortet ihm nicht, und ohne Postern kommt nichts durch. Vielleicht startet es gerade.',
    },
    other: { title: 'Das hat nicht geklappt', text: 'Postern konnte das nicht tun.' },
  },
  opens: (when) => `Öffnet ${when}`,
  closedSince: (when) => `Geschlossen seit ${when}`,
  stoppedUntil: (when) => `Gestoppt bis ${when}`,
  loggedInAs: 'Sie sind angemeldet als',
  role: 'Rolle',
  isScreen: 'Das ist der Bildschirm',
  askFor: 'Um Zugriff bitten',
  askedFor: 'Sie haben um Zugriff gebeten',
  internal: 'Alle, die diesen internen Zugang erreichen, sind Admins.',
  proxyLogsIn: 'Der Proxy vor dieser Seite meldet Sie an.',
  whomToAsk: 'Brauchen Sie Hilfe? Fragen Sie',
  retryIn: (seconds) =>
    seconds === 1
      ? 'Versuchen Sie es in einer Sekunde noch einmal.'
      : `Versuchen Sie es in ${seconds} Sekunden noch einmal.`,
  again: 'Noch einmal versuchen',
  logIn: 'Anmelden',
  logInLocally: 'Mit Passwort anmelden',
  logOut: 'Abmelden',
  logInAsOther: 'Als jemand anderes anmelden',
  home: 'Ihre Kameras',
  wall: 'Kameras zeigen',
  account: 'Ihr Konto',
  start: 'Rekorder öffnen',
  decision: 'Code für Ihren Administrator:',
  copy: 'Kopieren',
  copied: 'Kopiert',
};
