import type { Catalogue } from '../en/index.ts';

export const lists: Catalogue['lists'] = {
  search: 'Suche',
  clear: 'Suche leeren',
  inAll: (count, more) => (more ? `Mehr als ${count}` : `${count} insgesamt`),
  found: (count, more) => (more ? `Mehr als ${count} gefunden` : `${count} gefunden`),
  nothingFound: 'Nichts gefunden',
  showAll: 'Alle anzeigen',
  loadMore: 'Mehr laden',
  refresh: 'Aktualisieren',
  users: (_, formatted) => `${formatted} Benutzer`,
};
