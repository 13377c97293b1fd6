import type { notifications as texts } from '../en/notifications.ts';

export const notifications: typeof texts = {
  what: 'Ziele der Hinweise',
  hint: 'Postern gibt Bescheid, wenn mit einem Konto etwas geschieht oder etwas ausfällt.',
  none: 'Noch gehen Hinweise nirgendwohin. Tragen Sie in config.yml unter notifications.targets einen Webhook, ein ntfy-Thema oder einen Mailserver ein.',
  caption: 'Ziele',
  kinds: { webhook: 'Webhook', ntfy: 'ntfy', mail: 'E-Mail' },
  kind: 'Art',
  host: 'Host',
  result: 'Letzter Test',
  notTested: 'Nicht getestet',
  sent: 'Gesendet',
  failed: (fault) => `Fehlgeschlagen: ${fault}`,
  lost: (count) =>
    count === 1
      ? 'Ein Hinweis der letzten Woche wurde nach einem Tag aufgegeben.'
      : `${count} Hinweise der letzten Woche wurden nach einem Tag aufgegeben.`,
  test: 'Test senden',
  tested: (count) => (count === 0 ? 'Der Test wurde gesendet.' : 'Der Test hat nicht jedes Ziel erreicht.'),
  own: {
    title: 'Hinweise',
    what: 'Ihre Hinweise',
    email: 'E-Mail-Adresse',
    emailHint:
      'Sie bekommen eine Mail, wenn sich jemand auf einem neuen Gerät anmeldet oder sich Ihr Konto ändert.',
    ofProvider: (email) => `Hinweise zu Ihrem Konto gehen an ${email}, Ihre Adresse beim Anbieter.`,
    save: 'Adresse speichern',
    saved: 'Hinweise zu Ihrem Konto gehen ab jetzt dorthin.',
    cleared: 'Sie bekommen ab jetzt keine Mail.',
  },
  push: {
    title: 'Mitteilungen in diesem Browser',
    on: 'Einschalten',
    off: 'Ausschalten',
    isOn: 'Dieser Browser bekommt eine Mitteilung zu jedem Alarm Ihrer Kameras.',
    isOff: 'Bekommen Sie zu jedem Alarm Ihrer Kameras eine Mitteilung, auch wenn Postern geschlossen ist.',
    denied:
      'Ihr Browser blockiert Mitteilungen dieser Seite. Erlauben Sie sie in seinen Einstellungen und versuchen Sie es noch einmal.',
    failed: 'Ihr Browser konnte seinen Push-Dienst nicht erreichen.',
    unsupported:
      'Dieser Browser kann hier keine Mitteilungen zeigen. Fügen Sie diese Seite auf einem iPhone zuerst dem Home-Bildschirm hinzu; sonst braucht sie https.',
    what: 'Mitteilungen',
  },
  ask: {
    title: (camera) => `Um ${camera} bitten`,
    noCamera: 'Welche Kamera?',
    hint: 'Ein Admin sieht Ihre Bitte und entscheidet. Um eine Kamera können Sie einmal am Tag bitten.',
    ask: 'Um Zugriff bitten',
    askAgain: 'Noch einmal bitten',
    asked: (camera) => `Sie haben um ${camera} gebeten`,
    askedHint: (when) =>
      `Sie haben ${when} gebeten, und ein Admin kann es sehen. Um eine Kamera können Sie einmal am Tag bitten.`,
    notYet: (when) => `Sie haben ${when} gebeten. Bisher hat niemand geantwortet.`,
    yours: (camera) => `Sie können ${camera} sehen`,
    watch: 'Kamera öffnen',
    what: 'Ihre Bitten',
  },
};
