import type { ToldRecord } from '../../../api/audit/audit.ts';

/** A request as the gate would decide it now. */
export interface Question {
  readonly method: string;
  readonly uri: string;
  readonly edge: 'authenticated' | 'internal';
  readonly user?: string;
  readonly role?: string;
}

/**
 * A refusal of which the gate keeps no decision any more is decided anew. Records keep no query.
 * @returns what to ask, in the order in which it is tried: the user may be gone, or be one of a proxy
 */
export function questionsOf({ user, role, source, object: uri, detail }: ToldRecord): Question[] {
  const { method, entry_point: edge } = detail;
  // A long path is cut in the record.
  if (typeof method !== 'string' || uri === null || !uri.startsWith('/') || uri.endsWith('…')) return [];
  const asked = { method, uri, edge: edge === 'internal' ? 'internal' : 'authenticated' } as const;
  if (edge === 'internal' || user === null) return [asked];
  const byAccount = source === 'session' || source === 'bearer' ? [{ ...asked, user }] : [];
  return [...byAccount, ...(role === null ? [] : [{ ...asked, role }])];
}
