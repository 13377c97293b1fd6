import type { AccessRule } from '../access-rule.ts';
import { readPairs } from '../query-pairs.ts';

/**
 * Whether a request is for a list of all cameras, unless the upstream filters it by role. A list whose query names its cameras
 * does not count: the answer has nothing else, for any client.
 */
export function isUnfilteredList(
  { level, filter, isFilterNew, unfilteredWith }: AccessRule,
  query: string,
): boolean {
  if (level !== 'list') return false;
  if (filter === undefined || isFilterNew === true || !isFiltered(filter, query)) return true;
  return unfilteredWith !== undefined && mayName(unfilteredWith, query);
}

/** Whether some server could find the parameter in a query. */
function mayName(parameter: string, query: string): boolean {
  const pairs = readPairs(query, new RegExp(`^[^a-z0-9_]*${parameter}(?![a-z0-9_-])`));
  return pairs === undefined || pairs.some(({ isNamed }) => isNamed);
}

/**
 * Whether every server reads the same cameras from a query: the parameter once, in plain spelling, with names only, and without the
 * other parameter. Of two values, some servers take the first and some the last; some read an empty name or `all` as all cameras.
 */
function isFiltered(parameter: string, query: string): boolean {
  const naming = readPairs(query)?.filter(({ isNamed }) => isNamed) ?? [];
  const [pair, ...others] = naming;
  if (pair === undefined || others.length > 0 || !pair.text.startsWith(`${parameter}=`)) return false;
  const names = new URLSearchParams(pair.text).get(parameter)?.split(',') ?? [];
  return names.every((name) => name !== '' && name.trim() === name && name.toLowerCase() !== 'all');
}
