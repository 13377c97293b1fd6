import type { Catalogue } from '../en/index.ts';

export const roles: Catalogue['roles'] = {
  what: 'Rollen',
  title: 'Rollen',
  add: 'Rolle hinzufügen',
  searchHint: 'Name oder Kamera',
  asking: 'Der Rekorder wird gefragt.',
  agrees: 'Der Rekorder stimmt allen Rollen zu.',
  closedTo: (names) => `Listen sind geschlossen für: ${names}.`,
  notWritten: 'Rollen werden im Moment nicht in den Rekorder geschrieben.',
  adminMeans: 'Alles, auch Benutzer und Konfiguration',
  viewerMeans: 'Sieht alle Kameras',
  builtIn: 'eingebaut',
  noCameras: 'Keine Kameras',
  none: 'Noch keine eigenen Rollen. Eine eigene Rolle sieht nur einige Kameras.',
  cameras: 'Kameras',
  editOf: (role) => `Kameras von ${role} ändern`,
  delete: 'Löschen',
  deleteOf: (role) => `${role} löschen`,
  camerasOf: (role) => `Kameras von ${role}`,
  save: 'Speichern',
  name: 'Name',
  nameForm: '1 bis 64 Buchstaben, Ziffern, Punkte und Unterstriche',
  nameHint: 'Buchstaben, Ziffern, Punkte und Unterstriche.',
  isBuiltIn: 'admin und viewer sind eingebaut: Wählen Sie einen anderen Namen.',
  taken: 'Es gibt schon eine Rolle dieses Namens.',
  mayBeSeen: 'Kameras, die die Rolle sehen darf',
  thereAreNone: 'Es gibt keine Kameras.',
  deleteQuestion: (role) => `${role} löschen?`,
  deleteRole: 'Rolle löschen',
  nobodyHasIt: 'Kein Benutzer hat diese Rolle.',
  becomeViewer: (users) =>
    `${users}: Aus der Rolle wird viewer, und damit sind alle Kameras zu sehen. Das lässt sich nicht rückgängig machen.`,
  recorderLosesIt: 'Auch der Rekorder verliert die Rolle.',
  added: (role) => `Die Rolle ${role} wurde hinzugefügt.`,
  changed: (role) => `Die Rolle ${role} wurde geändert.`,
  changedBack: (role) => `Die Rolle ${role} hat wieder ihre früheren Kameras.`,
  deleted: (role) => `Die Rolle ${role} wurde gelöscht.`,
  deletedWith: (role, users) => `Die Rolle ${role} wurde gelöscht. ${users}: jetzt viewer.`,
  definedAgain: (role) => `Die Rolle ${role} ist wieder da.`,
  tookOver: (role) => `Die Rolle ${role} wurde übernommen.`,
  onlyAtRecorder: 'Nur im Rekorder',
  onlyAtRecorderHint: 'In Postern kann niemand diese Rollen haben. Sie bleiben, wie sie sind.',
  allCameras: 'Alle Kameras',
  takeOver: 'Übernehmen',
  takeOverOf: (role) => `${role} übernehmen`,
  recorderAgrees: 'Der Rekorder stimmt zu',
  knowsNo: (cameras) => `Er kennt nicht: ${cameras}.`,
  listsClosed: 'Listen geschlossen',
  itSays: (words) => `Er sagt: ${words}`,
  tryAgainOf: (role) => `Noch einmal versuchen: ${role}`,
  unread: {
    no_answer: 'Der Rekorder antwortet nicht (upstream).',
    error_status:
      'Der Rekorder antwortet nicht darauf: Schalten Sie seine eigene Anmeldung aus, oder setzen Sie recorder.auth_secret auf das, was er erwartet.',
    no_configuration:
      'Was bei upstream antwortet, gibt keine Konfiguration eines Rekorders mit Kameras. Ist er im abgesicherten Modus?',
    too_large: 'Seine Konfiguration ist zu lang.',
  },
  unverified: {
    upstream_unset:
      'Hinter einem fremden Proxy: Setzen Sie upstream in config.yml auf das, wohin er Anfragen weitergibt.',
    not_asked: 'Der Rekorder wird nach dieser Rolle gefragt.',
    no_answer: 'Der Rekorder antwortet nicht (upstream).',
    error_status:
      'Der Rekorder antwortet nicht darauf: Schalten Sie seine eigene Anmeldung aus, oder setzen Sie recorder.auth_secret auf das, was er erwartet.',
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
  whatItSees: (role) => `Was sieht ${role}?`,
  chosen: (cameras) => `Ausgewählt und noch nicht gespeichert: ${cameras}`,
};
