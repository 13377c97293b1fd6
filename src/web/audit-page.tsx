import { audit as words } from '#language/audit';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useMemo, useState } from 'preact/hooks';
import type { AuditRecord } from './api-client.ts';
import { AuditDialog } from './audit-dialog.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { eventText, whereText, whoText } from './audit-text.ts';
import { LoadMore } from './load-more.tsx';
import { LoadFailure, Loading, Message } from './notices.tsx';
import { SettingsFrame } from './settings-frame.tsx';
import { TimeAgo } from './time.tsx';
import { useAudit, type AuditSearch } from './use-audit.ts';
import { WhyDialog } from './why-dialog.tsx';

export function AuditPage() {
  return (
    <SettingsFrame page="audit">
      <Audit />
    </SettingsFrame>
  );
}

/** A record in a dialog: all of it, or why it was a refusal. */
interface Open {
  readonly kind: 'record' | 'why';
  readonly record: AuditRecord;
}

function isRefusal({ event }: AuditRecord): boolean {
  return event === 'refused';
}

/** Who did what. The filters are in the address, so that it can be kept and sent. */
function Audit() {
  const { query, route } = useLocation();
  const search: AuditSearch = {
    event: query['event'] ?? '',
    // As it was called before parts were found.
    search: query['search'] ?? query['user'] ?? '',
    result: query['result'] ?? '',
    period: query['period'] ?? '',
  };
  const { list, loadMore, reload } = useAudit(search);
  const [open, setOpen] = useState<Open>();
  const isLoading = list.kind === 'loading';
  // Thousands of rows are not compared again when a dialog opens.
  const table = useMemo(
    () => <AuditTable records={list.items} isLoading={isLoading} onOpen={setOpen} />,
    [list.items, isLoading],
  );
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
        <h2 id="audit">{words.title}</h2>
        <button type="button" class="secondary outline" onClick={reload} disabled={isLoading}>
          {words.refresh}
        </button>
      </div>
      <AuditFilters search={search} onChange={change} />
      {list.items.length > 0 && table}
      {list.kind === 'complete' && list.items.length === 0 && (
        <Message title={words.none}>
          <p>{isFiltered ? words.noneMatches : words.nothingYet}</p>
          {isFiltered && (
            <button type="button" onClick={() => change({ event: '', search: '', result: '', period: '' })}>
              {words.showAll}
            </button>
          )}
        </Message>
      )}
      {list.kind === 'failed' && <LoadFailure what={words.records} error={list.error} onRetry={loadMore} />}
      {isLoading && <Loading what={words.records} />}
      {list.kind === 'partial' && list.items.length === 0 && (
        <p class="placeholder" role="status">
          {words.noneSoFar}
        </p>
      )}
      {list.kind === 'partial' && <LoadMore onLoad={loadMore} />}
      {list.kind === 'complete' && list.items.length > 0 && (
        <p class="placeholder" role="status">
          {words.allShown}
        </p>
      )}
      {open?.kind === 'record' && (
        <AuditDialog
          record={open.record}
          onWhy={isRefusal(open.record) ? () => setOpen({ ...open, kind: 'why' }) : undefined}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.kind === 'why' && <WhyDialog record={open.record} onClose={() => setOpen(undefined)} />}
    </section>
  );
}

/** The roles are said, since browsers forget them where the style makes cards of the rows. */
function AuditTable(props: {
  readonly records: readonly AuditRecord[];
  readonly isLoading: boolean;
  readonly onOpen: (open: Open) => void;
}) {
  const { records, isLoading, onOpen } = props;
  const titles = [words.time, words.event, words.who, words.from, words.on, words.reason];
  return (
    <table class="audit" role="table" aria-label={words.table} aria-busy={isLoading}>
      <thead role="rowgroup">
        <tr role="row">
          {titles.map((title) => (
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
              <TimeAgo seconds={Date.parse(record.time) / 1000} />
            </td>
            <td role="cell">
              <button type="button" class="record-open" onClick={() => onOpen({ kind: 'record', record })}>
                {eventText(record.event)}
              </button>{' '}
              {record.result === 'failure' && <span class="badge failure">{words.failure}</span>}
            </td>
            <Cell title={words.who} value={whoText(record)} />
            <Cell title={words.from} value={whereText(record)} />
            <Cell title={words.on} value={record.object} />
            <Cell title={words.reason} value={record.reason}>
              {isRefusal(record) && (
                <button
                  type="button"
                  class="record-open why"
                  aria-label={words.whyOf(record.object ?? '')}
                  onClick={() => onOpen({ kind: 'why', record })}
                >
                  {words.why}
                </button>
              )}
            </Cell>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Its title is shown where there is no room for those of the columns. */
function Cell(props: {
  readonly title: string;
  readonly value: string | null;
  readonly children?: ComponentChildren;
}) {
  const { title, value, children } = props;
  return (
    <td role="cell" class={value === null ? 'nothing' : undefined}>
      <span class="cell-title" aria-hidden="true">
        {title}
      </span>
      <span class="cell-text" dir="auto" title={value ?? undefined}>
        {value ?? '–'}
      </span>
      {children}
    </td>
  );
}
