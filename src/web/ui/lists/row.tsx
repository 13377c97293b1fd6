import { roleText } from '../roles/role-access.ts';
import { Fragment, type ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { RowAction } from './row-menu.tsx';

/** The contents of a row. */
export interface RowContent {
  /** Unique in its list. */
  readonly key: string;
  readonly title: ComponentChildren;
  /** Beside the title. */
  readonly aside?: ComponentChildren;
  readonly badges?: ComponentChildren;
  /** A line of its own. */
  readonly line?: ComponentChildren;
  /** One line. */
  readonly facts?: readonly ComponentChildren[];
  readonly warning?: string | false;
  readonly more?: ComponentChildren;
  readonly actions?: ReadonlyArray<RowAction | false>;
  /** Why there are no actions. */
  readonly status?: string;
  /** Why some are disabled: the element id, and the text. */
  readonly reason?: readonly [id: string, words: string] | undefined;
  /** Written by a user, in any text direction. */
  readonly isTyped?: boolean;
  /** The actions move below if the row is long. */
  readonly isNarrow?: boolean;
  readonly class?: string;
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

function Row({ row, marked = false }: { readonly row: RowContent; readonly marked?: boolean }) {
  const { title, aside, badges, line, facts = [], warning = false, reason } = row;
  return (
    <RowFrame name={row.key} marked={marked} class={row.class}>
      <div class={row.isNarrow === true ? 'row-name' : 'row-name long'}>
        <strong dir={row.isTyped === true ? 'auto' : undefined}>{title}</strong>
        {Boolean(aside) && <> {aside}</>}
        {badges !== undefined && <div class="badges">{badges}</div>}
        {line !== undefined && <div>{line}</div>}
        {facts.length > 0 && (
          <div>
            <small>{facts.map(withDot)}</small>
          </div>
        )}
        {warning !== false && (
          <div>
            <small class="row-warning">{warning}</small>
          </div>
        )}
        {row.more}
      </div>
      <RowActions actions={row.actions} status={row.status} />
      {reason && (
        <small class="row-reason" id={reason[0]}>
          {reason[1]}
        </small>
      )}
    </RowFrame>
  );
}

const withDot = (fact: ComponentChildren, index: number) => (
  <Fragment key={index}>
    {index > 0 && ' · '}
    {fact}
  </Fragment>
);

/** The frame of a row; a marked one scrolls into view. */
export function RowFrame(props: {
  readonly name: string;
  readonly marked?: boolean;
  readonly class?: string | undefined;
  readonly children: ComponentChildren;
}) {
  const { name, marked = false } = props;
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (marked) element.current?.scrollIntoView({ block: 'nearest' });
  }, [marked]);
  return (
    <li ref={element} data-row={name} class={`${props.class ?? ''} ${marked ? 'marked' : ''}`}>
      {props.children}
    </li>
  );
}

export function RowActions(props: {
  readonly actions?: RowContent['actions'];
  readonly status?: string | undefined;
}) {
  const actions = (props.actions ?? []).filter((action) => action !== false);
  if (actions.length === 0 && props.status === undefined) return null;
  return (
    <div class="row-actions">
      {props.status !== undefined && <small>{props.status}</small>}
      {actions.map(({ label, name, danger = false, ...button }) => (
        <button
          key={name}
          type="button"
          class={danger ? 'quiet harm' : 'quiet'}
          aria-label={label}
          {...button}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

/** @returns one badge per name */
export function badgesOf(names: readonly string[]) {
  return names.map((name) => (
    <span class="badge" key={name}>
      {name}
    </span>
  ));
}

export function RoleBadge({ role }: { readonly role: string }) {
  return <span class={`badge ${role === 'admin' ? 'strong' : ''}`}>{roleText(role)}</span>;
}
