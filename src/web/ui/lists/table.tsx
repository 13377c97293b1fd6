import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ColumnTable, type Columns, type Sorting } from './column-table.tsx';
import { FailureNotice, LoadFailure, Loading, Message } from '../notices.tsx';
import { Rows, type RowContent } from './row.tsx';
import { text } from '../../text.ts';
import { sorted } from './sorting.ts';
import type { Pages } from './use-pages.ts';
import type { Selection } from './bulk.tsx';
import { useFocusNear } from './focus-near.ts';

interface TableProps<Entry> {
  /** The content's name in error messages. */
  readonly what: string;
  /** The content's name while loading, if different. */
  readonly whatLoads?: string;
  readonly list: Pages<Entry, unknown>;
  readonly onRetry: () => unknown;
  readonly onMore?: () => void;
  /** Shown in place of the rows when the list is empty; a text becomes a line. */
  readonly empty: ComponentChildren;
  /** Clears the filters; its button replaces `empty`. Omit when no filter is set. */
  readonly onShowAll?: (() => void) | undefined;
  /** Below the rows. */
  readonly status?: string | undefined;
  /** Its name for screen readers. */
  readonly caption?: string | undefined;
  /** Key of the new or changed row. */
  readonly marked?: string | undefined;
  readonly sorting?: Sorting;
  readonly selection?: Selection;
  readonly shown: ShownRows<Entry>;
}

/** Each entry as a list row or as table columns. */
type ShownRows<Entry> = ((entry: Entry) => RowContent) | Columns<Entry>;

/** A list that is loaded page by page: its rows or a placeholder, and a button for more. */
export function Table<Entry>(props: TableProps<Entry>) {
  const {
    what,
    list,
    onRetry,
    onMore,
    empty,
    onShowAll,
    status,
    caption,
    marked,
    shown,
    sorting,
    selection,
  } = props;
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
          <ColumnTable
            columns={shown}
            entries={inOrder(items, shown, sorting)}
            caption={caption}
            busy={busy}
            marked={marked}
            sorting={sorting}
            selection={selection}
          />
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

function inOrder<Entry>(
  items: readonly Entry[],
  { columns }: Columns<Entry>,
  sorting: Sorting | undefined,
): readonly Entry[] {
  const sort = sorting?.sort ?? '';
  const by = columns.find((column) => column.sort?.name === sort.replace(/^-/, ''))?.sort;
  return by === undefined ? items : sorted(items, sort, by.of);
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

// Milliseconds.
const markedFor = 5_000;

/**
 * Feedback for changes of a list: its heading, the row marked for some seconds as new or changed, a function that marks one,
 * and one to call before a row is removed (all, without a key), so that the focus stays near.
 * @param keys of the shown rows
 */
export function useRows(keys: readonly string[]) {
  const [marked, setMarked] = useState<{ readonly key: string }>();
  useEffect(() => {
    if (marked === undefined) return undefined;
    const timer = setTimeout(() => setMarked(undefined), markedFor);
    return () => clearTimeout(timer);
  }, [marked]);
  const heading = useRef<HTMLHeadingElement>(null);
  const goes = useFocusNear(keys, heading);
  return { heading, marked: marked?.key, mark: (key: string) => setMarked({ key }), goes };
}
