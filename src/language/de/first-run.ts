import type { firstRun as english } from '../en/first-run.ts';

const cameras = (count: number) => (count === 1 ? 'Eine Kamera' : `${count} Kameras`);

export const firstRun: typeof english = {
  title: 'Postern einrichten',
  stepOf: (step, of) => `Schritt ${step} von ${of}`,
  steps: {
    password: 'Passwort',
    recorder: 'Rekorder',
    face: 'Ihr Haus',
    person: 'Personen',
    check: 'Fertig',
  },
  titles: {
    password: 'Wählen Sie Ihr Passwort',
    recorder: 'Verbinden Sie Ihren Rekorder',
    face: 'Geben Sie Ihrem Haus ein Gesicht',
    person: 'Lassen Sie jemanden herein',
  },
  readyTitle: (house) => `${house} ist bereit`,
  almostTitle: (house) => `${house} ist fast bereit`,
  done: 'erledigt',
  open: 'noch offen',
  next: 'Weiter',
  skip: 'Überspringen',
  reminded: 'Die Startseite erinnert Sie daran',
  adminsOnly: 'Nur Admins richten Postern ein',
  what: 'die Einrichtung',

  passwordWhy: 'Sie benutzen noch das erzeugte. Es steht im Log, für alle, die es lesen.',
  passwordDone: 'Niemand benutzt mehr ein erzeugtes Passwort.',
  passwordOf: (user) => `${user} benutzt noch das erzeugte Passwort.`,
  toUsers: 'In den Einstellungen ändern',
  savePassword: 'Passwort speichern',
  passwordChanged: 'Ihr Passwort ist geändert. Überall sonst sind Sie abgemeldet.',

  recorderWhy: 'Geben Sie die Adresse ein, unter der Sie ihn öffnen. Bis dahin sehen Sie ein Beispiel.',
  recorderAway: 'Er ist eingetragen, antwortet aber nicht wie ein Rekorder.',
  answers: 'Er antwortet. Das sind Ihre Kameras.',
  connectedTag: 'Verbunden',
  address: 'Adresse',
  addressHint:
    'Am besten sein Port 8971, ohne eigene Anmeldung und ohne TLS. Nur Postern sollte ihn erreichen.',
  connect: 'Verbinden',
  connected: (count) => `Ihr Rekorder ist verbunden. ${cameras(count)}.`,
  everybody: {
    says: 'Er antwortet, lässt aber alle herein.',
    todo: 'An diesem Port hält der Rekorder jeden Besuch für einen Admin. Nehmen Sie Port 8971, ohne eigene Anmeldung des Rekorders.',
  },
  useSafer: 'Port 8971 nehmen',
  useAnyway: 'Trotzdem nehmen',
  another: 'Eine andere Adresse',
  byHandHint: 'Postern liest die geänderte Datei binnen zwei Sekunden, ohne Neustart.',
  readOnly: { says: 'Postern kann config.yml nicht schreiben.', todo: 'Fügen Sie diese Zeile selbst ein:' },
  otherFront: 'Ein anderer Webserver leitet Anfragen weiter. Geben Sie auch ihm die Adresse des Rekorders.',
  database:
    'Postern kann noch nicht nachsehen, von welcher Kamera ein Ereignis ist. Nennen Sie auch die Datenbank des Rekorders und starten Sie Postern neu:',
  faults: {
    not_asked: { says: 'Er hat noch nicht geantwortet.', todo: '' },
    no_answer: {
      says: 'Dort antwortet nichts.',
      todo: 'Läuft der Rekorder, und erreicht dieser Rechner den Port?',
    },
    speaks_tls: {
      says: 'Dieser Port spricht TLS.',
      todo: 'Setzen Sie tls.enabled: false in der Konfiguration des Rekorders und starten Sie ihn neu, oder beginnen Sie die Adresse mit https://.',
    },
    speaks_no_tls: { says: 'Dieser Port spricht kein TLS.', todo: 'Beginnen Sie die Adresse mit http://.' },
    certificate_unknown: {
      says: 'Dieser Rechner vertraut seinem Zertifikat nicht.',
      todo: 'Nennen Sie die Datei in config.yml als recorder.certificate, oder setzen Sie tls.enabled: false in der Konfiguration des Rekorders.',
    },
    asks_for_login: {
      says: 'Er verlangt eine eigene Anmeldung.',
      todo: 'Setzen Sie auth.enabled: false in der Konfiguration des Rekorders und starten Sie ihn neu. Steht dort proxy.auth_secret, muss recorder.auth_secret in config.yml dasselbe sein.',
    },
    error_status: { says: 'Er antwortet mit einem Fehler.', todo: 'Den Grund hat das Log des Rekorders.' },
    no_configuration: {
      says: 'Dort antwortet etwas, aber kein Rekorder, oder einer ohne Kameras.',
      todo: 'Prüfen Sie die Adresse, oder fügen Sie dort eine Kamera hinzu.',
    },
    too_large: { says: 'Er antwortet mehr, als ein Rekorder würde.', todo: 'Prüfen Sie die Adresse.' },
    is_gate: { says: 'Das ist Postern selbst.', todo: 'Geben Sie die Adresse des Rekorders dahinter ein.' },
  },

  saveFace: 'Speichern und weiter',
  keepFace: 'So lassen',

  personWhy:
    'Geben Sie jeder Person ein eigenes Konto. Ein viewer sieht alle Kameras und ändert nichts; eigene Rollen sehen weniger.',
  personDone: 'Sie sind nicht mehr allein.',

  ready: (count) =>
    `${count === 1 ? 'Eine Kamera ist' : `${count} Kameras sind`} live. Was möchten Sie als Nächstes tun?`,
  readyBut: (left) =>
    `${left === 1 ? 'Ein Schritt ist' : `${left} Schritte sind`} noch offen und können warten. Die Startseite erinnert Sie daran.`,
  home: 'Zur Startseite',
  checksWhat: 'die Prüfungen',
  checked: (worse) =>
    worse === 0 ? 'Postern hat sich geprüft: alles gut' : `Postern hat sich geprüft: ${worse} zum Ansehen`,
  checks: {
    configuration: 'Konfiguration',
    certificate: 'Zertifikat',
    recorder: 'Rekorder',
    roles: 'Rollen am Rekorder',
  },
  results: { ok: 'gültig', hint: 'ansehen', fault: 'Fehler', none: 'nichts zu prüfen' },
  until: (date) => `gültig bis ${date}`,
  cameras,
  requestTitle: 'Ihre Verbindung',
  youAre: (address) =>
    `Postern sieht Sie unter ${address}. Sind Sie das nicht, verbirgt ein Webserver davor, wer fragt.`,
  secure: 'verschlüsselt',
  insecure: 'nicht verschlüsselt',
  outside:
    'Was andere erreichen, zeigt sich nur von außen. Führen Sie dies auf einem anderen Rechner aus, am besten außerhalb Ihres Netzes:',
};
