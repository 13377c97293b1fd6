import { bodyOf } from '../../api-client.ts';
import { usePages } from './use-pages.ts';

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
