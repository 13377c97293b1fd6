import { useLocation } from 'preact-iso';

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
    // From the address: the caller may be of an earlier rendering.
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
