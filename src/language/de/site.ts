import type { Catalogue } from '../en/index.ts';

export const site: Catalogue['site'] = {
  skip: 'Zum Inhalt',
  navigation: 'Hauptmenü',
  explore: 'Ereignisse',
  recorder: 'Rekorder',
  settings: 'Einstellungen',
  accountMenuOf: 'Kontomenü von',
  role: (role) => `Rolle: ${role}`,
  account: 'Konto',
  changePassword: 'Passwort ändern',
  logout: 'Abmelden',
  internal: 'Interner Zugang: Wer ihn erreicht, ist Admin.',
  notOpened: 'Postern konnte nicht geöffnet werden',
  noSuchPage: 'Seite nicht gefunden',
  thereIsNoSuchPage: 'Diese Seite gibt es nicht',
  profile: 'Ihr Profil',
  page: 'Seite',
};
