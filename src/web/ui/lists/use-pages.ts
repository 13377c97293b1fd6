import { useEffect, useRef, useState } from 'preact/hooks';
import { bodyOf } from '../../api-client.ts';

/** A list with the pages read so far. */
export interface Pages<Item, Next> {
  /** `failed`: what is shown stays. */
  readonly kind: 'loading' | 'partial' | 'complete' | 'failed';
  readonly items: readonly Item[];
  /** Where the next page begins. Null when there is none, or the first is not read yet. */
  readonly next: Next | null;
  /** The number of entries on all pages. Absent when unknown. */
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
 * @param read reads the page that begins at a place; null is the first page
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
  // A change that is under way keeps the functions of an earlier rendering, which must use the current search too.
  const current = useRef({ read, list });
  current.current = { read, list };

  /**
   * @param shown meanwhile, and when the page cannot be read
   * @returns the resulting list, or `undefined` if the search has changed since
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
    /**
     * Reloads, but keeps the shown list until new data arrive.
     * @returns the list, or `undefined` if the search has changed since
     */
    refresh: () => load(empty, current.current.list, current.current.list.items.length),
  };
}

const usual = 50;
const most = 500;

interface ListAnswer<Item> {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Headers;
  json(): Promise<readonly Item[]>;
}

/**
 * A list of the API, page by page.
 * @param ask takes the query and options of the call
 * @param filters from the address; an empty text is no filter. The API reports invalid ones
 * @param placeOf where the next page begins: after this entry
 * @param isWhole reads all pages at once, to sort them
 */
export function useList<Item>(
  ask: (query: Record<string, string>, options: { init: RequestInit }) => Promise<ListAnswer<Item>>,
  filters: Readonly<Record<string, string>>,
  placeOf: (last: Item) => string,
  isWhole = false,
) {
  return usePages<Item, string>(
    async (after, { signal, wanted }) => {
      const size = isWhole ? most - 1 : Math.min(Math.max(wanted, usual), most - 1);
      const read = async (from: string | null) => {
        const given = Object.entries({ ...filters, after: from ?? '' }).filter(([, value]) => value !== '');
        // One more than shown: it reveals whether there is a next page.
        const call = ask({ limit: String(size + 1), ...Object.fromEntries(given) }, { init: { signal } });
        const found = await bodyOf(call);
        const items = found.slice(0, size);
        const last = items.at(-1);
        const next = found.length > size && last !== undefined ? placeOf(last) : null;
        const total = (await call).headers.get('x-total-count');
        return { items, next, total: total === null ? undefined : Number(total) };
      };
      const first = await read(after);
      if (!isWhole) return first;
      const items = [...first.items];
      for (let { next } = first; next !== null;) {
        const page = await read(next);
        items.push(...page.items);
        ({ next } = page);
      }
      return { items, next: null, total: first.total };
    },
    [...Object.values(filters), isWhole],
    true,
  );
}
