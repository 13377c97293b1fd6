import { bodyOf } from './api-client.ts';
import type { Page, PageOptions } from './use-pages.ts';

const usual = 50;
const most = 500;

/** How many entries a page of a list has. */
export function pageSize({ wanted }: PageOptions): number {
  // One more is asked for: it says whether there is a next page.
  return Math.min(Math.max(wanted, usual), most - 1);
}

interface ListAnswer<Item> {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Headers;
  json(): Promise<readonly Item[]>;
}

/**
 * Reads an answer that has one entry more than a page, if there is one.
 * @param placeOf where the next page begins: behind this entry
 */
export async function readPage<Item>(
  call: Promise<ListAnswer<Item>>,
  size: number,
  placeOf: (last: Item) => string,
): Promise<Page<Item, string>> {
  const found = await bodyOf(call);
  const items = found.slice(0, size);
  const last = items.at(-1);
  const next = found.length > size && last !== undefined ? placeOf(last) : null;
  const total = (await call).headers.get('x-total-count');
  return { items, next, total: total === null ? undefined : Number(total) };
}
