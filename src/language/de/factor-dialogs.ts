import type { Catalogue } from '../en/index.ts';

export const factorDialogs: Catalogue['factorDialogs'] = {
  goOn: 'Weiter',
  passkeyMeans:
    'Ihr Gerät oder Ihr Passwortmanager bewahrt ihn auf, und Fingerabdruck, Gesicht oder PIN benutzt ihn: Ein Druck meldet Sie an, ohne das Passwort.',
  passkeyName: 'Name',
  passkeyNameHint: 'Daran erkennen Sie ihn wieder, zum Beispiel „Telefon“.',
  removeQuestion: (name) => `${name} entfernen?`,
  removePasskey: 'Passkey entfernen',
  removePasskeyMeans:
    'Er gilt hier nicht mehr. Ihr Gerät bietet ihn vielleicht noch an: Löschen Sie ihn auch dort.',
  last: 'Es ist Ihr einziger zweiter Faktor: Danach genügt Ihr Passwort allein, und Ihre Wiederherstellungscodes sind weg.',
  lastRequired:
    'Es ist Ihr einziger zweiter Faktor, und Ihre Rolle braucht einen: Sie müssen dann einen anderen einrichten, um fortzufahren.',
  qrCode: 'QR-Code für Ihre Authenticator-App',
  scan: 'Scannen Sie das mit Ihrer Authenticator-App, und geben Sie dann den Code ein, den sie zeigt.',
  orType: 'Die App kann nicht scannen? Geben Sie ihr dieses Geheimnis:',
  wrongCode: 'Der Code ist falsch, oder die Uhr Ihres Telefons geht falsch.',
  secret: 'Geheimnis',
  removeCodeQuestion: 'Einmalcodes entfernen?',
  removeCode: 'Einmalcodes entfernen',
  removeCodeMeans: 'Die Codes Ihrer App werden nicht mehr verlangt. Löschen Sie den Eintrag auch dort.',
  renewQuestion: 'Neue Wiederherstellungscodes erzeugen?',
  renew: 'Neue Wiederherstellungscodes erzeugen',
  renewMeans: (left) =>
    left === 0 ? 'Sie bekommen zehn.' : 'Sie bekommen zehn. Die, die Sie haben, gelten dann nicht mehr.',
  codesMean:
    'Jeder gilt einmal, anstelle eines Passkeys oder eines Codes. Bewahren Sie sie dort auf, wo Sie sie ohne Ihr Telefon finden.',
  shownOnce: 'Sie werden nicht noch einmal angezeigt.',
  codesOf: (user, site, date) => `Wiederherstellungscodes von ${user} für ${site}, ${date}`,
  notCopied: 'Sie konnten nicht kopiert werden: Markieren und kopieren Sie sie selbst.',
  download: 'Herunterladen',
  print: 'Drucken',
  keepFirst: 'Sie werden nicht noch einmal angezeigt: Bewahren Sie sie zuerst auf.',
  kept: 'Ich habe sie aufbewahrt',
};
