import type { Catalogue } from '../en/index.ts';

export const lists: Catalogue['lists'] = {
  search: 'Suche',
  clear: 'Suche leeren',
  inAll: (count, more) => (more ? `Mehr als ${count}` : `${count} insgesamt`),
  found: (count, more) => (more ? `Mehr als ${count} gefunden` : `${count} gefunden`),
  nothingFound: 'Nichts gefunden',
  showAll: 'Alle anzeigen',
  loadMore: 'Mehr laden',
  actions: 'Aktionen',
  actionsOf: (name) => `Aktionen für ${name}`,
  select: (name) => `${name} auswählen`,
  selectAll: 'Alle auswählen',
  selectNone: 'Auswahl aufheben',
  selected: (count) => `${count} ausgewählt`,
  others: (count) => `${count} weitere`,
  someFailed: (done, failed) => `${done === 0 ? 'Nichts geändert' : `${done} erledigt`}, ${failed} nicht.`,
  users: (_, formatted) => `${formatted} Benutzer`,
  cameras: (count, formatted) => (count === 1 ? '1 Kamera' : `${formatted} Kameras`),
};
