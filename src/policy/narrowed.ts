import type { Reason } from './reasons.ts';
import type { Row } from './target-table.ts';
import type { Target } from './target.ts';

/**
 * Whether a token that is narrowed to cameras may have what names them, or none. What stands behind the gate is told the
 * role, which sees more: so it is asked only for what is of cameras that the request names, and of no others.
 * @param target all cameras of which are granted
 * @returns the reason to refuse, or undefined
 */
export function refuseUnnamed(
  row: Row,
  target: Target,
  method: string | undefined,
  query: string,
): Reason | undefined {
  if (target.kind === 'own-account') return undefined;
  const reads = method === 'GET' || method === 'HEAD';
  if (!reads && row.pathSaysAll !== true) return 'read_only';
  if (target.kind === 'neutral') return row.tellsOfNone === true ? undefined : 'cameras_unnamed';
  if (row.requirement !== 'list') return undefined;
  return row.filter !== undefined && isFiltered(row.filter, query) ? undefined : 'cameras_unnamed';
}

/**
 * Whether every server reads the same cameras from a query: the parameter once and as it is spelt, with names alone, and the
 * other parameter not at all. Of two, some take the first and some the last; an empty name or `all` means all cameras to some.
 */
function isFiltered(parameter: string, query: string): boolean {
  if (/[;?]/.test(query)) return false;
  const written = query.split('&').filter((pair) => pair.startsWith(`${parameter}=`));
  const parameters = new URLSearchParams(query);
  const read = ['camera', 'cameras'].flatMap((name) => parameters.getAll(name));
  if (written.length !== 1 || read.length !== 1) return false;
  const names = (read[0] ?? '').split(',');
  return names.every((name) => name !== '' && name.trim() === name && name.toLowerCase() !== 'all');
}
