import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { numberText } from '../words.ts';
import { fill, text } from '../../text.ts';

// Milliseconds after the last keystroke.
const pause = 250;

/** Rows from which on a list has a search. */
const longFrom = 10;

/**
 * Stays true while the page is open: the fields must not go while someone types in them.
 * @param count rows without a filter; absent while it is not known
 * @param isFiltered something is searched, and can be cleared
 * @returns whether a list is long enough for filters
 */
export function useIsLong(count: number | undefined, isFiltered: boolean): boolean {
  const isLong = useRef(false);
  if (isFiltered || (count !== undefined && count >= longFrom)) isLong.current = true;
  return isLong.current;
}

interface ListSearchProps {
  /** Names what can be searched. */
  readonly hint: string;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  /** Whether this search or another filter is active. */
  readonly isFiltered: boolean;
  /** Number of matches. Absent until it is known. */
  readonly found: number | undefined;
  /** Rows without a filter, where `found` isn't shown. */
  readonly count?: number;
  /** There are more matches than `found`. */
  readonly orMore?: boolean;
  /** Other filters. */
  readonly children?: ComponentChildren;
}

/** Searches a list of ten rows or more while the user types, and shows the number of matches. */
export function ListSearch(props: ListSearchProps) {
  const { isFiltered, found, count = found, orMore = false } = props;
  const isLong = useIsLong(orMore ? longFrom : count, isFiltered);
  return isLong ? <SearchFields {...props} /> : null;
}

function SearchFields(props: ListSearchProps) {
  const { hint, search, onSearch, isFiltered, found, orMore = false } = props;
  const { found: some, moreFound, inAll, moreInAll } = text.lists;
  const words = isFiltered ? (orMore ? moreFound : some) : orMore ? moreInAll : inAll;
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const asked = useRef(search);
  const ask = (value: string) => {
    clearTimeout(timer.current);
    if (value.trim() === asked.current) return;
    asked.current = value.trim();
    onSearch(asked.current);
  };
  // The field follows the address, but not while the user types.
  useEffect(() => {
    if (field.current !== null && search !== asked.current) field.current.value = search;
    asked.current = search;
  }, [search]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <form
      class="filter-row"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        ask(field.current?.value ?? '');
      }}
    >
      <label class="search">
        {text.lists.search}
        <input
          ref={field}
          type="search"
          placeholder={hint}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxLength={256}
          defaultValue={search}
          onInput={(event) => {
            const { value } = event.currentTarget;
            clearTimeout(timer.current);
            timer.current = setTimeout(() => ask(value), value === '' ? 0 : pause);
          }}
        />
        {search !== '' && (
          <button
            type="button"
            class="clear"
            aria-label={text.lists.clear}
            onClick={() => {
              if (field.current !== null) field.current.value = '';
              ask('');
              field.current?.focus();
            }}
          >
            ✕
          </button>
        )}
      </label>
      {props.children}
      <p class="found" role="status">
        {found !== undefined && fill(words, { count: numberText(found) })}
      </p>
    </form>
  );
}

/**
 * Filters of a list. They are in the address, so that Back works and a link can be shared; an empty text is no filter.
 * @returns the filters, and a function that changes some of them
 */
export function useFilters<Name extends string>(
  ...names: readonly Name[]
): readonly [Readonly<Record<Name, string>>, (changes: Partial<Record<Name, string>>) => void] {
  const { query, route } = useLocation();
  const filters = Object.fromEntries(names.map((name) => [name, query[name] ?? ''])) as Record<Name, string>;
  const change = (changes: Partial<Record<Name, string>>) => {
    // Read from the address, because the caller may come from an earlier rendering.
    const shown = new URLSearchParams(location.search);
    const before = Object.fromEntries(names.map((name) => [name, shown.get(name) ?? '']));
    const next = Object.entries<string>({ ...before, ...changes }).filter(([, value]) => value !== '');
    const search = new URLSearchParams(next).toString();
    // Further typing replaces the history entry, so that not each letter is one.
    const isTyped = Object.entries(changes).every(
      ([name, value]) => name === 'search' && value !== '' && before[name] !== '',
    );
    const target = location.pathname + (search === '' ? '' : `?${search}`);
    if (target !== location.pathname + location.search) route(target, isTyped);
  };
  return [filters, change];
}
