import type { Catalogue } from '../en/index.ts';

export const login: Catalogue['login'] = {
  title: 'Anmelden',
  logIn: 'Anmelden',
  user: 'Benutzername',
  password: 'Passwort',
  wrong: 'Benutzername und Passwort passen nicht zusammen.',
  retryIn: (wait) => `Noch einmal in ${wait}`,
  what: 'die Wege zur Anmeldung',
  byProvider: (label) => `Weiter mit ${label}`,
  byPasskey: 'Mit einem Passkey anmelden',
  or: 'oder',
  orByPassword: 'oder mit einem Passwort',
  secondStep: 'Noch ein Schritt',
  tooLate: 'Das hat zu lange gedauert. Melden Sie sich noch einmal an.',
  loggedOut: 'Sie sind abgemeldet.',
  ended: 'Ihre Sitzung ist zu Ende. Melden Sie sich an, um weiterzumachen, wo Sie waren.',
  proxy: 'Der Proxy vor dieser Seite meldet Sie an.',
  goOn: 'Weiter',
  contact: 'Kein Konto? Fragen Sie:',
  generated: [
    'Das erzeugte Passwort von',
    'steht im Protokoll von Postern. Dieser Hinweis verschwindet nach der ersten Anmeldung.',
  ],
};
