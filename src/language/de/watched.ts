import type { watched as texts } from '../en/watched.ts';

export const watched: typeof texts = {
  title: 'Zusehen',
  what: 'wer was gesehen hat',
  caption: 'Wer was gesehen hat',
  toAudit: 'Alle Einträge des Audits',
  watched: (user, camera) => `${user} hat ${camera} gesehen`,
  several: (count) => `${count} Kameras`,
  live: 'Live',
  recording: (from, to) => `Aufnahme von ${from} bis ${to}`,
  recorded: 'Aufnahme',
  recordings: 'Aufnahmen',
  both: 'Live und Aufnahmen',
  details: 'Jede Kamera',
  stretch: (from, to) => `${from} bis ${to}`,
  none: 'Noch hat niemand zugesehen',
  off: 'Das Zusehen wird nicht festgehalten',
  offHint: 'Setzen Sie audit.viewing in config.yml auf true. Sagen Sie es denen, die Ihre Kameras benutzen.',
  ways: {
    internal: 'interner Zugang',
    proxy: 'Proxy',
    session: 'angemeldet',
    bearer: 'Sitzungstoken',
    'api-token': 'API-Token',
    display: 'Anzeige',
    share: 'Freigabe',
  },
};
