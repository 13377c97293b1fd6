import type { Catalogue } from '../en/index.ts';

export const account: Catalogue['account'] = {
  title: 'Konto',
  userName: 'Benutzername',
  role: 'Rolle',
  cameras: 'Kameras',
  noCameras: 'keine',
  what: 'Ihr Konto',
  displays: 'Ihre Bildschirme',
  alerts: 'Ihre Hinweise',
  password: 'Passwort',
  signIn: 'Anmeldung',
  byProvider: (label) =>
    `Sie melden sich mit ${label ?? 'einem Anbieter'} an. Passwort und zweiten Faktor ändern Sie dort.`,
  notRefreshed: (label, ends) =>
    `${label} war nicht zu fragen, ob diese Sitzung weitergeht: Sie endet am ${ends}, und Sie melden sich neu an.`,
  internal: 'Sie kommen über den internen Zugang, an dem sich niemand anmeldet. Hier gibt es kein Passwort.',
  byProxy: 'Der Proxy vor dieser Seite meldet Sie an. Ändern Sie Ihr Passwort dort.',
  internalSessions: 'Am internen Zugang meldet sich niemand an: Sie haben hier keine Sitzungen.',
  sessionsByProxy: 'Der Proxy vor dieser Seite führt Ihre Sitzungen: Dort beenden Sie sie.',
  oldPassword: 'Altes Passwort',
  changed: 'Ihr Passwort ist geändert. Ihre Sitzungen auf anderen Geräten sind beendet.',
  changePassword: 'Passwort ändern',
  sharesLink: 'Was Sie durch Links teilen',
};
