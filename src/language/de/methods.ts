import type { Catalogue } from '../en/index.ts';

export const methods: Catalogue['methods'] = {
  title: 'Anmeldung',
  factors: 'Zweiter Faktor',
  needed: 'Ihre Rolle braucht einen zweiten Faktor. Richten Sie einen ein, dann geht es weiter.',
  neededHint: 'Einen Passkey oder einen Einmalcode. Alles andere öffnet sich danach.',
  passkey: 'Passkey',
  addPasskey: 'Passkey hinzufügen',
  passkeyAdded: 'Passkey hinzugefügt.',
  madeOn: 'Hinzugefügt am',
  lastUsed: 'zuletzt benutzt',
  neverUsed: 'nie benutzt',
  remove: 'Entfernen',
  removeOf: (name) => `${name} entfernen`,
  removed: (name) => `Passkey ${name} entfernt.`,
  code: 'Einmalcode',
  codeHint: 'Eine App auf Ihrem Telefon zeigt alle 30 Sekunden einen anderen Code.',
  setUp: 'Einrichten',
  setUpOn: 'Eingerichtet am',
  setUpCode: 'Einmalcodes einrichten',
  codeAdded: 'Einmalcodes eingerichtet.',
  codeRemoved: 'Einmalcodes entfernt.',
  recoveryCodes: 'Wiederherstellungscodes',
  left: (count) =>
    count === 0
      ? 'Keine mehr. Erzeugen Sie neue.'
      : `Noch ${count}. Jeder gilt einmal, wenn Sie nichts anderes dabeihaben.`,
  renewed: 'Sie haben zehn neue Wiederherstellungscodes.',
  makeNew: 'Neue Codes erzeugen',
  othersEnded: 'Überall sonst sind Sie abgemeldet.',
};
