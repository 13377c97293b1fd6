import { auditApi, bodyOf, type AuditRecord } from '../../api-client.ts';
import { pageLimit, usePages, type Page, type PageOptions } from '../../ui/lists/use-pages.ts';

/** The filters of the audit page; an empty text is no filter. */
export interface AuditSearch {
  readonly event: string;
  /** Part of the user, address, object or reason. */
  readonly search: string;
  readonly result: string;
  /** How far back: a duration such as `7d`. */
  readonly period: string;
}

/** The newest matching records, page by page. */
export function useAudit({ event, search, result, period }: AuditSearch) {
  const read = async (next: number | null, { wanted }: PageOptions): Promise<Page<AuditRecord, number>> => {
    const before = next === null ? '' : String(next);
    const query = Object.entries({ event, search, result, since: period, before }).filter(
      ([, value]) => value !== '',
    );
    const { records, next: following } = await bodyOf(
      auditApi.index.$get({ query: { ...Object.fromEntries(query), limit: pageLimit(wanted) } }),
    );
    return { items: records, next: following };
  };
  return usePages(read, [event, search, result, period]);
}
