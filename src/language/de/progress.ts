import type { Catalogue } from '../en/index.ts';

export const progress: Catalogue['progress'] = {
  loading: (what) => `${what} …`,
  notLoaded: (what) => `Nicht geladen: ${what}`,
  noAnswer: 'Postern antwortet gerade nicht.',
  badStatus: (status) =>
    status >= 502
      ? 'Der Rekorder antwortet gerade nicht. Versuchen Sie es gleich noch einmal.'
      : status >= 500
        ? 'Etwas ist schiefgegangen. Versuchen Sie es gleich noch einmal.'
        : status === 429
          ? 'Das war zu oft. Versuchen Sie es gleich noch einmal.'
          : status === 404
            ? 'Das gibt es nicht mehr.'
            : 'Das geht hier nicht.',
  sentAway: 'Der Proxy davor schickt Sie immer wieder weg.',
  pageBroken: 'Auf dieser Seite ist etwas schiefgegangen.',
};
