import { isUnfilteredList } from './lists.ts';
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
  return isUnfilteredList(row, query) ? 'cameras_unnamed' : undefined;
}
