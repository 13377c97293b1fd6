import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../drawings.tsx';
import { RowMenu, type RowAction } from './row-menu.tsx';
import { RowActions } from './row.tsx';
import { ariaSort, nextSort, type Sort, type SortValue } from './sorting.ts';
import { fill, text } from '../../text.ts';
import type { Selection } from './bulk.tsx';

interface Column<Entry> {
  readonly title: string;
  /** Null for an empty cell. */
  readonly text?: (entry: Entry) => string | null;
  /** After the text, or in its place. */
  readonly cell?: (entry: Entry) => ComponentChildren;
  /** Sorts the list when its title is pressed. `name` stands in the address. */
  readonly sort?: { readonly name: string; readonly of: (entry: Entry) => SortValue };
  /** Names the row. Where there is little room, it stands above the others. */
  readonly isName?: boolean;
  /** Left out where there is little room. */
  readonly isWide?: boolean;
}

export interface Columns<Entry> {
  readonly class: string;
  readonly keyOf: (entry: Entry) => string | number;
  /** Names the row for screen readers. */
  readonly nameOf?: (entry: Entry) => string;
  readonly columns: ReadonlyArray<Column<Entry>>;
  readonly actions?: (entry: Entry) => ReadonlyArray<RowAction | false>;
  /** Tells why some of the actions are disabled. */
  readonly reasonOf?: (entry: Entry) => string | undefined;
}

export interface Sorting {
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}

/** Explicit ARIA roles: browsers drop the implied ones where CSS turns rows into cards. */
export function ColumnTable<Entry>(props: {
  readonly columns: Columns<Entry>;
  readonly entries: readonly Entry[];
  readonly caption: string | undefined;
  readonly busy: boolean;
  readonly marked?: string | undefined;
  readonly sorting?: Sorting | undefined;
  readonly selection?: Selection | undefined;
}) {
  const { entries, caption, busy, marked, sorting, selection } = props;
  const { columns, keyOf, nameOf, actions, reasonOf } = props.columns;
  const keys = entries.map((entry) => String(keyOf(entry)));
  return (
    <div class="frame">
      <table
        class={actions === undefined ? props.columns.class : `table ${props.columns.class}`}
        role="table"
        aria-label={caption}
        aria-busy={busy}
      >
        <thead role="rowgroup">
          <tr role="row">
            {selection !== undefined && (
              <th role="columnheader" scope="col" class="pick">
                <PickAll selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <Heading key={column.title} column={column} sorting={sorting} />
            ))}
            {actions !== undefined && (
              <th role="columnheader" scope="col" class="do">
                <span class="hidden-text">{text.lists.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {entries.map((entry) => {
            const key = String(keyOf(entry));
            const name = nameOf?.(entry) ?? key;
            return (
              <TableRow
                key={key}
                name={key}
                marked={marked === key}
                selected={selection === undefined ? undefined : selection.has(key)}
              >
                {selection !== undefined && (
                  <td role="cell" class="pick">
                    {selection.offers(key) && (
                      <label>
                        <input
                          type="checkbox"
                          aria-label={fill(text.lists.select, { name })}
                          checked={selection.has(key)}
                          onClick={(event) => selection.toggle(key, event.shiftKey ? keys : undefined)}
                        />
                      </label>
                    )}
                  </td>
                )}
                {columns.map((column) => (
                  <Cell key={column.title} column={column} entry={entry} />
                ))}
                {actions !== undefined && (
                  <td role="cell" class="do">
                    <CellActions name={name} actions={actions(entry)} reason={reasonOf?.(entry)} />
                  </td>
                )}
              </TableRow>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** A marked one scrolls into view. */
function TableRow(props: {
  readonly name: string;
  readonly marked: boolean;
  readonly selected: boolean | undefined;
  readonly children: ComponentChildren;
}) {
  const { name, marked, selected } = props;
  const element = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (marked) element.current?.scrollIntoView({ block: 'nearest' });
  }, [marked]);
  return (
    <tr
      ref={element}
      role="row"
      data-row={name}
      class={[marked && 'marked', selected === true && 'selected'].filter(Boolean).join(' ') || undefined}
    >
      {props.children}
    </tr>
  );
}

/** One action is a button, several are a menu. */
function CellActions(props: {
  /** Name of the row. */
  readonly name: string;
  readonly actions: ReadonlyArray<RowAction | false>;
  readonly reason: string | undefined;
}) {
  const actions = props.actions.filter((action) => action !== false);
  if (actions.length < 2) return <RowActions actions={actions} />;
  return (
    <div class="row-actions">
      <RowMenu
        label={fill(text.lists.actionsOf, { name: props.name })}
        actions={actions}
        reason={props.reason}
      />
    </div>
  );
}

function Heading<Entry>({
  column,
  sorting,
}: {
  readonly column: Column<Entry>;
  readonly sorting: Sorting | undefined;
}) {
  const { title, sort: by, isWide = false } = column;
  const width = isWide ? 'wide' : undefined;
  if (by === undefined || sorting === undefined) {
    return (
      <th role="columnheader" scope="col" class={width}>
        {title}
      </th>
    );
  }
  const { sort, onSort } = sorting;
  const state = ariaSort(sort, by.name);
  return (
    <th role="columnheader" scope="col" class={width} aria-sort={state}>
      <button type="button" class="sort" onClick={() => onSort(nextSort(sort, by.name))}>
        {title}
        {state !== 'none' && <Icon name={state === 'ascending' ? 'down' : 'up'} />}
      </button>
    </th>
  );
}

function PickAll({ selection }: { readonly selection: Selection }) {
  const box = useRef<HTMLInputElement>(null);
  const { offered: count } = selection;
  const some = selection.keys.length;
  useEffect(() => {
    if (box.current) box.current.indeterminate = some > 0 && some < count;
  });
  return (
    <label>
      <input
        ref={box}
        type="checkbox"
        aria-label={text.lists.selectAll}
        checked={some > 0 && some === count}
        onClick={selection.toggleAll}
      />
    </label>
  );
}

/** Shows the title where there is no room for column headings. */
function Cell<Entry>({ column, entry }: { readonly column: Column<Entry>; readonly entry: Entry }) {
  const { title, text: textOf, cell, isWide = false, isName = false } = column;
  const width = isName ? 'name' : isWide ? 'wide' : undefined;
  if (textOf === undefined) {
    return (
      <td role="cell" class={width}>
        {cell?.(entry)}
      </td>
    );
  }
  const value = textOf(entry);
  return (
    <td role="cell" class={value === null ? 'nothing' : width}>
      <span class="cell-title" aria-hidden="true">
        {title}
      </span>
      <span class="cell-text" dir="auto" title={value ?? undefined}>
        {value ?? '–'}
      </span>
      {cell?.(entry)}
    </td>
  );
}
