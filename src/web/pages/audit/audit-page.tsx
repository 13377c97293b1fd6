import { useLocation } from 'preact-iso';
import { useMemo, useState } from 'preact/hooks';
import { useFilters, useIsLong } from '../../ui/lists/list-search.tsx';
import type { AuditRecord } from '../../api-client.ts';
import { gatePath } from '../../path-prefix.ts';
import { decisionPath } from '../../ui/roles/role-paths.ts';
import { AuditFilters, useAudit, type AuditSearch } from './audit-filters.tsx';
import { AuditDialog, eventText, objectText, whereText, whoText } from './audit-record.tsx';
import type { Columns } from '../../ui/lists/column-table.tsx';
import { Message } from '../../ui/notices.tsx';
import { SettingsFrame, TitledSection } from '../../ui/section.tsx';
import { Table } from '../../ui/lists/table.tsx';
import { TimeAgo } from '../../ui/parts.tsx';
import { useOnReturn } from '../../ui/page-hooks.ts';
import type { Pages } from '../../ui/lists/use-pages.ts';
import { fill, text } from '../../text.ts';

const words = text.audit;

export function AuditPage() {
  return (
    <SettingsFrame page="audit">
      <Audit />
    </SettingsFrame>
  );
}

function isRefusal({ event }: AuditRecord): boolean {
  return event === 'refused';
}

const auditColumns = (onOpen: (record: AuditRecord) => void): Columns<AuditRecord> => ({
  class: 'audit',
  keyOf: ({ id }) => id,
  columns: [
    {
      title: words.time,
      cell: ({ time }) => <TimeAgo seconds={Date.parse(time) / 1000} />,
    },
    {
      title: words.event,
      cell: (record) => (
        <>
          <button type="button" class="record-open" onClick={() => onOpen(record)}>
            {eventText(record.event)}
          </button>{' '}
          {record.result === 'failure' && <span class="badge failure">{words.failure}</span>}
        </>
      ),
    },
    { title: words.who, text: whoText },
    { title: words.from, text: whereText },
    { title: words.on, text: objectText },
    {
      title: words.reason,
      text: ({ reason }) => reason,
      cell: (record) =>
        isRefusal(record) &&
        record.decision !== null && (
          <a
            class="record-open why"
            aria-label={fill(words.whyOf, { path: record.object ?? '' })}
            href={decisionPath(record.decision)}
          >
            {words.why}
          </a>
        ),
    },
  ],
});

/** Who did what. The filters are in the address, so that it can be saved and shared. */
function Audit() {
  const [filters, setFilters] = useFilters('event', 'search', 'result', 'period');
  // The previous name of `search`, which old addresses have.
  const { user = '' } = useLocation().query;
  const search: AuditSearch = { ...filters, search: filters.search || user };
  const { list, loadMore, refresh } = useAudit(search);
  useOnReturn(refresh);
  const [open, setOpen] = useState<AuditRecord>();
  const close = () => setOpen(undefined);
  const isFiltered = Object.values(search).some((value) => value !== '');

  const isKnown = list.kind === 'complete' || list.kind === 'partial';
  const isLong = useIsLong(isKnown ? list.items.length : undefined, isFiltered);
  const change = (changes: Partial<AuditSearch>) =>
    setFilters(user === '' ? changes : { search: search.search, ...changes });

  // Opening a dialog must not compare thousands of rows again.
  const table = useMemo(
    () => (
      <Table
        what={words.records}
        list={list}
        onRetry={loadMore}
        onMore={loadMore}
        empty={
          <Message title={words.none}>
            <p>{isFiltered ? words.noneMatches : words.nothingYet}</p>
            {isFiltered && (
              <button type="button" onClick={() => change({ event: '', search: '', result: '', period: '' })}>
                {words.showAll}
              </button>
            )}
          </Message>
        }
        status={statusOf(list)}
        caption={words.table}
        shown={auditColumns(setOpen)}
      />
    ),
    [list],
  );
  return (
    <TitledSection page id="audit" title={words.title}>
      <p>
        <a href={gatePath('/watched')}>{words.watching}</a>
      </p>
      {isLong && <AuditFilters search={search} onChange={change} />}
      {table}
      {open !== undefined && <AuditDialog record={open} isRefusal={isRefusal(open)} onClose={close} />}
    </TitledSection>
  );
}

function statusOf({ kind, items }: Pages<AuditRecord, number>): string | undefined {
  if (kind === 'partial') return items.length === 0 ? words.noneSoFar : undefined;
  return kind === 'complete' ? words.allShown : undefined;
}
