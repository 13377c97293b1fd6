import type { Catalogue } from '../en/index.ts';

export const factorDialogs: Catalogue['factorDialogs'] = {
  goOn: 'Weiter',
  passkeyMeans:
    'Ihr Gerät oder Ihr Passwortmanager bewahrt ihn auf. Fingerabdruck, Gesicht oder PIN melden Sie dann an, ohne Passwort.',
  passkeyName: 'Name',
  passkeyNameHint: 'Etwas, woran Sie ihn wiedererkennen, zum Beispiel „Telefon“.',
  removeQuestion: (name) => `${name} entfernen?`,
  removePasskey: 'Passkey entfernen',
  removePasskeyMeans:
    'Er gilt hier nicht mehr. Ihr Gerät bietet ihn vielleicht noch an: Löschen Sie ihn auch dort.',
  last: 'Es ist Ihr einziger zweiter Faktor. Ohne ihn genügt Ihr Passwort allein, und Ihre Wiederherstellungscodes sind weg.',
  lastRequired:
    'Es ist Ihr einziger zweiter Faktor, und Ihre Rolle braucht einen. Sie müssen dann einen anderen einrichten, bevor es weitergeht.',
  qrCode: 'QR-Code für Ihre Authenticator-App',
  openApp: 'In der Authenticator-App öffnen',
  scan: 'Scannen Sie das mit Ihrer Authenticator-App und geben Sie den Code ein, den sie zeigt.',
  orType: 'Scannen geht nicht? Geben Sie dieses Geheimnis in der App ein:',
  wrongCode: 'Dieser Code passt nicht. Oder geht die Uhr Ihres Telefons falsch?',
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
  notCopied: 'Das Kopieren hat nicht geklappt. Markieren und kopieren Sie sie selbst.',
  download: 'Herunterladen',
  print: 'Drucken',
  keepFirst: 'Sie werden nicht noch einmal angezeigt. Speichern Sie sie zuerst.',
  kept: 'Ich habe sie gespeichert',
};
