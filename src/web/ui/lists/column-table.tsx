import type { ComponentChildren } from 'preact';

interface Column<Entry> {
  readonly title: string;
  /** Null: an empty cell. */
  readonly text?: (entry: Entry) => string | null;
  /** After the text, or in its place. */
  readonly cell?: (entry: Entry) => ComponentChildren;
}

export interface Columns<Entry> {
  readonly class: string;
  readonly keyOf: (entry: Entry) => string | number;
  readonly columns: ReadonlyArray<Column<Entry>>;
}

/** Explicit ARIA roles: browsers drop the implied ones where CSS turns rows into cards. */
export function ColumnTable<Entry>(props: {
  readonly columns: Columns<Entry>;
  readonly entries: readonly Entry[];
  readonly caption: string | undefined;
  readonly busy: boolean;
}) {
  const { entries, caption, busy } = props;
  const { columns, keyOf } = props.columns;
  return (
    <table class={props.columns.class} role="table" aria-label={caption} aria-busy={busy}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ title }) => (
            <th key={title} role="columnheader" scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {entries.map((entry) => (
          <tr key={keyOf(entry)} role="row">
            {columns.map((column) => (
              <Cell key={column.title} column={column} entry={entry} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Shows the title where there is no room for column headings. */
function Cell<Entry>({ column, entry }: { readonly column: Column<Entry>; readonly entry: Entry }) {
  const { title, text, cell } = column;
  if (text === undefined) return <td role="cell">{cell?.(entry)}</td>;
  const value = text(entry);
  return (
    <td role="cell" class={value === null ? 'nothing' : undefined}>
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
