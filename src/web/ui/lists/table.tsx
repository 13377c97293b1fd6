import type { ComponentChildren } from 'preact';
import { ColumnTable, type Columns } from './column-table.tsx';
import { FailureNotice, LoadFailure, Loading, Message } from '../notices.tsx';
import { Row, type RowContent } from './row.tsx';
import { text } from '../../text.ts';
import type { Pages } from './use-pages.ts';

interface TableProps<Entry> {
  /** The content's name in error messages. */
  readonly what: string;
  /** The content's name while loading, if different. */
  readonly whatLoads?: string;
  readonly list: Pages<Entry, unknown>;
  readonly onRetry: () => unknown;
  readonly onMore?: () => void;
  /** Replaces the rows when there are none; a text becomes a line. */
  readonly empty: ComponentChildren;
  /** Clears the filters, in place of `empty`; undefined: none is set. */
  readonly onShowAll?: (() => void) | undefined;
  /** Below the rows. */
  readonly status?: string | undefined;
  /** Its name for screen readers. */
  readonly caption?: string | undefined;
  /** Key of the new or changed row. */
  readonly marked?: string | undefined;
  readonly shown: ShownRows<Entry>;
}

/** Each entry as a list row or as table columns. */
type ShownRows<Entry> = ((entry: Entry) => RowContent) | Columns<Entry>;

/** A list that is loaded page by page: its rows or a placeholder, and a button for more. */
export function Table<Entry>(props: TableProps<Entry>) {
  const { what, list, onRetry, onMore, empty, onShowAll, status, caption, marked, shown } = props;
  const { kind, items, error } = list;
  const busy = kind === 'loading';
  if (items.length === 0 && kind !== 'partial') {
    if (busy) return <Loading what={props.whatLoads ?? what} />;
    if (kind === 'failed') return <LoadFailure what={what} error={error} onRetry={onRetry} />;
    if (onShowAll !== undefined) return <NothingFound onShowAll={onShowAll} />;
    return typeof empty === 'string' ? <p class="placeholder">{empty}</p> : <>{empty}</>;
  }
  const failure = kind === 'failed' && <FailureNotice error={error} />;
  return (
    <>
      {list.failedBelow !== true && failure}
      {items.length > 0 &&
        (typeof shown === 'function' ? (
          <Rows rows={items.map(shown)} caption={caption} busy={busy} marked={marked} />
        ) : (
          <ColumnTable columns={shown} entries={items} caption={caption} busy={busy} />
        ))}
      {list.failedBelow === true && failure}
      {status !== undefined && (
        <p class="placeholder" role="status">
          {status}
        </p>
      )}
      {list.next !== null && onMore !== undefined && (
        <p class="placeholder">
          <button type="button" class="secondary outline" disabled={busy} onClick={onMore}>
            {text.lists.loadMore}
          </button>
        </p>
      )}
    </>
  );
}

export function Rows(props: {
  readonly rows: readonly RowContent[];
  readonly caption?: string | undefined;
  /** Id of a heading that names it. */
  readonly captionId?: string;
  readonly busy?: boolean;
  readonly marked?: string | undefined;
}) {
  const { rows, caption, captionId, busy = false, marked } = props;
  return (
    <ul class="rows" aria-label={caption} aria-labelledby={captionId} aria-busy={busy}>
      {rows.map((row) => (
        <Row key={row.key} row={row} marked={marked === row.key} />
      ))}
    </ul>
  );
}

function NothingFound({ onShowAll }: { readonly onShowAll: () => void }) {
  return (
    <Message title={text.lists.nothingFound}>
      <button type="button" onClick={onShowAll}>
        {text.lists.showAll}
      </button>
    </Message>
  );
}
