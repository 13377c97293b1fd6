import type { Catalogue } from '../en/index.ts';

export const streams: Catalogue['streams'] = {
  title: 'Andere offene Streams',
  open: 'Gerade offen',
  watching: (what) => `sieht ${what}`,
  onHome: (what) => `sieht ${what} auf der Startseite`,
  replaying: (what) => `spielt eine Aufnahme ab${what === undefined ? '' : `: ${what}`}`,
  updates: 'erhält Neues vom Rekorder',
  loading: (path) => `lädt ${path}`,
  livePictures: 'Livebilder',
  allCameras: 'alle Kameras',
  since: (clock) => `seit ${clock}`,
  share: 'Eine Freigabe',
  display: 'Ein Bildschirm',
  noUser: 'Unbekannter Benutzer',
  source: {
    'api-token': 'API-Token',
    display: 'gekoppelter Bildschirm',
    bearer: 'ein Programm mit Sitzungstoken',
    internal: 'interner Zugang',
    proxy: 'vom Proxy angemeldet',
    session: 'eine Sitzung, die hier nicht steht',
  },
  notRead: 'Was offen ist, lässt sich gerade nicht lesen.',
};
