import type { firstRun as english } from '../en/first-run.ts';

const cameras = (count: number) => (count === 1 ? 'einer Kamera' : `${count} Kameras`);

export const firstRun: typeof english = {
  title: 'Einrichtung',
  lead: 'Ein paar Schritte in beliebiger Reihenfolge. Was Sie überspringen, steht auf der Startseite, bis es erledigt ist.',
  steps: 'Schritte',
  done: 'erledigt',
  open: 'offen',
  password: 'Passwort ändern',
  recorder: 'Rekorder verbinden',
  person: 'Person hinzufügen',
  check: 'Prüfen',
  skip: 'Jetzt nicht',
  skipRecorder: 'Vorerst genügt mir das Beispiel',
  next: 'Weiter',
  finish: 'Zur Startseite',
  allDone: 'Alles ist eingerichtet.',
  adminsOnly: 'Die Einrichtung ist für Admins',
  what: 'Schritte der Einrichtung',

  passwordWhy: 'Das Passwort, das Postern erzeugt hat, steht im Log. Wer das Log liest, kann sich anmelden.',
  passwordDone: 'Kein Konto hat ein erzeugtes Passwort.',
  passwordOf: (user) => `Das Passwort von ${user} ist noch das erzeugte.`,
  toUsers: 'Unter Einstellungen > Benutzer ändern',
  passwordChanged: 'Ihr Passwort ist geändert. Ihre anderen Sitzungen sind beendet.',

  noRecorder: 'Kein Rekorder ist verbunden: Die Ereignisse, die Sie sehen, sind ein Beispiel.',
  noRecorderPlain: 'Kein Rekorder ist verbunden.',
  answers: (count) => `Er antwortet, mit ${cameras(count)}.`,
  asking: 'Er wird gefragt.',
  address: 'Adresse des Rekorders',
  addressHint:
    'Die eigene API des Rekorders, die nur Postern erreichen sollte: eine URL, oder unix:/pfad eines Sockets. Am besten sein Port 8971, mit ausgeschalteter eigener Anmeldung und ausgeschaltetem TLS.',
  ask: 'Fragen',
  found: (count, version) => `Ein Rekorder${version === null ? '' : ` ${version}`} mit ${cameras(count)}:`,
  everybody:
    'An diesem Port ist für den Rekorder jeder Admin: Eigene Rollen bekommen dort nur wenige Listen. Besser ist sein Port 8971.',
  connect: 'Verbinden',
  connected: (count) => `Der Rekorder ist verbunden, mit ${cameras(count)}.`,
  another: 'Eine andere Adresse',
  byHand: 'Selbst in config.yml schreiben',
  byHandHint: 'Postern liest eine geänderte Datei binnen zwei Sekunden; ein Neustart ist nicht nötig.',
  readOnly: 'Postern darf config.yml nicht schreiben. Schreiben Sie dies hinein:',
  otherFront:
    'Anfragen kommen über einen anderen Webserver, der den Rekorder auch kennen muss: Die Adresse in seiner eigenen Konfiguration ändert sich hier nicht.',
  database:
    'Von welcher Kamera ein Ereignis ist, steht noch im Beispiel. Nennen Sie auch die Datei des Rekorders; das wartet auf einen Neustart:',
  faults: {
    not_asked: 'Er hat noch nicht geantwortet.',
    no_answer: 'Dort antwortet nichts.',
    speaks_tls:
      'Dieser Port spricht TLS. Setzen Sie tls.enabled: false in der eigenen Konfiguration des Rekorders und starten Sie ihn neu, oder beginnen Sie die Adresse mit https://.',
    speaks_no_tls: 'Dieser Port spricht kein TLS. Beginnen Sie die Adresse mit http://.',
    certificate_unknown:
      'Er zeigt ein Zertifikat, dem dieser Rechner nicht vertraut. Nennen Sie die Datei in config.yml als recorder.certificate, oder setzen Sie tls.enabled: false in der eigenen Konfiguration des Rekorders.',
    asks_for_login:
      'An diesem Port ist die eigene Anmeldung des Rekorders eingeschaltet. Setzen Sie auth.enabled: false in seiner eigenen Konfiguration und starten Sie ihn neu. Steht dort proxy.auth_secret, muss recorder.auth_secret in config.yml dasselbe sein.',
    error_status: 'Er antwortet mit einem Fehler.',
    no_configuration: 'Was dort antwortet, ist kein Rekorder, oder einer ohne Kameras.',
    too_large: 'Was er antwortet, ist zu groß.',
    is_gate: 'Dort antwortet Postern selbst: Geben Sie die Adresse des Rekorders dahinter an.',
  },

  personWhy:
    'Geben Sie jeder Person ein eigenes Konto mit der Rolle, die passt: viewer sieht alle Kameras und ändert nichts.',
  personDone: 'Sie sind nicht mehr allein.',

  checkWhy: 'Was Postern über sich selbst herausfindet:',
  checks: {
    configuration: 'Konfiguration',
    certificate: 'Zertifikat',
    recorder: 'Rekorder',
    roles: 'Rollen am Rekorder',
  },
  results: { ok: 'gut', hint: 'ansehen', fault: 'Fehler', none: 'nichts zu prüfen' },
  until: (date) => `gültig bis ${date}`,
  cameras: (count) => (count === 1 ? 'eine Kamera' : `${count} Kameras`),
  requestTitle: 'Ihre Verbindung',
  youAre: (address) =>
    `Postern sieht Sie unter ${address}. Sind Sie das nicht? Dann verbirgt ein Webserver, wer fragt.`,
  secure: 'verschlüsselt',
  insecure: 'nicht verschlüsselt',
  outside:
    'Was andere erreichen, findet nur jemand von außen heraus. Führen Sie dies auf einem anderen Rechner aus, am besten außerhalb Ihres Netzes:',
};
