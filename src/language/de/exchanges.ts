import type { Catalogue } from '../en/index.ts';

export const exchanges: Catalogue['exchanges'] = {
  title: 'Andere offene Streams',
  titleHint:
    'Streams von Programmen, von Leuten, die ein Proxy anmeldet, von Freigaben und vom internen Zugang. Die einer Sitzung stehen bei der Sitzung.',
  open: 'Gerade offen',
  watching: (what) => `sieht ${what}`,
  replaying: (what) => `spielt eine Aufnahme ab${what === undefined ? '' : `: ${what}`}`,
  updates: 'erhält Neues vom Rekorder',
  loading: (path) => `lädt ${path}`,
  livePictures: 'Livebilder',
  allCameras: 'alle Kameras',
  since: (clock) => `seit ${clock}`,
  share: 'Eine Freigabe',
  nobody: 'Unbekannter Benutzer',
  source: {
    'api-token': 'API-Token',
    bearer: 'Sitzungstoken eines Programms',
    internal: 'interner Zugang',
    proxy: 'vom Proxy angemeldet',
    session: 'Sitzung, die nicht in dieser Liste steht',
  },
  cut: 'Trennen',
  cutOf: (what, user) => `Trennen: ${user}, ${what}`,
  cutQuestion: 'Diesen Stream trennen?',
  cutIt: 'Stream trennen',
  cutMeans: (user) =>
    `Er endet sofort. Ein Player, der sich von selbst neu verbindet, tut das, solange ${user} zusehen darf: Um das zu verhindern, beenden Sie die Sitzung, sperren Sie den Benutzer, oder ändern Sie die Rolle.`,
  cutMeansOfShare:
    'Er endet sofort. Ein Player, der sich von selbst neu verbindet, tut das, solange die Freigabe gilt: Um das zu verhindern, beenden Sie die Freigabe.',
  wasCut: (what) => `Der Stream wurde getrennt: ${what}.`,
  notRead: 'Was offen ist, konnte nicht gelesen werden.',
};
