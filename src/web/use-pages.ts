import { useEffect, useRef, useState } from 'preact/hooks';

/** A list of which so many pages were read. */
interface Pages<Item, Next> {
  /** `failed`: what is there stays. */
  readonly kind: 'loading' | 'partial' | 'complete' | 'failed';
  readonly items: readonly Item[];
  /** Where the next page begins; null: nowhere, or the first was not read yet. */
  readonly next: Next | null;
  readonly error?: unknown;
}

export interface Page<Item, Next> {
  readonly items: readonly Item[];
  readonly next: Next | null;
}

/**
 * Reads a list page by page.
 * @param read reads the page that begins at a place, null: the first
 * @param search what is looked for: when it changes, the list begins anew
 */
export function usePages<Item, Next>(
  read: (next: Next | null) => Promise<Page<Item, Next>>,
  search: readonly unknown[],
) {
  const empty: Pages<Item, Next> = { kind: 'loading', items: [], next: null };
  const [list, setList] = useState(empty);
  const round = useRef(0);

  /** @param shown meanwhile, and when the page cannot be read */
  const load = (before: Page<Item, Next>, shown: Pages<Item, Next>) => {
    round.current += 1;
    const mine = round.current;
    setList(shown);
    void (async () => {
      const settled = await read(before.next).then(
        ({ items, next }): Pages<Item, Next> => ({
          kind: next === null ? 'complete' : 'partial',
          items: [...before.items, ...items],
          next,
        }),
        (error: unknown): Pages<Item, Next> => ({ ...shown, kind: 'failed', error }),
      );
      if (round.current === mine) setList(settled);
    })();
  };
  const reload = () => load(empty, empty);
  useEffect(reload, search);
  return {
    list,
    loadMore: () => load(list, { ...list, kind: 'loading' }),
    /** From the first page on. */
    reload,
    /** The same; what is shown stays until there is something else to show. */
    refresh: () => load(empty, list),
  };
}
