import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import type { AuditRecord } from './api-client.ts';
import { AuditDialog } from './audit-dialog.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { eventText, whereText, whoText } from './audit-text.ts';
import { LoadMore } from './load-more.tsx';
import { LoadFailure, Loading, Message } from './notices.tsx';
import { SettingsFrame } from './settings-frame.tsx';
import { Time } from './time.tsx';
import { useAudit, type AuditSearch } from './use-audit.ts';

export function AuditPage() {
  return (
    <SettingsFrame page="audit">
      <Audit />
    </SettingsFrame>
  );
}

/** Who did what. The filters are in the address, so that it can be kept and sent. */
function Audit() {
  const { query, route } = useLocation();
  const search: AuditSearch = {
    event: query['event'] ?? '',
    user: query['user'] ?? '',
    result: query['result'] ?? '',
    period: query['period'] ?? '',
  };
  const { list, loadMore, reload } = useAudit(search);
  const [open, setOpen] = useState<AuditRecord>();
  const isLoading = list.kind === 'loading';
  const isFiltered = Object.values(search).some((value) => value !== '');

  const change = (changed: AuditSearch) => {
    const kept = Object.entries(changed).filter(([, value]) => value !== '');
    const text = new URLSearchParams(kept).toString();
    const target = text === '' ? location.pathname : `${location.pathname}?${text}`;
    if (target !== location.pathname + location.search) route(target);
  };

  return (
    <section aria-labelledby="audit">
      <div class="title-row">
        <h2 id="audit">Audit</h2>
        <button type="button" class="secondary outline" onClick={reload} disabled={isLoading}>
          Refresh
        </button>
      </div>
      <AuditFilters search={search} onChange={change} />
      {list.items.length > 0 && <AuditTable records={list.items} isLoading={isLoading} onOpen={setOpen} />}
      {list.kind === 'complete' && list.items.length === 0 && (
        <Message title="No records">
          <p>{isFiltered ? 'No record matches.' : 'Nothing was recorded yet.'}</p>
          {isFiltered && (
            <button type="button" onClick={() => change({ event: '', user: '', result: '', period: '' })}>
              Show all records
            </button>
          )}
        </Message>
      )}
      {list.kind === 'failed' && <LoadFailure what="audit records" error={list.error} onRetry={loadMore} />}
      {isLoading && <Loading what="audit records" />}
      {list.kind === 'partial' && <LoadMore onLoad={loadMore} />}
      {list.kind === 'complete' && list.items.length > 0 && (
        <p class="placeholder" role="status">
          These are all records.
        </p>
      )}
      {open !== undefined && <AuditDialog record={open} onClose={() => setOpen(undefined)} />}
    </section>
  );
}

/** The roles are said, since browsers forget them where the style makes cards of the rows. */
function AuditTable(props: {
  readonly records: readonly AuditRecord[];
  readonly isLoading: boolean;
  readonly onOpen: (record: AuditRecord) => void;
}) {
  const { records, isLoading, onOpen } = props;
  return (
    <table class="audit" role="table" aria-label="Audit records" aria-busy={isLoading}>
      <thead role="rowgroup">
        <tr role="row">
          {['Time', 'Event', 'Who', 'From', 'On', 'Reason'].map((title) => (
            <th key={title} role="columnheader" scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {records.map((record) => (
          <tr key={record.id} role="row">
            <td role="cell">
              <Time seconds={Date.parse(record.time) / 1000} />
            </td>
            <td role="cell">
              <button type="button" class="record-open" onClick={() => onOpen(record)}>
                {eventText(record.event)}
              </button>{' '}
              {record.result === 'failure' && <span class="badge failure">failure</span>}
            </td>
            <Cell title="Who" text={whoText(record)} />
            <Cell title="From" text={whereText(record)} />
            <Cell title="On" text={record.object} />
            <Cell title="Reason" text={record.reason} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Its title is shown where there is no room for those of the columns. */
function Cell({ title, text }: { readonly title: string; readonly text: string | null }) {
  return (
    <td role="cell" class={text === null ? 'nothing' : undefined}>
      <span class="cell-title" aria-hidden="true">
        {title}
      </span>
      <span class="cell-text" title={text ?? undefined}>
        {text ?? '–'}
      </span>
    </td>
  );
}
