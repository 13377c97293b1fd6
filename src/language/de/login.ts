import type { Catalogue } from '../en/index.ts';

export const login: Catalogue['login'] = {
  title: 'Anmelden',
  logIn: 'Anmelden',
  user: 'Benutzername',
  password: 'Passwort',
  wrong: 'Die Anmeldung ist gescheitert: Der Benutzername oder das Passwort ist falsch.',
  retryIn: (wait) => `Noch einmal in ${wait}`,
  what: 'die Wege zur Anmeldung',
  byProvider: (label) => `Mit ${label} anmelden`,
  byPasskey: 'Mit einem Passkey anmelden',
  or: 'oder',
  secondStep: 'Zweiter Schritt',
  tooLate: 'Das hat zu lange gedauert. Melden Sie sich noch einmal an.',
  loggedOut: 'Sie sind abgemeldet.',
  ended: 'Ihre Sitzung ist zu Ende. Melden Sie sich an, um dort weiterzumachen.',
  proxy: 'Der Proxy vor dieser Seite meldet Personen an.',
  goOn: 'Weiter',
  contact: 'Kein Konto? Fragen Sie:',
  generated: [
    'Das erzeugte Passwort von',
    'steht im Protokoll von Postern. Dieser Hinweis verschwindet, sobald es benutzt wurde.',
  ],
};
