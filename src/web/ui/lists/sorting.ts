/** How a list is sorted: the name of a column, with `-` before it from last to first; an empty text is the list's own order. */
export type Sort = string;

export type SortValue = string | number | null;

/** @returns the sort after a press on a column's heading: from first to last, then from last to first */
export function nextSort(sort: Sort, column: string): Sort {
  return sort === column ? `-${column}` : column;
}

export function ariaSort(sort: Sort, column: string): 'ascending' | 'descending' | 'none' {
  if (sort === column) return 'ascending';
  return sort === `-${column}` ? 'descending' : 'none';
}

/** @returns the entries in that order; equal ones keep theirs, and those without a value come last either way */
export function sorted<Entry>(
  entries: readonly Entry[],
  sort: Sort,
  valueOf: (entry: Entry) => SortValue,
): readonly Entry[] {
  const collator = new Intl.Collator(undefined, { numeric: true });
  const direction = sort.startsWith('-') ? -1 : 1;
  const valued = entries.map((entry) => ({ entry, value: valueOf(entry) }));
  valued.sort(({ value: a }, { value: b }) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const order =
      typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
    return order * direction;
  });
  return valued.map(({ entry }) => entry);
}
