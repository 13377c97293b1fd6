import { useEffect, useRef, useState } from 'preact/hooks';

/** A list with the pages read so far. */
export interface Pages<Item, Next> {
  /** `failed`: what is shown stays. */
  readonly kind: 'loading' | 'partial' | 'complete' | 'failed';
  readonly items: readonly Item[];
  /** Where the next page begins; null: none, or the first is not read yet. */
  readonly next: Next | null;
  /** The number of entries on all pages; undefined: unknown. */
  readonly total?: number | undefined;
  readonly error?: unknown;
  /** A page other than the first failed. */
  readonly failedBelow?: boolean;
}

export interface Page<Item, Next> {
  readonly items: readonly Item[];
  readonly next: Next | null;
  readonly total?: number | undefined;
}

export interface PageOptions {
  /** Aborts when the page is no longer needed. */
  readonly signal: AbortSignal;
  /** How many were shown before, and should be shown again. */
  readonly wanted: number;
}

/** @returns how many entries to ask for: at least what was shown before, at most what the API gives */
export function pageLimit(wanted: number): string {
  return String(Math.min(Math.max(wanted, 50), 500));
}

/**
 * Reads a list page by page.
 * @param read reads the page that begins at a place, null: the first
 * @param search when it changes, the list starts over
 * @param keeps shows the last results until new ones arrive
 */
export function usePages<Item, Next>(
  read: (next: Next | null, options: PageOptions) => Promise<Page<Item, Next>>,
  search: readonly unknown[],
  keeps = false,
) {
  const empty: Pages<Item, Next> = { kind: 'loading', items: [], next: null };
  const [list, setList] = useState(empty);
  const round = useRef<AbortController | undefined>(undefined);
  // A change that is under way keeps the functions of an earlier rendering; they too read by what is searched now.
  const current = useRef({ read, list });
  current.current = { read, list };

  /**
   * @param shown meanwhile, and when the page cannot be read
   * @returns the resulting list; undefined when the search has changed since
   */
  const load = async (before: Page<Item, Next>, shown: Pages<Item, Next>, wanted: number) => {
    round.current?.abort();
    const mine = new AbortController();
    round.current = mine;
    setList(shown);
    const settled = await current.current.read(before.next, { signal: mine.signal, wanted }).then(
      ({ items, next, total }): Pages<Item, Next> => ({
        kind: next === null ? 'complete' : 'partial',
        items: [...before.items, ...items],
        next,
        total,
      }),
      (error: unknown): Pages<Item, Next> => ({
        ...shown,
        kind: 'failed',
        error,
        failedBelow: before.next !== null,
      }),
    );
    if (round.current !== mine) return undefined;
    setList(settled);
    return settled.items;
  };
  const reload = () => void load(empty, empty, 0);
  useEffect(() => {
    if (keeps && list.items.length > 0) void load(empty, { ...list, kind: 'loading' }, 0);
    else reload();
  }, search);
  useEffect(() => () => round.current?.abort(), []);
  return {
    list,
    loadMore: () => void load(list, { ...list, kind: 'loading' }, 0),
    /** Starts from the first page. */
    reload,
    /** The same, but keeps what is shown until new data arrive. @returns the list, or undefined */
    refresh: () => load(empty, current.current.list, current.current.list.items.length),
  };
}
