import type { Catalogue } from '../en/index.ts';

const unheard = {
  no_answer: 'Der Rekorder antwortet nicht (upstream).',
  speaks_tls:
    'Der Port bei upstream spricht TLS: Setzen Sie tls.enabled: false in der eigenen Konfiguration des Rekorders, oder beginnen Sie upstream mit https://.',
  speaks_no_tls: 'Der Port bei upstream spricht kein TLS: Beginnen Sie upstream mit http://.',
  certificate_unknown:
    'Der Rekorder zeigt ein Zertifikat, dem dieser Rechner nicht vertraut: Nennen Sie die Datei als recorder.certificate.',
  asks_for_login:
    'Der Rekorder hat seine eigene Anmeldung eingeschaltet: Setzen Sie auth.enabled: false in seiner eigenen Konfiguration. Steht dort proxy.auth_secret, muss recorder.auth_secret dasselbe sein.',
  error_status: 'Der Rekorder antwortet mit einem Fehler.',
};

export const roles: Catalogue['roles'] = {
  add: 'Rolle hinzufügen',
  asking: 'Der Rekorder wird gefragt.',
  notWritten: 'Rollen werden im Moment nicht in den Rekorder geschrieben.',
  adminMeans: 'Alles, auch Benutzer und Konfiguration',
  viewerMeans: 'Alle Kameras',
  declared: 'in config.yml festgelegt',
  declaredHint: 'config.yml legt diese Rolle fest. Ändern Sie sie dort.',
  hidesStored: 'Sie ersetzt eine gespeicherte Rolle mit demselben Namen.',
  noCameras: 'Keine Kameras',
  editOf: (role) => `${role} ändern`,
  save: 'Speichern',
  cameras: 'Kameras',
  groups: 'Kameragruppen',
  thereAreNone: 'Es gibt keine Kameras.',
  added: (role) => `Die Rolle ${role} wurde hinzugefügt.`,
  changed: (role) => `Die Rolle ${role} wurde geändert.`,
  changedBack: (role) => `Die Rolle ${role} ist wieder wie vorher.`,
  deleted: (role) => `Die Rolle ${role} wurde gelöscht.`,
  deletedWith: (role, users) => `Die Rolle ${role} wurde gelöscht. ${users}: jetzt viewer.`,
  definedAgain: (role) => `Die Rolle ${role} ist wieder da.`,
  tookOver: (role) => `Die Rolle ${role} wurde übernommen.`,
  onlyAtRecorder: 'Nur im Rekorder',
  onlyAtRecorderHint: 'In Postern kann niemand diese Rollen haben. Sie bleiben unverändert.',
  allCameras: 'Alle Kameras',
  takeOver: 'Übernehmen',
  takeOverOf: (role) => `${role} übernehmen`,
  recorderAgrees: 'Abgeglichen',
  knowsNo: (cameras) => `Der Rekorder hat nicht: ${cameras}.`,
  listsClosed: 'Listen gesperrt',
  itSays: (words) => `Er sagt: ${words}`,
  tryAgainOf: (role) => `Noch einmal versuchen: ${role}`,
  unread: {
    ...unheard,
    no_configuration:
      'Was bei upstream antwortet, gibt keine Konfiguration eines Rekorders mit Kameras. Ist er im abgesicherten Modus?',
    too_large: 'Seine Konfiguration ist zu lang.',
  },
  unverified: {
    upstream_unset:
      'Hinter einem fremden Proxy: Setzen Sie upstream in config.yml auf das, wohin er Anfragen weitergibt.',
    not_asked: 'Der Rekorder wird nach dieser Rolle gefragt.',
    ...unheard,
    no_profile: 'Was bei upstream antwortet, ist kein Rekorder, der Rollen kennt.',
    everybody_is_admin:
      'Für den Rekorder ist an diesem Port jeder Admin: Nennen Sie in upstream seinen Port mit Anmeldung.',
    more_cameras:
      'Der Rekorder hat für diese Rolle andere Kameras, oder er kennt sie nicht: Legen Sie sie dort mit denselben Kameras an.',
    change_refused:
      'Der Rekorder hat die Änderung abgelehnt. Seine Konfiguration muss schreibbar sein, und Postern braucht dort Admin-Rechte.',
    role_name_refused:
      'Rekorder nehmen diesen Namen nicht: nur Buchstaben, Ziffern und Unterstriche, mindestens ein Buchstabe.',
    role_without_cameras:
      'Keine Kameras hieße für den Rekorder: alle. Die Rolle wird dort nicht geschrieben.',
    expired: 'Die letzte Antwort des Rekorders ist zu alt.',
  },
  may: {
    legend: 'Was die Rolle darf',
    yes: 'ja',
    no: 'nein',
  },
  whatItSees: (role) => `Was sieht ${role}?`,
};
