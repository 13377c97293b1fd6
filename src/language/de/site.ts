import type { Catalogue } from '../en/index.ts';

export const site: Catalogue['site'] = {
  skip: 'Zum Inhalt',
  navigation: 'Hauptmenü',
  home: 'Start',
  explore: 'Ereignisse',
  recorder: 'Rekorder',
  settings: 'Einstellungen',
  accountMenuOf: 'Kontomenü von',
  role: (role) => `Rolle: ${role}`,
  guest: 'Gast',
  account: 'Konto',
  testAccess: 'Zugriff testen',
  shares: 'Freigaben',
  logout: 'Abmelden',
  internal: 'Interner Zugang: Alle, die ihn erreichen, sind Admin.',
  notOpened: 'Postern konnte nicht geöffnet werden',
  noSuchPage: 'Seite nicht gefunden',
  thereIsNoSuchPage: 'Diese Seite gibt es nicht',
  profile: 'Ihr Profil',
  page: 'Seite',
  description: 'Ihre Kameras: Livebilder, Ereignisse und wer sie sehen darf.',
  noScriptTitle: 'JavaScript ist ausgeschaltet',
  noScript:
    'Diese Seite braucht JavaScript. Schalten Sie es im Browser ein und laden Sie die Seite noch einmal.',
};
