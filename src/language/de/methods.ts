import type { Catalogue } from '../en/index.ts';

export const methods: Catalogue['methods'] = {
  title: 'Anmeldung',
  factors: 'Zweiter Faktor',
  needed: 'Ihre Rolle braucht einen zweiten Faktor: Richten Sie einen ein, um fortzufahren.',
  neededHint: 'Einen Passkey oder einen Einmalcode. Bis dahin lässt sich nichts anderes öffnen.',
  passkey: 'Passkey',
  addPasskey: 'Passkey hinzufügen',
  passkeyAdded: 'Der Passkey wurde hinzugefügt.',
  madeOn: 'Hinzugefügt am',
  lastUsed: 'zuletzt benutzt',
  neverUsed: 'nie benutzt',
  remove: 'Entfernen',
  removeOf: (name) => `${name} entfernen`,
  removed: (name) => `Der Passkey ${name} wurde entfernt.`,
  code: 'Einmalcode',
  codeHint: 'Eine App auf Ihrem Telefon zeigt alle 30 Sekunden einen anderen Code.',
  setUp: 'Einrichten',
  setUpOn: 'Eingerichtet am',
  setUpCode: 'Einmalcodes einrichten',
  codeAdded: 'Einmalcodes sind eingerichtet.',
  codeRemoved: 'Einmalcodes wurden entfernt.',
  recoveryCodes: 'Wiederherstellungscodes',
  left: (count) =>
    count === 0
      ? 'Keine mehr: Erzeugen Sie neue.'
      : `Noch ${count}. Jeder gilt einmal, wenn nichts anderes zur Hand ist.`,
  renewed: 'Sie haben zehn neue Wiederherstellungscodes.',
  makeNew: 'Neue Codes erzeugen',
  othersEnded: 'Ihre Sitzungen auf anderen Geräten sind beendet.',
};
