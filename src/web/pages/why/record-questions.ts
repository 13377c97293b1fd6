import type { ToldRecord } from '../../../api/audit/audit.ts';

/** A request for the gate to decide now. */
export interface Question {
  readonly method: string;
  readonly uri: string;
  readonly edge: 'authenticated' | 'internal';
  readonly user?: string;
  readonly role?: string;
}

/**
 * If the gate no longer keeps the decision of a refusal, the page asks for it again. Records keep no query.
 * @returns what to ask, in order: the user may be deleted, or come from a proxy
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
