import type { Catalogue } from '../en/index.ts';

export const progress: Catalogue['progress'] = {
  loading: (what) => `${what} …`,
  notLoaded: (what) => `Nicht geladen: ${what}`,
  noAnswer: 'Postern antwortet nicht.',
  badStatus: (status) => `Postern hat mit dem Status ${status} geantwortet.`,
  sentAway: 'Der Proxy davor schickt Sie immer wieder weg.',
  pageBroken: 'Auf dieser Seite ist etwas schiefgegangen.',
};
