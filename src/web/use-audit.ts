import { useEffect, useRef, useState } from 'preact/hooks';
import { accountApi, bodyOf, type AuditRecord } from './api-client.ts';

/** What the audit page shows; an empty text is no filter. */
export interface AuditSearch {
  readonly event: string;
  readonly user: string;
  readonly result: string;
  /** How far back: a duration such as `7d`. */
  readonly period: string;
}

interface AuditList {
  readonly kind: 'loading' | 'partial' | 'complete' | 'failed';
  readonly records: readonly AuditRecord[];
  /** Id below which the next page begins. */
  readonly next: number | null;
  readonly error?: unknown;
}

const pageSize = '50';
const empty: AuditList = { kind: 'loading', records: [], next: null };

/** The newest records that fit, page by page. */
export function useAudit({ event, user, result, period }: AuditSearch) {
  const [list, setList] = useState<AuditList>(empty);
  const round = useRef(0);

  const load = (before: AuditList) => {
    round.current += 1;
    const mine = round.current;
    setList({ ...before, kind: 'loading' });
    const filters = Object.entries({ event, user, result, since: period }).filter(
      ([, value]) => value !== '',
    );
    const query = {
      ...Object.fromEntries(filters),
      limit: pageSize,
      ...(before.next === null ? {} : { before: String(before.next) }),
    };
    const settle = (next: AuditList) => {
      if (round.current === mine) setList(next);
    };
    bodyOf(accountApi.audit.$get({ query })).then(
      ({ records, next }) =>
        settle({
          kind: next === null ? 'complete' : 'partial',
          records: [...before.records, ...records],
          next,
        }),
      (error: unknown) => settle({ ...before, kind: 'failed', error }),
    );
  };
  useEffect(() => load(empty), [event, user, result, period]);
  return { list, loadMore: () => load(list), reload: () => load(empty) };
}
