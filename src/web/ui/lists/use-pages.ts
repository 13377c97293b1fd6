import { useEffect, useRef, useState } from 'preact/hooks';

/** A list of which so many pages were read. */
export interface Pages<Item, Next> {
  /** `failed`: what is there stays. */
  readonly kind: 'loading' | 'partial' | 'complete' | 'failed';
  readonly items: readonly Item[];
  /** Where the next page begins; null: nowhere, or the first was not read yet. */
  readonly next: Next | null;
  /** How many there are on all pages; undefined: nobody has counted. */
  readonly total?: number | undefined;
  readonly error?: unknown;
  /** What failed was a further page. */
  readonly failedBelow?: boolean;
}

export interface Page<Item, Next> {
  readonly items: readonly Item[];
  readonly next: Next | null;
  readonly total?: number | undefined;
}

export interface PageOptions {
  /** Nobody waits for the page any more. */
  readonly signal: AbortSignal;
  /** How many were shown before, and are wanted again. */
  readonly wanted: number;
}

/**
 * Reads a list page by page.
 * @param read reads the page that begins at a place, null: the first
 * @param search what is looked for: when it changes, the list begins anew
 * @param keeps what was found last is shown until there is something else
 */
export function usePages<Item, Next>(
  read: (next: Next | null, options: PageOptions) => Promise<Page<Item, Next>>,
  search: readonly unknown[],
  keeps = false,
) {
  const empty: Pages<Item, Next> = { kind: 'loading', items: [], next: null };
  const [list, setList] = useState(empty);
  const round = useRef<AbortController | undefined>(undefined);

  /**
   * @param shown meanwhile, and when the page cannot be read
   * @returns what the list has then; undefined when something else is looked for by now
   */
  const load = async (before: Page<Item, Next>, shown: Pages<Item, Next>, wanted: number) => {
    round.current?.abort();
    const mine = new AbortController();
    round.current = mine;
    setList(shown);
    const settled = await read(before.next, { signal: mine.signal, wanted }).then(
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
    /** From the first page on. */
    reload,
    /** The same; what is shown stays until there is something else to show. @returns that, or undefined */
    refresh: () => load(empty, list, list.items.length),
  };
}
