export const lists = {
  search: 'Search',
  clear: 'Clear the search',
  /** @param count as it is written in this language */
  inAll: (count: string, more: boolean) => (more ? `More than ${count}` : `${count} in all`),
  found: (count: string, more: boolean) => (more ? `More than ${count} found` : `${count} found`),
  nothingFound: 'Nothing matches',
  showAll: 'Show all',
  loadMore: 'Load more',
  actions: 'Actions',
  actionsOf: (name: string) => `Actions for ${name}`,
  select: (name: string) => `Select ${name}`,
  selectAll: 'Select all',
  selectNone: 'Clear',
  selected: (count: number) => `${count} selected`,
  others: (count: number) => `${count} more`,
  someFailed: (done: number, failed: number) =>
    `${done === 0 ? 'Nothing changed' : `${done} done`}, ${failed} didn’t work.`,
  users: (count: number, formatted: string) => (count === 1 ? '1 user' : `${formatted} users`),
  cameras: (count: number, formatted: string) => (count === 1 ? '1 camera' : `${formatted} cameras`),
};
