import type { ComponentChildren } from 'preact';
import { ColumnTable, type Columns } from './column-table.tsx';
import { FailureNotice, LoadFailure, Loading, Message } from '../notices.tsx';
import { Row, type RowContent } from './row.tsx';
import { text } from '../../text.ts';
import type { Pages } from './use-pages.ts';

interface TableProps<Entry> {
  /** What is in it, in the words of a failure. */
  readonly what: string;
  /** The same, in those of what is loading, where they differ. */
  readonly whatLoads?: string;
  readonly list: Pages<Entry, unknown>;
  readonly onRetry: () => unknown;
  readonly onMore?: () => void;
  /** In place of the rows when there are none; a text is a line. */
  readonly empty: ComponentChildren;
  /** Takes the filters back, in place of `empty`; undefined: none is set. */
  readonly onShowAll?: (() => void) | undefined;
  /** Below the rows. */
  readonly status?: string | undefined;
  /** Names it for screen readers. */
  readonly caption?: string | undefined;
  /** Key of the row that is new or has changed. */
  readonly marked?: string | undefined;
  readonly shown: ShownRows<Entry>;
}

/** An entry as a row of a list, or as a line of columns. */
type ShownRows<Entry> = ((entry: Entry) => RowContent) | Columns<Entry>;

/** A list that is loaded page by page: its rows, what there is to say in place of them, and the way to more of them. */
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
